// Two pushes side by side: their differences, and what is the same.

import { h, plain, replace } from "../core/dom.js"
import { columns, part, problemNote, valueOf } from "../core/parts.js"
import { counted } from "../core/time.js"
import { timeElement } from "../core/time-element.js"
import { comparePath } from "./compare-dialog.js"
import { compared } from "./differences.js"
import { headline, verdictLook, verdictWords } from "./labels.js"

/// The parts of a push, by the first word of a value's place.
const PARTS = { response: "Response", headers: "Headers", payload: "Payload" }

/// The most equal values that are listed.
const MOST_SAME = 200

export class Comparison {
  element = h("div", { class: "comparison" })
  #app
  #shown = null

  constructor(app) { this.#app = app }

  async show(id, other) {
    const { api } = this.#app
    const shown = JSON.stringify([api.namespace, id, other])
    if (shown === this.#shown) return
    this.#shown = shown
    try {
      const [left, right] = await Promise.all([id, other].map((one) => api.get(`/pushes/${encodeURIComponent(one)}`)))
      if (shown === this.#shown) replace(this.element, this.#content(left, right))
    } catch (error) {
      if (shown !== this.#shown) return
      this.#shown = null
      replace(this.element, problemNote(error, () => this.show(id, other)))
    }
  }

  hide() { this.#shown = null }

  #content(left, right) {
    const { differences, same } = compared(left, right)
    const names = [`#${left.seq}`, `#${right.seq}`]
    const rowsOf = (name) => differences.filter(({ at }) => at.startsWith(`${name}/`))
    return [
      h("div", { class: "head-line" },
        h("h2", { tabindex: "-1" }, `Compare ${names[0]} with ${names[1]}`),
        h("a", { class: "button small", href: this.#app.router.path(comparePath(right.id, left.id)) }, "Swap")),
      h("div", { class: "compared" }, [left, right].map((record) => this.#push(record))),
      differences.length === 0 ? h("p", {}, "No differences.") : null,
      Object.entries(PARTS).map(([name, words]) => {
        const rows = rowsOf(name)
        return rows.length ? part(`${words}: ${counted(rows.length, "difference")}`, table(rows, names)) : null
      }),
      same.length === 0 ? null : h("details", {}, h("summary", {}, `Same in both: ${counted(same.length, "value")}`),
        h("dl", { class: "values" }, same.slice(0, MOST_SAME).map(({ at, left: value }) => h(
          "div", {}, h("dt", {}, h("code", { class: "foreign" }, plain(at, 120))), h("dd", {}, valueOf(value)))))),
    ]
  }

  #push(record) {
    const href = this.#app.router.path(`/p/${encodeURIComponent(record.id)}`)
    return h(
      "div",
      { class: "compared-push" },
      h("p", {}, h("a", { href }, `#${record.seq}`), " ",
        h("strong", { class: verdictLook(record).tone }, plain(verdictWords(record)))),
      h("p", { class: "foreign one-line" }, plain(headline(record).text, 120)),
      h("p", { class: "weak" }, timeElement(record.receivedAt))
    )
  }
}

function table(rows, names) {
  return h("div", { class: "table-frame" }, h(
    "table",
    { class: "differences" },
    columns(["Place", ...names]),
    h("tbody", {}, rows.map(({ at, left, right }) => h(
      "tr",
      {},
      h("th", { scope: "row" }, h("code", { class: "foreign" }, plain(at.slice(at.indexOf("/") + 1), 200))),
      [left, right].map((value, position) => h("td", { data: { side: names[position] } }, valueOf(value, 600)))
    )))
  ))
}
