// One channel: its counts, its stored message and its subscribers.

import { broadcastsOf, channelPart, shortChannel, STORAGE } from "../../core/channels.js"
import { h, plain, replace } from "../../core/dom.js"
import { chip, fact } from "../../core/parts.js"
import { Rows, refill } from "../../core/rows.js"
import { count } from "../../core/time.js"
import { timeElement } from "../../core/time-element.js"
import { environmentWords } from "../../core/vocabulary.js"
import { backLink, copyIcon } from "../parts/controls.js"
import { TableRow, cell, framedTable, rowActions, rowHead } from "../parts/table.js"
import { deleteButton, subscribeDevice, subscription } from "./dialogs.js"
import { storedPart } from "./list.js"

/// The counts in the words of Apple's console, with what they mean.
const METRICS = [
  ["published", "Published", "accepted broadcasts"],
  ["delivered", "Delivered", "devices reached, counted for each broadcast"],
  ["subscriptions", "Subscriptions", "how often devices subscribed"],
  ["uniqueSubscribers", "Unique subscribers", "devices subscribed now"],
]

const HEADINGS = ["Device", "State", "Last broadcast", "Actions"]

export class ChannelDetail {
  #app
  #onBack
  #onChanged
  #channel = null

  /// `onBack()` returns to the table, and `onChanged()` reloads after a change of the subscribers.
  constructor(app, { onBack, onChanged }) {
    this.#app = app
    this.#onBack = onBack
    this.#onChanged = onChanged
    this.heading = h("h2", { class: "foreign channel-id", tabindex: "-1" })
    this.copy = h("span", {})
    this.buttons = h("div", { class: "page-tools" })
    this.metrics = h("dl", { class: "fact-list" })
    this.stored = h("div", {})
    this.facts = h("dl", { class: "fact-list" })
    this.subscribersHeading = h("h2", { tabindex: "-1" }, "Subscribers")
    this.note = h("p", { class: "weak", role: "status" })
    this.body = h("tbody", { role: "rowgroup" })
    this.rows = new Rows(this.body, () => new SubscriberRow(app, () => this.#channel, () => {
      this.subscribersHeading.focus()
      onChanged()
    }))
    this.frame = framedTable("Subscribers of the channel", { headings: HEADINGS }, this.body).frame
    this.element = h(
      "div",
      { class: "device-detail" },
      h("div", { class: "device-head" },
        (this.back = backLink("All channels", () => this.#onBack())),
        this.heading, this.copy, this.buttons),
      h("div", { class: "device-columns" },
        h("section", { class: "panel" }, h("h2", {}, "About"), this.facts),
        h("section", { class: "panel" }, h("h2", {}, "Metrics"), this.metrics),
        h("section", { class: "panel" }, h("h2", {}, "Stored message"), this.stored)),
      h("section", { class: "panel" }, this.subscribersHeading, this.note, this.frame)
    )
  }

  get id() { return this.#channel?.id ?? null }

  /// Whether a device is listed as subscriber.
  has(device) { return Boolean(this.#channel && this.rows.get(device)) }

  async show(part) {
    const channel = await this.#app.api.get(`/channels/${channelPart(part)}`)
    const isOther = this.#channel?.id !== channel.id
    this.#channel = channel
    if (isOther) this.#begin(channel)
    this.#draw(channel)
  }

  focus() { this.heading.focus({ preventScroll: true }) }

  forget() {
    this.#channel = null
    this.rows.clear()
  }

  #begin(channel) {
    const { router, toasts } = this.#app
    this.back.href = router.path("/channels")
    replace(this.heading, channel.id)
    replace(this.copy, copyIcon(this.#app, channel.id, "the channel ID"))
    replace(
      this.buttons,
      h("button", {
        class: "primary",
        onclick: () => subscribeDevice(this.#app, this.#channel, () => this.#onChanged()),
      }, "Subscribe device…"),
      h("a", { class: "button", href: router.path("/", { q: broadcastsOf(channel) }) }, "View broadcasts"),
      deleteButton(this.#app, () => this.#channel, "", () => {
        toasts.show(`Deleted channel ${shortChannel(channel.id)}.`)
        this.#onBack()
      })
    )
    replace(
      this.facts,
      fact("App", h("span", { class: "foreign" }, plain(channel.bundleId, 120))),
      fact("Environment", environmentWords(channel.environment)),
      fact("Stored for offline devices", STORAGE[channel.storagePolicy]),
      fact("Created", timeElement(channel.createdAt, { isOfClock: true }))
    )
  }

  #draw({ metrics, stored, storagePolicy, subscribers }) {
    refill(this.metrics, metrics, () => METRICS.map(([name, label, meaning]) => fact(
      label, h("strong", {}, count(metrics[name])), " ", h("span", { class: "weak small-print" }, meaning)
    )))
    refill(this.stored, [stored, storagePolicy], () => (stored
      ? storedPart(this.#app, stored)
      : h("p", { class: "weak" }, storagePolicy === 0
        ? "This channel stores no messages: a device that is offline misses a broadcast."
        : "None. The newest broadcast is stored here unless its apns-expiration is 0.")))
    const total = metrics.uniqueSubscribers
    refill(this.note, [total, subscribers.length], () => (total > subscribers.length
      ? `The first ${count(subscribers.length)} of ${count(total)}.`
      : total ? "" : "None. Subscribe a device, or start a Live Activity with input-push-channel on it."))
    this.note.hidden = !this.note.textContent
    this.frame.hidden = total === 0
    this.rows.set(subscribers.map((one) => [one.device, one]))
  }
}

class SubscriberRow extends TableRow {
  #channel
  #onRemoved

  constructor(app, channel, onRemoved) {
    super(app)
    this.#channel = channel
    this.#onRemoved = onRemoved
  }

  fill(one) {
    const { router } = this.app
    const name = one.label ?? one.device
    refill(this.link, one.label ? `@${plain(one.label, 100)}` : one.device)
    refill(this.state, one.state, () => (one.state === "online" ? chip("Online", "good") : chip("Offline")))
    refill(this.last, [one.waiting, one.lastDelivered], () => {
      if (one.waiting) return chip("Stored", "wait", "stored")
      if (!one.lastDelivered) return h("span", { class: "weak" }, "none")
      const href = router.path(`/p/${encodeURIComponent(one.lastDelivered)}`)
      return h("a", { href, "aria-label": `View the last broadcast to ${name}` }, "View")
    })
    this.remove.setAttribute("aria-label", `Unsubscribe ${name}`)
  }

  make({ device }) {
    const href = this.app.router.path(`/devices/${encodeURIComponent(device)}`)
    this.link = h("a", { class: "channel-name foreign", href })
    this.state = cell("State")
    this.last = cell("Last broadcast")
    this.remove = this.app.actions.button(
      "Unsubscribe",
      () => subscription("DELETE", this.#channel(), device),
      { kind: "small", onDone: () => this.#onRemoved() }
    )
    return [rowHead(null, this.link), this.state, this.last, rowActions(this.remove)]
  }
}
