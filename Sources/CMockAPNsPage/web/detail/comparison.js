// Two pushes side by side: their differences, and what is the same.

import { api } from "../core/api.js"
import { columns, counted, facts, h, part, plain, problemNote, replace, timeElement, valueOf } from "../core/elements.js"
import { router } from "../core/router.js"
import { verdictOf } from "../pushes/row.js"
import { comparePath } from "./compare-dialog.js"

/// The parts of a push, by the kind of a value.
const PARTS = {
  response: "Response", delivery: "Delivery", request: "Request", auth: "Authentication", header: "Headers",
  payload: "Payload",
}

export class Comparison {
  element = h("div.comparison")
  #shown = null

  async show(id, other) {
    const shown = JSON.stringify([api.namespace, id, other])
    if (shown === this.#shown) return
    this.#shown = shown
    try {
      const answer = await api.get(`/pushes/${encodeURIComponent(id)}/compare/${encodeURIComponent(other)}`)
      if (shown === this.#shown) replace(this.element, this.#content(answer))
    } catch (error) {
      if (shown !== this.#shown) return
      this.#shown = null
      replace(this.element, problemNote(error, () => this.show(id, other)))
    }
  }

  hide() { this.#shown = null }

  #content({ left, right, differences, moreDifferences, same, moreSame }) {
    const names = [`#${left.seq}`, `#${right.seq}`]
    return [
      h("div.head-line",
        h("h2", { tabindex: "-1" }, `Compare ${names[0]} with ${names[1]}`),
        h("a.button.small", { href: router.path(comparePath(right.id, left.id)) }, "Swap")),
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
        moreSame ? h("p.weak", `${counted(moreSame, "value")} more.`) : null),
    ]
  }
}

function pushPart(push) {
  const { kind, status, words } = verdictOf(push)
  return h("div.compared-push",
    h("p", h("a", { href: router.path(`/p/${encodeURIComponent(push.id)}`) }, `#${push.seq}`), " ",
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
