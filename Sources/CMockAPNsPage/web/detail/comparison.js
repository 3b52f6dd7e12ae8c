// Two pushes side by side: their differences, and what is the same.

import { columns, counted, facts, h, pageLink, part, plain, pushLink, timeElement, valueOf } from "../core/core.js"
import { verdictOf } from "../pushes/row.js"
import { comparePath } from "./compare-dialog.js"

/// The parts of a push, by the kind of a value.
const PARTS = {
  response: "Response", delivery: "Delivery", request: "Request", auth: "Authentication", header: "Headers",
  payload: "Payload",
}

/// Shows the API's comparison of two pushes.
export function comparison({ left, right, differences, moreDifferences, same, moreSame }) {
  const names = [`#${left.seq}`, `#${right.seq}`]
  return h("div.comparison",
    h("div.head-line",
      h("h2", { tabindex: "-1" }, `Compare ${names[0]} with ${names[1]}`),
      pageLink(comparePath(right.id, left.id), "Swap", { kind: "button small" })),
    h("div.compared", [left, right].map(pushPart)),
    differences.length === 0 ? h("p", "No differences.") : null,
    Object.entries(PARTS).map(([kind, words]) => {
      const rows = differences.filter((row) => row.kind === kind)
      return rows.length ? part(`${words}: ${counted(rows.length, "difference")}`, table(rows, names)) : null
    }),
    moreDifferences ? h("p", `${counted(moreDifferences, "difference")} more.`) : null,
    same.length === 0 ? null : h("details",
      h("summary", `Same in both: ${counted(same.length + moreSame, "value")}`),
      facts(same.map(({ kind, name, value }) => [
        place(kind === "payload" ? name : `${kind} ${name}`), valueOf(value ?? undefined)])),
      moreSame ? h("p.weak", `${counted(moreSame, "value")} more.`) : null))
}

function pushPart(push) {
  const { kind, status, words } = verdictOf(push)
  return h("div.compared-push",
    h("p", pushLink(push.id, `#${push.seq}`), " ",
      h("strong", { class: kind }, plain(`${status} ${words || "Accepted"}`))),
    h("p.foreign.one-line", plain(push.title ?? push.body ?? push.pushType, 120)),
    h("p.weak", timeElement(push.receivedAt)))
}

function place(name) { return h("code.foreign", plain(name || "whole body", 200)) }

function table(rows, names) {
  const cell = (value, position) => h("td", { data: { side: names[position] } }, valueOf(value ?? undefined, 600))
  return h("div.table-frame",
    h("table.differences", columns(["Place", ...names]), h("tbody", rows.map(({ name, left, right }) => h("tr",
      h("th", { scope: "row" }, place(name)),
      [left, right].map(cell))))))
}
