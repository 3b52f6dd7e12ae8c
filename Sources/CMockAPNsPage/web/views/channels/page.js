// One channel: its counts, its stored message and its subscribers.

import {
  actions, api, appPart, broadcastsOf, channelPart, chip, count, environmentWords, facts, h, icon, pageLink, plain,
  pushLink, redraw, STORAGE, timeElement,
} from "../../core/core.js"
import { copyIcon } from "../parts/controls.js"
import { activityTable } from "../parts/activities.js"
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
  #about = h("div")
  #counts = h("div")
  #stored = h("div")
  #subscribers = new Table("Subscribers of the channel", this.#columns(), {
    key: ({ device }) => device,
    empty: () => h("p.weak", "None. Subscribe a device, or start a Live Activity with input-push-channel on it."),
  })
  #subscribersPanel = panel("Subscribers", this.#subscribers.element)
  #activities
  #activitiesPanel

  constructor(view) {
    super(view)
    this.#activities = activityTable({ onDone: () => view.refresh(), showsDevice: true })
    this.#activitiesPanel = panel("Live Activities", this.#activities.element)
    this.element.append(
      h("div.entry-columns",
        panel("About", this.#about), panel("Metrics", this.#counts), panel("Stored message", this.#stored)),
      this.#subscribersPanel, this.#activitiesPanel)
  }

  async show(part) {
    const { view } = this
    const channel = await api.get(`/channels/${channelPart(part)}`)
    const { id, metrics, stored, storagePolicy, subscribers, activities } = channel
    this.item = channel
    this.drawHead(id, copyIcon(id, "the channel ID"),
      h("button.primary", { onclick: () => subscribeDevice(this.item, () => view.refresh()) }, "Subscribe device…"),
      pageLink("/", "View broadcasts", { kind: "button", q: broadcastsOf(channel) }),
      deleteButton(this, "", () => view.removed()))
    redraw(this.#about, facts([
      ["App", appPart(channel.bundleId)],
      ["Environment", environmentWords(channel.environment)],
      ["Stored for offline devices", STORAGE[storagePolicy]],
      ["Created", timeElement(channel.createdAt, { isOfClock: true })],
    ]))
    redraw(this.#counts, facts(METRICS.map(([name, label, meaning]) => [
      label, [h("strong", count(metrics[name])), " ", h("span.weak.small-print", meaning)]])))
    redraw(this.#stored, stored ? storedPart(stored) : h("p.weak", storagePolicy === 0
      ? "This channel stores no messages: a device that is offline misses a broadcast."
      : "None. The newest broadcast is stored here unless its apns-expiration is 0."))
    this.#activitiesPanel.hidden = activities.length === 0
    this.#activities.show(activities)
    const total = metrics.uniqueSubscribers
    this.#subscribers.show(subscribers, total > subscribers.length
      ? `The first ${count(subscribers.length)} of ${count(total)}.` : "")
  }

  #columns() {
    return [
      { label: "Device", isHead: true, isBare: true, show: ({ device, label }) => pageLink(
        `/devices/${encodeURIComponent(device)}`, label ? `@${plain(label, 100)}` : device,
        { kind: "channel-name foreign" }) },
      { label: "State", show: ({ state }) => (state === "online" ? chip("Online", "good") : chip("Offline")) },
      { label: "Last broadcast", show: ({ waiting, lastDelivered, label, device }) => {
        if (waiting) return chip("Stored", "wait", "stored")
        if (!lastDelivered) return h("span.weak", "none")
        return pushLink(lastDelivered, "View", { name: `View the last broadcast to ${label ?? device}` })
      } },
      { label: "Actions", kind: "row-actions", isBare: true, show: ({ device, label }) => actions.button(
        "Unsubscribe",
        () => subscription("DELETE", this.item, device),
        { kind: "small", name: `Unsubscribe ${label ?? device}`, onDone: () => {
          this.#subscribersPanel.firstChild.focus()
          this.view.refresh()
        } }) },
    ]
  }
}

/// A link to the stored message with its expiration.
export function storedPart(stored) {
  if (!stored) return h("span.weak", "none")
  return [
    pushLink(stored.push, [icon("stored"), "View message"], { kind: "chip wait" }),
    h("div.small-print.weak", "expires ", timeElement(stored.until, { isOfClock: true })),
  ]
}
