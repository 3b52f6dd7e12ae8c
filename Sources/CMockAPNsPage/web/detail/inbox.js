// The current Notification Center of the device that a push was sent to.

import { api } from "../core/api.js"
import { chip, h, icon, keepingFocus, plain, problemNote, replace, timeOfDay } from "../core/elements.js"
import { router } from "../core/router.js"

/// The most notifications that are listed.
const MOST = 20
/// The shortest interval between two requests (milliseconds).
const PAUSE = 500

export class Inbox {
  element
  #content = h("div")
  #record = null
  #timer = 0
  /// How long the last request took. The server reads every push to the device for it.
  #took = 0
  #turn = 0

  constructor() {
    this.element = h("details.inbox", { ontoggle: () => this.#load() },
      h("summary", icon("device"), "Notification Center now"),
      this.#content)
  }

  /// `isOther` means that another push is shown than before.
  show(record, isOther) {
    this.#record = record
    this.element.hidden = record.apns.token === null || record.response.status !== 200
    if (isOther) replace(this.#content)
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
      if (turn === this.#turn) keepingFocus(this.#content, () => this.#show(inbox, record))
    } catch (error) {
      if (turn === this.#turn) replace(this.#content, problemNote(error, () => this.#load()))
    }
  }

  #show({ notifications, badge, note }, record) {
    const { length } = notifications
    const isMissing = length > 0 && !notifications.some((one) => one.push === record.id)
    replace(this.#content,
      h("p.weak",
        length === 0 ? "Notification Center is empty." : `${length} in Notification Center.`,
        badge === null ? null : ` The badge is ${badge}.`,
        isMissing ? " This push is not one of them." : null,
        note ? ` ${note}` : null),
      h("ul.inbox-list", notifications.filter((one, at) => at < MOST || one.push === record.id).map((one) => this.#row(one, record))),
      length > MOST ? h("p.weak", `The newest ${MOST} are listed.`) : null)
  }

  #row(one, record) {
    const isThis = one.push === record.id
    const title = one.title ?? one.subtitle ?? one.body ?? "(no text)"
    const words = h("strong.foreign.one-line", plain(title, 100))
    const address = router.path(`/p/${encodeURIComponent(one.push)}`)
    const isTitled = one.title !== null && one.body !== null
    const body = isTitled ? h("span.foreign.one-line", plain(one.body, 160)) : null
    return h("li", { class: isThis ? "this" : null },
      h("div", isThis ? words : h("a", { href: address }, words), body),
      one.threadId === null ? null : chip(plain(one.threadId, 40)),
      isThis ? chip("this push", "good") : null,
      h("time.weak", { datetime: one.deliveredAt }, timeOfDay(one.deliveredAt).slice(0, 8)))
  }
}
