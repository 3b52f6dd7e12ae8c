// The open push: its head and its tabs. Or two pushes, compared.

import {
  api, chip, emptyState, h, keepingFocus, pageLink, Problem, replace, router, showLoaded, soon, Tabs,
} from "../core/core.js"
import { checksTab } from "./checks.js"
import { comparison } from "./comparison.js"
import { Head } from "./head.js"
import { headersTab } from "./headers.js"
import { jsonTab } from "./json.js"
import { previewTab } from "./preview.js"
import { rawTab } from "./raw.js"
import { timelineTab } from "./timeline.js"

/// The tabs.
///
/// `draw(record, parameters)` returns the element of a tab; `parameters` are those of the URL. The selected tab is
/// redrawn when the part of the record that it `needs` changes, or a parameter that it `reads`.
const TABS = [
  { name: "preview", label: "Preview", draw: previewTab,
    needs: ({ delivery, response }) => [delivery, response.status], reads: ["view", "look", "language", "crop"] },
  { name: "json", label: "JSON", draw: jsonTab,
    needs: ({ lints }) => lints.filter((lint) => lint.pointer?.startsWith("/")), reads: ["form", "at"] },
  { name: "headers", label: "Headers", draw: headersTab, needs: ({ response }) => response },
  { name: "checks", label: "Checks", draw: checksTab,
    needs: ({ verdict, lints, faults }) => [verdict, lints, faults], mark: lintMark },
  { name: "timeline", label: "Timeline", draw: timelineTab,
    needs: ({ delivery, verdict, verifiedBy, faults }) => [delivery, verdict, verifiedBy, faults] },
  { name: "raw", label: "Raw", draw: rawTab },
]

/// The tab that a push opens on, unless the URL has one: what a device shows, or why it was rejected.
function firstTab({ response }) { return response.status === 200 ? "preview" : "checks" }

/// The shortest interval between two requests for a changing push (milliseconds).
const PAUSE = 300

export class Detail {
  /// The root element. Its parent scrolls and has a label.
  element = h("div.detail")
  #head = new Head()
  #tabs = new Tabs("About this push", TABS, (name) => {
    const tab = this.#record && name === firstTab(this.#record) ? null : name
    router.go(router.here({ tab, form: null, at: null }), { instead: true })
  })
  /// What the tabs show, by their names.
  #drawn = new Map()
  #id = null
  #parameters = {}
  /// What is requested, as text; `null` while the view is hidden.
  #asked = null
  /// The requested push; `null` until it is loaded.
  #record = null
  #wasHidden = false
  #loadSoon = soon(() => this.#load(), PAUSE)

  /// `id` is any push id of the API. `latest` follows the newest push that matches `q`. `parameters` are those of the
  /// URL; `other` compares the push with another one.
  show(id, parameters) {
    const q = id === "latest" ? parameters.q ?? "" : ""
    const asked = JSON.stringify([api.namespace, id, q, parameters.other ?? ""])
    this.#id = id
    this.#parameters = parameters
    if (asked === this.#asked) {
      if (this.#record) this.#render()
      return
    }
    this.#asked = asked
    this.#record = null
    this.#head.isLeaving = true
    this.#load()
  }

  /// Pins the open push, or removes its pin; returns whether a push is open.
  togglePin() {
    if (!this.#record) return false
    this.#head.togglePin()
    return true
  }

  hide() {
    this.#asked = null
    this.#record = null
    this.#wasHidden = true
  }

  /// Handles an event, which may be about this push.
  message(message) {
    if (!this.#asked || !message.type.startsWith("push.")) return
    if (this.#id === "latest" || message.data.id === this.#record?.id) this.#loadSoon()
  }

  /// Loads the push again. Gaps can be frequent, so with `isGap` requests are throttled.
  reload({ isGap = false } = {}) {
    if (isGap) this.#loadSoon()
    else this.#load()
  }

  #load() {
    const asked = this.#asked
    if (!asked) return undefined
    return showLoaded(this.element, () => this.#read(), (answer) => {
      return asked === this.#asked ? this.#loaded(answer) : undefined
    })
  }

  /// Resolves to the push, or to the error of one that does not exist.
  #read() {
    const { q, other } = this.#parameters
    if (this.#id === "latest" && !other) return api.get("/pushes/latest", { q }).catch(missing)
    const path = `/pushes/${encodeURIComponent(this.#id)}`
    return other ? api.get(`${path}/compare/${encodeURIComponent(other)}`) : api.get(path).catch(missing)
  }

  /// Shows an answer, or returns what to show.
  #loaded(answer) {
    if (this.#parameters.other) return comparison(answer)
    if (answer instanceof Problem) return this.#missed(answer)
    const isOther = answer.id !== this.#record?.id
    this.#record = answer
    this.#render()
    if (isOther) this.element.parentNode?.scrollTo(0, 0)
    // In the narrow layout the push replaces the list, so the focus was lost.
    if (this.#wasHidden && document.activeElement === document.body) this.#head.focus()
    this.#wasHidden = false
    return undefined
  }

  #render() {
    const record = this.#record
    if (this.#head.element.parentNode !== this.element) replace(this.element, this.#head.element, this.#tabs.element)
    this.#head.isLeaving = false
    this.#head.show(record, this.#id === "latest")
    for (const row of TABS) if (row.mark) this.#tabs.mark(row.name, ...row.mark(record))
    const wanted = this.#parameters.tab
    const name = this.#tabs.has(wanted) ? wanted : firstTab(record)
    this.#tabs.show(name)
    this.#drawTab(TABS.find((row) => row.name === name), record)
  }

  #drawTab({ name, draw, needs, reads = [] }, record) {
    const read = reads.map((parameter) => this.#parameters[parameter])
    const shown = JSON.stringify([record.id, record.namespace, needs?.(record), read])
    if (this.#drawn.get(name) === shown) return
    this.#drawn.set(name, shown)
    const panel = this.#tabs.panel(name)
    keepingFocus(panel, () => replace(panel, draw(record, this.#parameters)))
  }

  /// Returns why there is no push, with links to others. A push that was deleted stays, in its last known state.
  #missed(error) {
    const isLatest = this.#id === "latest"
    if (this.#record && !isLatest) {
      this.#head.gone()
      return undefined
    }
    this.#record = null
    const { q } = this.#parameters
    const isWaiting = isLatest && error.status === 404
    const title = isWaiting ? "Waiting for a push" : error.status === 404 ? "Push not found" : "Invalid push ID"
    const text = isWaiting ? `The next ${q ? "matching " : ""}push appears here automatically.` : error.text
    const links = h("p.bar",
      pageLink("/", q ? "Matching pushes" : "All pushes", { kind: "button", q }),
      isLatest ? null : pageLink("/latest", "Newest push", { kind: "button", q }))
    return h("div", { role: "status" }, emptyState(title, text, links))
  }
}

/// Returns the error about a push that does not exist, and throws any other.
function missing(error) {
  if (error.status === 404 || error.status === 400) return error
  throw error
}

/// The number of warnings, in the color of the most severe.
function lintMark(record) {
  if (record.lints.length === 0) return []
  const severities = record.lints.map((lint) => lint.severity)
  const tone = severities.includes("error") ? "bad" : severities.includes("warning") ? "warn" : ""
  const words = record.lints.length === 1 ? " warning" : " warnings"
  return [chip([String(record.lints.length), h("span.said", words)], tone)]
}
