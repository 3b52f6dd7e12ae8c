// The lists of pushes on a device's page.

import { appPart, chip, h, plain, pushLink, redraw, refill, Rows, stateLook, timeElement } from "../../core/core.js"
import { headline, wordsWithoutText } from "../../detail/labels.js"
import { panel } from "../parts/entry-page.js"

/// The most entries of a list that are shown.
export const MOST = 200

/// A list with a heading and a note. `entryOf(item)` returns the content of an entry: `{topic, thread, at, lines,
/// state}`, with its title as the first of the `lines`.
export class EntryList {
  #note = h("p.weak")
  #rows

  constructor(title, entryOf) {
    const list = h("ul.notifications")
    this.element = panel(title, this.#note, list)
    this.heading = this.element.firstChild
    this.#rows = new Rows(list, () => {
      const element = h("li.notification")
      return { element, update: (item) => redraw(element, entryPart(item, entryOf(item))) }
    })
  }

  show(note, items) {
    refill(this.#note, note)
    this.#rows.set(items.slice(0, MOST).map((item) => [item.push, item]))
  }
}

function entryPart({ push, seq }, { topic, thread = null, at, lines: [title, ...texts], state }) {
  return [
    h("div.notification-head.weak",
      appPart(topic, "one-line"),
      thread ? chip(plain(thread, 40), "foreign one-line") : null,
      at),
    title === null ? null : h("div.notification-title.foreign", plain(title)),
    texts.map((text) => (text === null ? null : h("div.foreign", plain(text, 600)))),
    h("div.notification-foot", pushLink(push, `#${seq}`), h("span.weak", state)),
  ]
}

/// A notification in Notification Center.
export function notificationEntry({ topic, threadId, deliveredAt, title, subtitle, body, reaction }) {
  const at = timeElement(deliveredAt, { isOfClock: true })
  return { topic, thread: threadId, at, lines: [title, subtitle, body], state: reaction?.summary ?? "" }
}

/// A broadcast that the device got, or that is stored for it.
export function broadcastEntry({ bundleId, sentAt, title, body, event, state }) {
  const line = title ?? body ?? wordsWithoutText("liveactivity", event)
  return { topic: bundleId, at: timeElement(sentAt, { isOfClock: true }), lines: [line], state: stateLook(state).words }
}

/// A push that is stored for the device.
export function storedEntry(record) {
  const { apns, receivedAt, service, delivery, until } = record
  const state = [
    service === "broadcast" ? "Broadcast" : stateLook(delivery.state).words,
    until ? [" · expires ", timeElement(until, { isOfClock: true })] : null,
  ]
  return { topic: apns.topic ?? apns.bundleId, at: timeElement(receivedAt), lines: [headline(record).text], state }
}
