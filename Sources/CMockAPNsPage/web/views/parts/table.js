// Accessible tables that scroll in a frame.

import { h, replace } from "../../core/dom.js"

/// A cell whose heading is its label when rows become cards.
export function cell(label, kind = null, ...children) {
  return h("td", { role: "cell", class: kind, "data-label": label }, children)
}

/// The first cell of a row, which names it.
export function rowHead(label, ...children) {
  return h("th", { scope: "row", role: "rowheader", "data-label": label }, children)
}

/// The cell with the buttons of a row.
export function rowActions(...children) { return h("td", { role: "cell", class: "row-actions" }, children) }

/// A row of a table.
///
/// A subclass implements `make(item)`, which is called once and returns the cells, and `fill(item)`, which shows an
/// item in them.
export class TableRow {
  #isMade = false

  constructor(app, kind = null) {
    this.app = app
    this.element = h("tr", { role: "row", class: kind })
  }

  update(item) {
    if (!this.#isMade) replace(this.element, this.make(item))
    this.#isMade = true
    this.fill(item)
  }

  fill() {}
}

/// A table in its frame: `{frame, table}`.
///
/// `caption` is the table's label and `numbers` the `headings` of numeric columns. `kind` is its class: with
/// `stacking`, rows become cards in a narrow window. The roles are explicit because a row with another layout would
/// lose its own.
export function framedTable(caption, { headings, numbers = [], kind = "stacking" }, ...bodies) {
  const cells = headings.map((text) => {
    return h("th", { scope: "col", role: "columnheader", class: numbers.includes(text) ? "number" : null }, text)
  })
  const table = h(
    "table",
    { class: kind, role: "table" },
    h("caption", { class: "said" }, caption),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, cells)),
    ...bodies
  )
  const frame = h("div", { class: "table-frame", tabindex: "0", role: "region", "aria-label": caption }, table)
  return { frame, table }
}
