// Accessible tables that scroll in a frame.

import { h } from "../../core/dom.js"

/// A cell whose heading is its label when rows become cards.
export function cell(label, kind = null, ...children) {
  return h("td", { role: "cell", class: kind, "data-label": label }, children)
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
