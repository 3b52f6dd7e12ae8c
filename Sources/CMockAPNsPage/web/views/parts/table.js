// Tables that can be read by those who listen, and scroll in a frame of their own where they have no room.

import { h } from "../../core/dom.js"

/// A table in its frame: `{frame, table}`.
///
/// `caption` says what it is; `numbers` are those of the `headings` over numbers; `kind` is its class: `stacking` for
/// rows that become cards. The roles are said, since a row that is laid out as a card would lose its own.
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
