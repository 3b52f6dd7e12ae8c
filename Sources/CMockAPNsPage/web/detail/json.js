// The tab with the payload: as a tree, formatted, and as sent.

import { copyButton } from "../core/actions.js"
import { Choice } from "../core/choice.js"
import { block, count, h, note, plain, plainLines, replace, sentence } from "../core/elements.js"
import { router } from "../core/router.js"
import { bodyOf, sizeOf, whyNoBytes } from "./body.js"
import { JSONTree } from "./jsontree.js"
import { formatted, readJSON } from "./jsontext.js"
import { SEVERITIES } from "./labels.js"

const FORMS = [
  { name: "tree", label: "Tree" },
  { name: "text", label: "Formatted" },
  { name: "sent", label: "As sent" },
]

/// The most values that are shown as a tree. A payload that APNs accepts has fewer, an imported one may have more.
const MOST_VALUES = 3_000

export class JSONTab {
  #choice = new Choice("Format", FORMS, (name) => {
    router.go(router.here({ form: name === "tree" ? null : name }), { instead: true })
  })
  #content = h("div.json-content")
  #size = h("span")
  #folding = h("span.bar",
    h("button.small.quiet", { onclick: () => this.#tree.expand(() => true) }, "Expand all"),
    h("button.small.quiet", { onclick: () => this.#tree.expand(({ depth }) => depth === 0) }, "Collapse"))
  #text = ""
  #tree = null
  element = h("div.json-tab",
    h("div.bar", this.#choice.element, this.#size, this.#folding, copyButton(() => this.#text, "Copy JSON")),
    this.#content)

  show(record, parameters) {
    const form = FORMS.some((row) => row.name === parameters.form) ? parameters.form : "tree"
    const body = bodyOf(record)
    const { values, failure } = readJSON(body.text)
    this.#choice.value = form
    this.#text = failure || form === "sent" ? body.text : formatted(body.text)
    const isTree = !failure && form === "tree" && values.length <= MOST_VALUES
    this.#tree = isTree ? new JSONTree(values, record) : null
    this.#folding.hidden = !isTree
    replace(this.#size, sizeOf(body))
    replace(this.#content, whyNoBytes(body) ?? (failure ? broken(record, body.text, failure) : [
      wholeLints(record),
      form === "tree" && !isTree
        ? note("", "help", `${count(values.length)} values are too many for a tree.`)
        : null,
      this.#tree?.element ?? block(plainLines(this.#text), "JSON"),
    ]))
    if (parameters.at) this.#tree?.reveal(parameters.at)
  }
}

/// A body that is not JSON, with a mark at the error.
function broken({ response }, text, { at, expected, line, column }) {
  const rest = text.slice(at)
  const isWarning = response.status === 200
  return [
    note(isWarning ? "warn" : "bad",
      "warning",
      [h("strong", "This is not JSON. "), `Line ${line}, column ${column}: expected ${expected}.`],
      isWarning ? h("p", "APNs accepts the push anyway, but the device shows nothing.") : null),
    block([
      plainLines(text.slice(0, at)),
      h("mark", { class: rest === "" ? "at-end" : null }, plainLines(rest === "" ? "the end" : rest[0])),
      plainLines(rest.slice(1)),
    ], "Body as sent"),
  ]
}

/// The warnings about the payload as a whole, for example its nesting depth.
function wholeLints({ lints }) {
  return lints.filter(({ pointer }) => pointer === "").map((lint) => {
    const look = SEVERITIES[lint.severity] ?? SEVERITIES.info
    return note(look.tone, look.icon, plain(sentence(lint.message), 300))
  })
}
