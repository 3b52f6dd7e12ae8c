// The table of channels, filtered by the server.

import { copyable } from "../../core/actions.js"
import { channelPart, STORAGE } from "../../core/channels.js"
import { h, plain, replace } from "../../core/dom.js"
import { icon } from "../../core/icons.js"
import { emptyState } from "../../core/parts.js"
import { Rows, refill } from "../../core/rows.js"
import { count } from "../../core/time.js"
import { timeElement } from "../../core/time-element.js"
import { environmentWords } from "../../core/vocabulary.js"
import { copyIcon } from "../parts/controls.js"
import { TableRow, cell, framedTable, rowActions, rowHead } from "../parts/table.js"
import { deleteButton } from "./dialogs.js"

const HEADINGS = ["Channel", "App", "Environment", "Stores", "Subscribers", "Stored message", "Created", "Actions"]
const FIRST_COMMAND = "mock-apns channels create com.example.app"
/// The number of channels shown at first, and the most that one request returns.
const PAGE = 100
const MOST = 1_000

export class ChannelList {
  #app
  #makeButton
  #filter = ""
  #limit = PAGE

  /// `makeButton(kind)` returns a button that creates a channel.
  constructor(app, { makeButton, onDeleted }) {
    this.#app = app
    this.#makeButton = makeButton
    this.body = h("tbody", { role: "rowgroup" })
    this.rows = new Rows(this.body, () => new ChannelRow(app, onDeleted))
    const shape = { headings: HEADINGS, numbers: ["Subscribers"], kind: "stacking channels-table" }
    this.frame = framedTable("Broadcast channels", shape, this.body).frame
    this.summary = h("p", { class: "weak", role: "status" })
    this.more = h("button", { onclick: () => this.#showMore() }, "Show more")
    this.foot = h("div", { class: "list-foot" }, this.summary, this.more)
    this.element = h("div", { class: "page-content" })
  }

  forget() { this.rows.clear() }

  async load({ q: filter }) {
    if (filter !== this.#filter) this.#limit = PAGE
    this.#filter = filter
    const { channels, matched } = await this.#app.api.get("/channels", { q: filter, limit: this.#limit })
    if (filter !== this.#filter) return
    this.rows.set(channels.map((channel) => [channel.id, channel]))
    const hint = matched > MOST && channels.length === MOST ? " Filter by app to see the others." : ""
    refill(this.summary, `${count(channels.length)} of ${count(matched)} shown.${hint}`)
    this.more.hidden = channels.length >= Math.min(matched, MOST)
    if (channels.length === 0) this.#drawEmpty()
    else if (this.frame.parentElement !== this.element) replace(this.element, this.frame, this.foot)
  }

  focus(id) { this.rows.get(id)?.link.focus() }

  async #showMore() {
    this.#limit = Math.min(this.#limit * 4, MOST)
    try {
      await this.load({ q: this.#filter })
    } catch (error) {
      this.#app.toasts.problem(error)
    }
  }

  #drawEmpty() {
    replace(this.element, this.#filter
      ? emptyState("No matching channels", "No app or channel ID contains this text.")
      : emptyState(
        "No channels yet",
        "A provider creates a channel, devices subscribe to it, and one broadcast updates the Live Activities of all "
          + "of them. Create a channel here, or with this command:",
        copyable(FIRST_COMMAND, "Copy command", "Command that creates a channel"),
        this.#makeButton("primary")
      ))
  }
}

class ChannelRow extends TableRow {
  #onDeleted
  #channel = null

  constructor(app, onDeleted) {
    super(app)
    this.#onDeleted = onDeleted
  }

  fill(channel) {
    this.#channel = channel
    refill(this.subscribers, count(channel.metrics.uniqueSubscribers))
    refill(this.stored, channel.stored, (stored) => storedPart(this.app, stored))
  }

  make(channel) {
    this.#channel = channel
    const { id, bundleId, environment, storagePolicy, createdAt } = channel
    const { router } = this.app
    this.link = h("a", { class: "channel-name", href: router.path(`/channels/${channelPart(id)}`) }, h("code", {}, id))
    this.subscribers = cell("Subscribers", "number")
    this.stored = cell("Stored message")
    return [
      rowHead(null, h("span", { class: "token" }, this.link, copyIcon(this.app, id, `channel ID ${id}`))),
      cell("App", "foreign", plain(bundleId, 120)),
      cell("Environment", null, environmentWords(environment)),
      cell("Stores", null, STORAGE[storagePolicy]),
      this.subscribers,
      this.stored,
      cell("Created", null, timeElement(createdAt, { isOfClock: true })),
      rowActions(deleteButton(this.app, () => this.#channel, "small", () => this.#onDeleted())),
    ]
  }
}

/// A link to the stored message with its expiration.
export function storedPart(app, stored) {
  if (!stored) return h("span", { class: "weak" }, "none")
  const href = app.router.path(`/p/${encodeURIComponent(stored.push)}`)
  return [
    h("a", { class: "chip wait", href }, icon("stored"), "View message"),
    h("div", { class: "small-print weak" }, "expires ", timeElement(stored.until, { isOfClock: true })),
  ]
}
