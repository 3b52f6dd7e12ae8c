// Accessible tables that are described by their columns, and updated in place.

import { api, h, redraw, refill, replace, Rows } from "../../core/core.js"

/// A row of a table.
///
/// `columns` describe its cells: `{label, kind, isHead, isBare, show}`. `show(item, row)` returns what a cell shows,
/// whose listeners may look at the newest `item` of the row. `kind` is the cell's class. The label is shown when rows
/// become cards, unless the cell `isBare`. The cell that names the row `isHead`.
export class TableRow {
  #cells
  #shown = null

  constructor(columns, item, kind = null) {
    this.item = item
    this.element = h("tr", { role: "row", class: kind })
    this.#cells = columns.map(({ label, kind, isHead, isBare, show }) => {
      const roles = isHead ? { scope: "row", role: "rowheader" } : { role: "cell" }
      const cell = h(isHead ? "th" : "td", { ...roles, class: kind, "data-label": isBare ? null : label })
      this.element.append(cell)
      return { cell, show }
    })
  }

  update(item) {
    this.item = item
    // Links contain the namespace.
    const shown = JSON.stringify([api.namespace, item])
    if (shown === this.#shown) return
    this.#shown = shown
    for (const { cell, show } of this.#cells) redraw(cell, show(item, this))
  }

  /// Focuses the link that names the row.
  focus() { this.element.querySelector("a[href]")?.focus({ preventScroll: true }) }
}

/// A table in a frame that scrolls, with a line of summary, or what is shown if it is empty.
///
/// `caption` is the table's label and `kind` its class: with `stacking`, rows become cards in a narrow window.
/// `key(item)` identifies a row and `makeRow(item)` creates it. `empty()` returns what is shown without rows. `onMore`
/// handles the button for more. The roles are explicit because a row with another layout would lose its own.
export class Table {
  #key
  #empty

  constructor(caption, columns, { kind = "stacking", key = ({ id }) => id, empty = null, onMore = null,
    makeRow = null } = {}) {
    this.#key = key
    this.#empty = empty
    const cells = columns.map(({ label, kind }) => {
      const isAtEnd = kind === "number" || kind === "row-actions"
      return h("th", { scope: "col", role: "columnheader", class: isAtEnd ? kind : null }, label)
    })
    const body = makeRow ? null : h("tbody", { role: "rowgroup" })
    const table = h("table", { class: kind, role: "table" },
      h("caption.said", caption),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, cells)),
      body)
    this.rows = new Rows(body ?? table, makeRow ?? ((item) => new TableRow(columns, item)), body ? 0 : 2)
    this.frame = h("div.table-frame", { tabindex: "0", role: "region", "aria-label": caption }, table)
    this.summary = h("p.weak", { role: "status" })
    this.more = h("button", { hidden: true, onclick: onMore }, "Show more")
    this.foot = h("div.list-foot", this.summary, this.more)
    this.element = h("div.page-content")
  }

  /// Shows exactly these items, with a summary below them, and the button for more.
  show(items, summary = "", hasMore = false) {
    this.rows.set(items.map((item) => [this.#key(item), item]))
    refill(this.summary, summary)
    this.foot.hidden = summary === ""
    this.more.hidden = !hasMore
    if (items.length === 0 && this.#empty) redraw(this.element, this.#empty())
    else if (this.frame.parentElement !== this.element) replace(this.element, this.frame, this.foot)
  }

  focus(key) { this.rows.get(key)?.focus() }
}
