// The connections of providers: failures and warnings with their fixes first, then all connections.

import { h, plain, replace } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { emptyState } from "../core/parts.js"
import { Rows, refill } from "../core/rows.js"
import { count } from "../core/time.js"
import { Finding, findingsOf } from "./connections/finding.js"
import { ConnectionRow, HEADINGS } from "./connections/row.js"
import { framedTable } from "./parts/table.js"
import { View } from "./parts/view.js"

/// The number of connections shown at first, and the most that are shown.
const PAGE = 200
const MOST = 600
/// How often push counts are read while pushes arrive (milliseconds).
const COUNT = 1_000

export class ConnectionsView extends View {
  /// The connections by ID, newest last.
  #known = new Map()
  #changed = new Map()
  #waiting = new Map()
  #frame = 0
  #total = 0
  #isAtTop = true
  #counting = 0

  constructor(app) {
    super(app, {
      name: "connections-view",
      stops: "tbody th a",
      title: "Connections",
      about: "Provider connections, their TLS and HTTP/2 details, and why they ended.",
    })
    this.findings = h("div", { class: "findings" })
    this.findingRows = new Rows(this.findings, () => new Finding(app))
    this.findingSection = h("section", { class: "page-content" }, h("h2", {}, "Failures and warnings"), this.findings)
    this.body = h("tbody", { role: "rowgroup" })
    this.rows = new Rows(this.body, () => new ConnectionRow(app))
    this.newer = h("button", { class: "newer", hidden: true, onclick: () => this.#showWaiting() })
    this.top = h("div", { class: "top-mark" })
    new IntersectionObserver(([entry]) => { this.#isAtTop = entry.isIntersecting }).observe(this.top)
    this.summary = h("p", { class: "weak", role: "status" })
    this.table = h("section", { class: "page-content all-connections" },
      h("h2", {}, "All connections"), this.top, this.newer,
      framedTable("Connections, newest first",
        { headings: HEADINGS, numbers: ["Pushes"], kind: "stacking connections-table" }, this.body).frame,
      this.summary)
  }

  async load() {
    const page = await this.app.api.get("/connections", { limit: PAGE })
    this.#known = new Map(page.connections.toReversed().map((one) => [one.id, one]))
    this.#waiting.clear()
    this.#total = page.total
    this.rows.set(page.connections.map((one) => [one.id, one]))
    this.#draw()
    this.draw()
  }

  draw() {
    const id = this.parameters.connection
    for (const key of this.rows.keys()) this.rows.get(key).select(key === id)
    if (!id || !this.isShown) return
    const row = this.rows.get(id)
    if (row) {
      row.element.scrollIntoView({ block: "center" })
      row.focus()
    } else {
      const words = `Connection ${plain(id, 40)} is not one of the newest ${count(PAGE)}.`
      this.app.toasts.show(words, { isProblem: true })
    }
  }

  forget() {
    this.rows.clear()
    this.findingRows.clear()
  }

  message(message) {
    const { type } = message
    if (!this.isShown) {
      if (type.startsWith("connection.")) this.markStale()
      return
    }
    if (type === "connection.opened" || type === "connection.closed") this.#changed.set(message.data.id, message.data)
    else if (type === "push.received") this.#counting ||= setTimeout(() => this.#count(), COUNT)
    else return
    this.#frame ||= requestAnimationFrame(() => this.#flush())
  }

  #flush() {
    this.#frame = 0
    for (const [id, connection] of this.#changed) {
      const isNew = !this.#known.has(id)
      this.#known.set(id, connection)
      if (isNew) this.#total += 1
      if (this.rows.get(id)) this.rows.put(id, connection)
      else this.#waiting.set(id, connection)
    }
    this.#changed.clear()
    while (this.#known.size > MOST) {
      const oldest = this.#known.keys().next().value
      this.#known.delete(oldest)
      this.#waiting.delete(oldest)
    }
    if (this.#waiting.size && this.#isAtTop && !this.body.contains(document.activeElement)) this.#showWaiting()
    this.#draw()
  }

  #showWaiting() {
    for (const [id, connection] of this.#waiting) {
      if (!this.#known.has(id)) continue
      this.rows.put(id, connection, { first: true })
    }
    this.#waiting.clear()
    const keys = this.rows.keys()
    if (keys.length > MOST) for (const id of keys) if (!this.#known.has(id)) this.rows.remove(id)
    this.#draw()
  }

  #draw() {
    const all = [...this.#known.values()]
    if (all.length === 0) {
      replace(this.content, emptyState(
        "No connections yet",
        "Every provider connection appears here. Failed TLS handshakes are listed with the cause and how to fix it.",
        listenerLine(this.app.info)
      ))
      return
    }
    const findings = findingsOf(all)
    this.findingSection.hidden = findings.length === 0
    this.findingRows.set(findings.map((finding) => [finding.key, finding]))
    this.newer.hidden = this.#waiting.size === 0
    refill(this.newer, this.#waiting.size, (number) => [icon("up"), `${count(number)} new`])
    const open = all.filter((one) => one.state === "open").length
    refill(this.summary, `${count(this.rows.size)} of ${count(this.#total)} shown; ${count(open)} open.`)
    if (this.table.parentElement !== this.content) replace(this.content, this.findingSection, this.table)
  }

  /// Reads the push counts. Pushes cause no connection event.
  async #count() {
    const { namespace } = this.app.api
    try {
      const { connections } = await this.app.api.get("/connections", { limit: PAGE })
      if (this.isShown && namespace === this.app.api.namespace) {
        for (const one of connections) if (this.#known.has(one.id)) this.#changed.set(one.id, one)
        this.#flush()
      }
    } catch {
      // The old counts stay until the next push. The header shows that the server is not responding.
    }
    this.#counting = 0
  }
}

function listenerLine(info) {
  const urls = info?.listeners?.map((listener) => listener.url) ?? []
  return urls.length ? h("p", {}, "Connect a provider to ", h("code", {}, urls.join(", "))) : null
}
