// One channel: its counts, its stored message and its subscribers.

import { broadcastsOf, channelPart, shortChannel, STORAGE } from "../../core/channels.js"
import { chip, count, fact, h, icon, plain, redraw, timeElement } from "../../core/elements.js"
import { environmentWords } from "../../core/vocabulary.js"
import { copyIcon, pageLink, pushLink } from "../parts/controls.js"
import { EntryPage, panel } from "../parts/entry-page.js"
import { Table } from "../parts/table.js"
import { deleteButton, subscribeDevice, subscription } from "./dialogs.js"

/// The counts in the words of Apple's console, with what they mean.
const METRICS = [
  ["published", "Published", "accepted broadcasts"],
  ["delivered", "Delivered", "devices reached, counted for each broadcast"],
  ["subscriptions", "Subscriptions", "how often devices subscribed"],
  ["uniqueSubscribers", "Unique subscribers", "devices subscribed now"],
]

export class ChannelPage extends EntryPage {
  /// `view` is the `CollectionView` of the channels.
  constructor(view) {
    const facts = h("dl.fact-list")
    const metrics = h("dl.fact-list")
    const stored = h("div")
    super(view, "channel", h("div.entry-columns",
      panel("About", facts), panel("Metrics", metrics), panel("Stored message", stored)))
    Object.assign(this, { facts, metrics, stored })
    this.subscribers = new Table("Subscribers of the channel", this.#columns(), {
      key: ({ device }) => device,
      empty: () => h("p.weak", "None. Subscribe a device, or start a Live Activity with input-push-channel on it."),
    })
    this.subscribersPanel = panel("Subscribers", this.subscribers.element)
    this.element.append(this.subscribersPanel)
  }

  async show(part) {
    const { app, view } = this
    const channel = await app.api.get(`/channels/${channelPart(part)}`)
    const { id, metrics, stored, storagePolicy, subscribers } = channel
    this.item = channel
    this.drawHead(id, copyIcon(app, id, "the channel ID"),
      h("button.primary", {
        onclick: () => subscribeDevice(app, this.item, () => view.refresh()),
      }, "Subscribe device…"),
      pageLink(app, "/", "View broadcasts", { kind: "button", q: broadcastsOf(channel) }),
      deleteButton(app, this, "", () => {
        app.toasts.show(`Deleted channel ${shortChannel(id)}.`)
        view.toList()
      }))
    redraw(this.facts,
      fact("App", h("span.foreign", plain(channel.bundleId, 120))),
      fact("Environment", environmentWords(channel.environment)),
      fact("Stored for offline devices", STORAGE[storagePolicy]),
      fact("Created", timeElement(channel.createdAt, { isOfClock: true })))
    redraw(this.metrics, METRICS.map(([name, label, meaning]) => fact(
      label, h("strong", count(metrics[name])), " ", h("span.weak.small-print", meaning))))
    redraw(this.stored, stored ? storedPart(app, stored) : h("p.weak", storagePolicy === 0
      ? "This channel stores no messages: a device that is offline misses a broadcast."
      : "None. The newest broadcast is stored here unless its apns-expiration is 0."))
    const total = metrics.uniqueSubscribers
    this.subscribers.show(subscribers, total > subscribers.length
      ? `The first ${count(subscribers.length)} of ${count(total)}.` : "")
  }

  forget() {
    super.forget()
    this.subscribers.forget()
  }

  #columns() {
    const { app } = this
    return [
      { label: "Device", isHead: true, isBare: true, show: ({ device, label }) => pageLink(
        app, `/devices/${encodeURIComponent(device)}`, label ? `@${plain(label, 100)}` : device,
        { kind: "channel-name foreign" }) },
      { label: "State", show: ({ state }) => (state === "online" ? chip("Online", "good") : chip("Offline")) },
      { label: "Last broadcast", show: ({ waiting, lastDelivered, label, device }) => {
        if (waiting) return chip("Stored", "wait", "stored")
        if (!lastDelivered) return h("span.weak", "none")
        return pushLink(app, lastDelivered, "View", { name: `View the last broadcast to ${label ?? device}` })
      } },
      { label: "Actions", kind: "row-actions", isBare: true, show: ({ device, label }) => app.actions.button(
        "Unsubscribe",
        () => subscription("DELETE", this.item, device),
        { kind: "small", name: `Unsubscribe ${label ?? device}`, onDone: () => {
          this.subscribersPanel.firstChild.focus()
          this.view.refresh()
        } }) },
    ]
  }
}

/// A link to the stored message with its expiration.
export function storedPart(app, stored) {
  if (!stored) return h("span.weak", "none")
  return [
    pushLink(app, stored.push, [icon("stored"), "View message"], { kind: "chip wait" }),
    h("div.small-print.weak", "expires ", timeElement(stored.until, { isOfClock: true })),
  ]
}
