// The feedback list: device tokens that a provider has to stop pushing to.

import { Call } from "../core/api.js"
import { h, plain, replace, shortToken } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { Rows, refill } from "../core/rows.js"
import { count } from "../core/time.js"
import { when } from "../core/when.js"
import { tokenPart } from "./parts/controls.js"
import { framedTable } from "./parts/table.js"
import { View, emptyState } from "./parts/view.js"

/// Why a token is dead, by the API's names.
const CAUSES = {
  uninstalled: "The app was uninstalled",
  rotated: "The app has a new token",
  expired: "The token expired",
  inactive: "The device was offline for too long",
  fault: "A fault, or the token itself, asked for 410",
}

/// Rows shown at first, and more at a time.
const PAGE = 200

const HEADINGS = ["Token", "Device", "Topic", "Cause", "Dead since", "410s answered", "Pushes after the first 410"]

export class FeedbackView extends View {
  #entries = []
  #shown = PAGE

  constructor(app) {
    super(app, {
      name: "feedback-view",
      title: "Feedback",
      about: "Device tokens that are answered 410. A provider has to stop pushing to them.",
    })
    this.clear = app.actions.button("Clear the list…", () => new Call("DELETE", "/feedback"), {
      ask: {
        title: "Clear the feedback list?",
        text: "The tokens stay dead: pushes to them are answered 410 all the same.",
        button: "Clear the list",
      },
      onDone: (answer) => {
        app.toasts.show(`Took ${count(answer.deleted)} from the list.`)
        this.renew()
        this.heading.focus()
      },
    })
    this.tools.append(this.clear)
    this.body = h("tbody", { role: "rowgroup" })
    this.rows = new Rows(this.body, () => new FeedbackRow(app))
    const numbers = HEADINGS.slice(-2)
    const shape = { headings: HEADINGS, numbers, kind: "stacking feedback-table" }
    const { frame } = framedTable("Dead device tokens", shape, this.body)
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
    // Of 410s that are answered again, the list says nothing by itself.
    const { type } = message
    const isAgain = type === "push.responded" && this.isShown && message.data.status === 410
    if (type === "feedback.added" || isAgain) this.renewSoon()
    else if (type === "device.changed") this.renewSoon(1_500)
    else this.grewOld()
  }

  forget() { this.rows.clear() }

  #fill() {
    const entries = this.#entries
    this.clear.hidden = entries.length === 0
    if (entries.length === 0) {
      replace(this.content, emptyState(
        "No dead tokens",
        "When an app is uninstalled, gets a new token, or its device is offline for too long, pushes to the old "
          + "token are answered 410, and the token stands here with what the provider did about it.",
        h("a", { class: "button", href: this.app.router.path("/devices") }, "Uninstall an app on a device")
      ))
      return
    }
    this.rows.set(entries.slice(0, this.#shown).map((entry) => [entry.token, entry]))
    const careless = entries.filter((entry) => entry.pushesAfterFirst410 > 0).length
    const tokens = entries.length === 1 ? "1 token" : `${count(entries.length)} tokens`
    refill(this.summary, `${tokens}; ${careless
      ? `to ${count(careless)} of them the provider went on pushing`
      : "the provider heeded each 410 that it got"}.`)
    this.more.hidden = entries.length <= this.#shown
    if (this.list.parentElement !== this.content) replace(this.content, this.list)
  }

  #showMore() {
    this.#shown += PAGE
    this.#fill()
  }
}

class FeedbackRow {
  #app
  #made = false

  constructor(app) {
    this.#app = app
    this.element = h("tr", { role: "row" })
  }

  update(entry) {
    if (!this.#made) this.#make(entry)
    const { router } = this.#app
    refill(this.device, entry.device, (label) => {
      if (label === null) return "–"
      const path = `/devices/${encodeURIComponent(`@${label}`)}`
      return h("a", { class: "foreign", href: router.path(path) }, plain(label, 60))
    })
    refill(this.topic, entry.topic === null ? "–" : plain(entry.topic, 120))
    refill(this.cause, CAUSES[entry.cause] ?? entry.cause)
    refill(this.since, entry.unregisteredAt, when)
    refill(this.reported, [entry.reported410, entry.lastReportedAt], () => [
      count(entry.reported410),
      entry.lastReportedAt
        ? h("div", { class: "weak small-print" }, "last ", when(entry.lastReportedAt, { isOfClock: true }))
        : null,
    ])
    refill(this.after, entry.pushesAfterFirst410, (pushes) => {
      if (pushes === 0) return h("span", { class: "weak" }, "none")
      const words = pushes === 1 ? "1 push too many" : `${count(pushes)} pushes too many`
      return h("span", { class: "chip bad" }, icon("warning"), words)
    })
  }

  #make(entry) {
    this.#made = true
    const search = this.#app.router.path("/", { q: `token:${entry.token}` })
    const cell = (label, kind = null) => h("td", { role: "cell", class: kind, "data-label": label })
    this.device = cell("Device")
    this.topic = cell("Topic", "foreign")
    this.cause = cell("Cause")
    this.since = cell("Dead since")
    this.reported = cell("410s answered", "number")
    this.after = cell("Pushes after the first 410", "number")
    const name = `Pushes to ${shortToken(entry.token)}`
    const pushes = h("a", { class: "small-print", href: search, "aria-label": name }, "Pushes")
    replace(
      this.element,
      h("td", { role: "cell", "data-label": "Token" }, tokenPart(this.#app, entry.token), " ", pushes),
      this.device, this.topic, this.cause, this.since, this.reported, this.after
    )
  }
}
