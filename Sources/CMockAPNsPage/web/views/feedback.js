// The feedback list: device tokens to which a provider must stop sending pushes.

import { Call } from "../core/api.js"
import { h, plain, replace, shortToken } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { emptyState } from "../core/parts.js"
import { Rows, refill } from "../core/rows.js"
import { count, counted, pushCount } from "../core/time.js"
import { timeElement } from "../core/time-element.js"
import { FEEDBACK_CAUSES } from "../core/vocabulary.js"
import { tokenPart } from "./parts/controls.js"
import { TableRow, cell, framedTable } from "./parts/table.js"
import { View } from "./parts/view.js"

/// The number of rows that are shown at first and added by “Show more”.
const PAGE = 200

const HEADINGS = ["Token", "Device", "Topic", "Cause", "Invalid since", "410 responses", "Pushes after first 410"]

export class FeedbackView extends View {
  #entries = []
  #shown = PAGE

  constructor(app) {
    super(app, {
      name: "feedback-view",
      title: "Feedback",
      about: "Device tokens that get 410. Providers must stop sending pushes to them.",
    })
    this.clear = app.actions.button("Clear list…", () => new Call("DELETE", "/feedback"), {
      ask: {
        title: "Clear the feedback list?",
        text: "The tokens stay invalid: pushes to them still get 410.",
        button: "Clear list",
      },
      onDone: (answer) => {
        app.toasts.show(`Cleared ${counted(answer.deleted, "token")}.`)
        this.refresh()
        this.heading.focus()
      },
    })
    this.tools.append(this.clear)
    this.body = h("tbody", { role: "rowgroup" })
    this.rows = new Rows(this.body, () => new FeedbackRow(app))
    const numbers = HEADINGS.slice(-2)
    const shape = { headings: HEADINGS, numbers, kind: "stacking feedback-table" }
    const { frame } = framedTable("Invalid device tokens", shape, this.body)
    this.summary = h("p", { class: "weak", role: "status" })
    this.more = h("button", { onclick: () => this.#showMore() }, "Show more")
    this.list = h("div", { class: "page-content" }, frame, h("div", { class: "list-foot" }, this.summary, this.more))
  }

  async load() {
    const { feedback } = await this.app.api.get("/feedback")
    this.#entries = feedback
    this.#fill()
  }

  message(message) {
    // Repeated 410 responses cause no feedback event.
    const { type } = message
    const isAgain = type === "push.responded" && this.isShown && message.data.status === 410
    if (type === "feedback.added" || isAgain) this.refreshSoon()
    else if (type === "device.changed") this.refreshSoon(1_500)
    else this.markStale()
  }

  forget() { this.rows.clear() }

  #fill() {
    const entries = this.#entries
    this.clear.hidden = entries.length === 0
    if (entries.length === 0) {
      replace(this.content, emptyState(
        "No invalid tokens",
        "When an app is uninstalled or gets a new token, or its device is offline for too long, pushes to the old "
          + "token get 410. The token is listed here with the pushes that the provider sent afterwards.",
        h("a", { class: "button", href: this.app.router.path("/devices") }, "Open devices")
      ))
      return
    }
    this.rows.set(entries.slice(0, this.#shown).map((entry) => [entry.token, entry]))
    const careless = entries.filter((entry) => entry.pushesAfterFirst410 > 0).length
    refill(this.summary, `${counted(entries.length, "token")}; ${careless
      ? `${count(careless)} with pushes after a 410`
      : "no pushes after a 410"}.`)
    this.more.hidden = entries.length <= this.#shown
    if (this.list.parentElement !== this.content) replace(this.content, this.list)
  }

  #showMore() {
    this.#shown += PAGE
    this.#fill()
  }
}

class FeedbackRow extends TableRow {
  fill(entry) {
    const { router } = this.app
    refill(this.device, entry.device, (label) => {
      if (label === null) return "–"
      const path = `/devices/${encodeURIComponent(`@${label}`)}`
      return h("a", { class: "foreign", href: router.path(path) }, plain(label, 60))
    })
    refill(this.topic, entry.topic === null ? "–" : plain(entry.topic, 120))
    refill(this.cause, FEEDBACK_CAUSES[entry.cause] ?? entry.cause)
    refill(this.since, entry.unregisteredAt, timeElement)
    refill(this.reported, [entry.reported410, entry.lastReportedAt], () => [
      count(entry.reported410),
      entry.lastReportedAt
        ? h("div", { class: "weak small-print" }, "last ", timeElement(entry.lastReportedAt, { isOfClock: true }))
        : null,
    ])
    refill(this.after, entry.pushesAfterFirst410, (pushes) => {
      if (pushes === 0) return h("span", { class: "weak" }, "none")
      return h("span", { class: "chip bad" }, icon("warning"), pushCount(pushes))
    })
  }

  make(entry) {
    const search = this.app.router.path("/", { q: `token:${entry.token}` })
    this.device = cell("Device")
    this.topic = cell("Topic", "foreign")
    this.cause = cell("Cause")
    this.since = cell("Invalid since")
    this.reported = cell("410 responses", "number")
    this.after = cell("Pushes after first 410", "number")
    const name = `Pushes to ${shortToken(entry.token)}`
    const pushes = h("a", { class: "small-print", href: search, "aria-label": name }, "View pushes")
    return [
      cell("Token", null, tokenPart(this.app, entry.token), " ", pushes),
      this.device, this.topic, this.cause, this.since, this.reported, this.after,
    ]
  }
}
