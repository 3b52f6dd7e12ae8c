// The connections of providers: failures and warnings with their fixes first, then all connections.

import { api, count, emptyState, h, icon, plain, redraw, refill, Rows, toasts } from "../core/core.js"
import { COLUMNS } from "./connections/columns.js"
import { findingPart, findingsOf } from "./connections/finding.js"
import { Table } from "./parts/table.js"
import { View } from "./parts/view.js"

/// The number of connections that are shown.
const MOST = 200

export class ConnectionsView extends View {
  /// The API's response, and the connections in the table, which may be behind.
  #page = null
  #shown = []
  #selected = null

  constructor() {
    super({
      name: "connections-view",
      title: "Connections",
      about: "Provider connections, their TLS and HTTP/2 details, and why they ended.",
      // Push counts cause no connection event.
      events: /^connection\.|^push\.received$/,
      pause: 300,
    })
    this.findings = h("div.findings")
    this.findingRows = new Rows(this.findings, ({ tone }) => {
      const element = h("article.finding", { class: tone })
      return { element, update: (finding) => redraw(element, findingPart(finding)) }
    })
    this.findingSection = h("section.page-content", h("h2", "Failures and warnings"), this.findings)
    this.newer = h("button.newer.primary", { hidden: true, onclick: () => this.#show(this.#page.connections) })
    this.table = new Table("Connections, newest first", COLUMNS, { kind: "stacking connections-table" })
    this.section = h("section.page-content", h("h2", "All connections"), this.newer, this.table.element)
    const urls = api.info.listeners.map((listener) => listener.url)
    this.empty = emptyState("No connections yet",
      "Every provider connection appears here. Failed TLS handshakes are listed with the cause and how to fix it.",
      urls.length ? h("p", "Connect a provider to ", h("code", urls.join(", "))) : null)
  }

  async load() {
    this.#page = await api.get("/connections", { limit: MOST })
    const { connections } = this.#page
    const { frame } = this.table
    const top = (element) => element.getBoundingClientRect().top
    const isScrolled = () => top(frame) < top(this.element.parentElement)
    const isInUse = frame.isConnected && (isScrolled() || frame.contains(document.activeElement))
    // New rows would move the table while it is in use.
    const known = new Map(connections.map((one) => [one.id, one]))
    this.#show(isInUse ? this.#shown.map((one) => known.get(one.id) ?? one) : connections)
  }

  /// Marks the connection of the URL, and moves to it once.
  draw() {
    const { rows } = this.table
    const { connection: id = null } = this.parameters
    for (const one of rows.keys()) rows.get(one).element.ariaSelected = one === id ? "true" : null
    if (!this.isShown || id === this.#selected) return
    this.#selected = id
    if (id === null) return
    const row = rows.get(id)
    if (row) {
      row.element.scrollIntoView({ block: "center" })
      row.focus()
    } else {
      const words = `Connection ${plain(id, 40)} is not one of the newest ${count(MOST)}.`
      toasts.show(words, { isProblem: true })
    }
  }

  hide() {
    super.hide()
    this.#selected = null
  }

  #show(shown) {
    this.#shown = shown
    const { connections, total, open } = this.#page
    this.table.show(shown, `${count(shown.length)} of ${count(total)} shown; ${count(open)} open.`)
    const newer = connections.filter(({ id }) => !this.table.rows.get(id)).length
    this.newer.hidden = newer === 0
    refill(this.newer, newer, (number) => [icon("up"), `${count(number)} new`])
    const findings = findingsOf(connections.toReversed())
    this.findingSection.hidden = findings.length === 0
    this.findingRows.set(findings.map((finding) => [finding.key, finding]))
    this.place(...shown.length ? [this.findingSection, this.section] : [this.empty])
    this.draw()
  }
}
