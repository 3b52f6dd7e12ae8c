// The current Notification Center of the device that a push was sent to.

import { api } from "../core/api.js"
import { chip, h, icon, problemNote, replace } from "../core/elements.js"
import { EntryList, notificationEntry } from "../views/devices/entries.js"

/// The shortest interval between two requests (milliseconds).
const PAUSE = 500

export class Inbox {
  #list = new EntryList(null, (one) => this.#entry(one))
  #content = h("div")
  #record = null
  #timer = 0
  /// How long the last request took. The server reads every push to the device for it.
  #took = 0
  #turn = 0
  element = h("details.inbox", { ontoggle: () => this.#load() },
    h("summary", icon("device"), "Notification Center now"), this.#content)

  show(record) {
    this.#record = record
    this.element.hidden = record.apns.token === null || record.response.status !== 200
    this.#load()
  }

  /// Reloads after an event for this device.
  message(message) {
    if (!this.element.open || this.#timer) return
    if (message.data.token !== this.#record?.apns.token) return
    this.#timer = setTimeout(() => {
      this.#timer = 0
      this.#load()
    }, Math.max(PAUSE, 4 * this.#took))
  }

  async #load() {
    if (!this.element.open || this.element.hidden) return
    this.#turn += 1
    const turn = this.#turn
    const record = this.#record
    const began = performance.now()
    try {
      const inbox = await api.get(`/devices/${encodeURIComponent(record.apns.token)}/inbox`)
      this.#took = performance.now() - began
      if (turn !== this.#turn) return
      this.#show(inbox)
    } catch (error) {
      if (turn === this.#turn) replace(this.#content, problemNote(error, () => this.#load()))
    }
  }

  #show({ notifications, badge, note }) {
    const { length } = notifications
    const isMissing = length > 0 && !notifications.some((one) => this.#isThis(one))
    this.#list.show([
      length === 0 ? "Notification Center is empty." : `${length} in Notification Center.`,
      badge === null ? "" : `The badge is ${badge}.`,
      isMissing ? "This push is not one of them." : "",
      note,
    ].filter(Boolean).join(" "), notifications)
    if (this.#content.firstChild !== this.#list.element) replace(this.#content, this.#list.element)
  }

  #isThis({ push }) { return push === this.#record.id }

  #entry(one) {
    const entry = notificationEntry(one)
    return this.#isThis(one) ? { ...entry, state: [chip("this push", "good"), " ", entry.state] } : entry
  }
}
