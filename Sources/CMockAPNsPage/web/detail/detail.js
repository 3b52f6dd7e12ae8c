// The open push: its head and its tabs.

import { api } from "../core/api.js"
import { chip, emptyState, h, keepingFocus, problemNote, replace } from "../core/elements.js"
import { router } from "../core/router.js"
import { soon } from "../core/soon.js"
import { Tabs } from "../core/tabs.js"
import { checksContent } from "./checks.js"
import { Comparison } from "./comparison.js"
import { Head } from "./head.js"
import { headersContent } from "./headers.js"
import { JSONTab } from "./json.js"
import { PreviewTab } from "./preview.js"
import { RawTab } from "./raw.js"
import { timelineContent } from "./timeline.js"

/// The tabs.
///
/// `draw(record)` returns the content of a tab. One with a state is a `Tab`, which has `element` and `show(record,
/// parameters)`. The selected tab is redrawn when the part of the record that it `needs` changes, or a URL parameter that
/// it `reads`.
const TABS = [
  { name: "preview", label: "Preview", Tab: PreviewTab,
    needs: ({ delivery, response }) => [delivery, response.status], reads: ["view", "look", "language", "crop"] },
  { name: "json", label: "JSON", Tab: JSONTab,
    needs: ({ lints }) => lints.filter((lint) => lint.pointer?.startsWith("/")), reads: ["form", "at"] },
  { name: "headers", label: "Headers", draw: headersContent, needs: ({ response }) => response },
  { name: "checks", label: "Checks", draw: checksContent,
    needs: ({ verdict, lints, faults }) => [verdict, lints, faults], mark: lintMark },
  { name: "timeline", label: "Timeline", draw: timelineContent,
    needs: ({ delivery, verdict, verifiedBy, faults }) => [delivery, verdict, verifiedBy, faults] },
  { name: "raw", label: "Raw", Tab: RawTab, needs: ({ response }) => response.status, reads: ["form"] },
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
  #comparison = new Comparison()
  #parts = new Map()
  #shownParts = new Map()
  /// The push that is requested; `null` while the view is hidden.
  #asked = null
  #id = null
  #parameters = {}
  #record = null
  #request = null
  #isShown = false
  #wasHidden = false
  #loadSoon = soon(() => this.#asked && this.#load(), PAUSE)

  /// `id` is any push id of the API. `latest` follows the newest push that matches `q`. `parameters` are those of the
  /// URL; `other` compares the push with another one.
  show(id, parameters) {
    if (parameters.other) {
      this.hide()
      if (this.#comparison.element.parentNode !== this.element) replace(this.element, this.#comparison.element)
      this.#comparison.show(id, parameters.other)
      return
    }
    this.#comparison.hide()
    const q = id === "latest" ? parameters.q ?? "" : ""
    const asked = JSON.stringify([api.namespace, id, q])
    this.#parameters = parameters
    if (asked === this.#asked) {
      this.#render()
      return
    }
    this.#asked = asked
    this.#isShown = false
    this.#id = id
    this.#load()
  }

  /// Pins the open push, or removes its pin; returns whether a push is open.
  togglePin() {
    if (!this.#isShown || !this.#record) return false
    this.#head.togglePin()
    return true
  }

  hide() {
    this.#asked = null
    this.#wasHidden = true
    this.#request?.abort()
  }

  /// Handles an event, which may be about this push.
  message(message) {
    if (!this.#asked || !message.type.startsWith("push.")) return
    if (this.#id === "latest" || message.data.id === this.#record?.id) this.#loadSoon()
  }

  /// Loads the push again. Gaps can be frequent, so with `isGap` requests are throttled.
  reload({ isGap = false } = {}) {
    if (!this.#asked) return
    if (isGap) this.#loadSoon()
    else this.#load()
  }

  async #load() {
    const asked = this.#asked
    this.#request?.abort()
    const request = new AbortController()
    this.#request = request
    this.element.setAttribute("aria-busy", "true")
    const isLatest = this.#id === "latest"
    const path = isLatest ? "/pushes/latest" : `/pushes/${encodeURIComponent(this.#id)}`
    try {
      const options = { signal: request.signal }
      const record = await api.get(path, isLatest ? { q: this.#parameters.q } : {}, options)
      if (this.#asked !== asked || this.#request !== request) return
      const isOther = record.id !== this.#record?.id
      this.#record = record
      this.#isShown = true
      this.#render()
      if (isOther) this.element.parentNode?.scrollTo(0, 0)
      // In the narrow layout the push replaces the list, so the focus was lost.
      if (this.#wasHidden && document.activeElement === document.body) this.#head.focus()
      this.#wasHidden = false
    } catch (error) {
      if (error.name === "AbortError" || this.#asked !== asked) return
      if (error.status === 404 && !isLatest && this.#isShown) {
        // Keep showing the last known state.
        this.#head.gone()
        return
      }
      this.#record = null
      if (error.status === 404 || error.status === 400) this.#showMissing(error, isLatest)
      else replace(this.element, problemNote(error, () => this.#load()))
    } finally {
      if (this.#request === request) this.element.removeAttribute("aria-busy")
    }
  }

  #render() {
    const record = this.#record
    if (!record) return
    if (!this.#tabs.element.isConnected || this.#head.element.parentNode !== this.element) {
      replace(this.element, this.#head.element, this.#tabs.element)
    }
    this.#head.show(record, this.#id === "latest")
    for (const row of TABS) if (row.mark) this.#tabs.mark(row.name, ...row.mark(record))
    const wanted = this.#parameters.tab
    const name = this.#tabs.has(wanted) ? wanted : firstTab(record)
    this.#tabs.show(name)
    this.#showPart(TABS.find((row) => row.name === name), record)
  }

  #showPart(row, record) {
    const panel = this.#tabs.panel(row.name)
    if (row.Tab && !this.#parts.has(row.name)) {
      this.#parts.set(row.name, new row.Tab())
      replace(panel, this.#parts.get(row.name).element)
    }
    const read = (row.reads ?? []).map((name) => this.#parameters[name] ?? null)
    const shown = JSON.stringify([record.id, record.namespace, row.needs(record), read])
    if (this.#shownParts.get(row.name) === shown) return
    this.#shownParts.set(row.name, shown)
    keepingFocus(panel, () => {
      if (row.draw) replace(panel, h("div", row.draw(record)))
      else this.#parts.get(row.name).show(record, this.#parameters)
    })
  }

  /// Shows why there is no push, with links to others.
  #showMissing(error, isLatest) {
    const { q } = this.#parameters
    const all = q ? "Matching pushes" : "All pushes"
    const isWaiting = isLatest && error.status === 404
    const title = isWaiting ? "Waiting for a push" : error.status === 404 ? "Push not found" : "Invalid push ID"
    const text = isWaiting
      ? `The next ${q ? "matching " : ""}push appears here automatically.`
      : error.text
    const links = h("p.bar",
      h("a.button", { href: router.path("/", { q }) }, all),
      isLatest ? null : h("a.button", { href: router.path("/latest", { q }) }, "Newest push"))
    replace(this.element, h("div", { role: "status" }, emptyState(title, text, links)))
  }
}

/// The number of warnings, in the color of the most severe.
function lintMark(record) {
  if (record.lints.length === 0) return []
  const severities = record.lints.map((lint) => lint.severity)
  const tone = severities.includes("error") ? "bad" : severities.includes("warning") ? "warn" : ""
  const words = record.lints.length === 1 ? " warning" : " warnings"
  return [chip([String(record.lints.length), h("span.said", words)], tone)]
}
