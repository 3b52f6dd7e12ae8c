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
  #facts = h("span")
  #body = null
  #parsed = null
  #shown = null
  #tree = null
  #folding = h("span.bar",
    h("button.small.quiet", { onclick: () => this.#tree.expand(() => true) }, "Expand all"),
    h("button.small.quiet", { onclick: () => this.#tree.expand(({ depth }) => depth === 0) }, "Collapse"))
  element = h("div.json-tab",
    h("div.bar", this.#choice.element, this.#facts, this.#folding, copyButton(() => this.#text, "Copy JSON")),
    this.#content)

  show(record, parameters) {
    if (this.#shown !== record.id) {
      this.#shown = record.id
      this.#body = bodyOf(record)
      this.#parsed = readJSON(this.#body.text)
    }
    this.#choice.value = FORMS.some((row) => row.name === parameters.form) ? parameters.form : "tree"
    this.#tree = null
    replace(this.#facts, sizeOf(this.#body))
    replace(this.#content, whyNoBytes(this.#body)
      ?? (this.#parsed.failure ? this.#broken(record) : [wholeLints(record), this.#form(record)]))
    this.#folding.hidden = this.#tree === null
    if (parameters.at) this.#tree?.reveal(parameters.at)
  }

  #form(record) {
    const { values } = this.#parsed
    if (this.#choice.value !== "tree") return block(plainLines(this.#text), "JSON")
    if (values.length > MOST_VALUES) {
      const why = note("", "help", `${count(values.length)} values are too many for a tree.`)
      return [why, block(plainLines(this.#text), "JSON")]
    }
    this.#tree = new JSONTree(values, record)
    return this.#tree.element
  }

  get #text() {
    const { text } = this.#body
    return this.#parsed.failure || this.#choice.value === "sent" ? text : formatted(text)
  }

  /// Shows a body that is not JSON and marks the error.
  #broken(record) {
    const { text } = this.#body
    const { at, expected, line, column } = this.#parsed.failure
    const rest = text.slice(at)
    const mark = rest === "" ? "the end" : rest[0]
    const isWarning = record.response.status === 200
    return [
      note(isWarning ? "warn" : "bad",
        "warning",
        [h("strong", "This is not JSON. "), `Line ${line}, column ${column}: expected ${expected}.`],
        isWarning ? h("p", "APNs accepts the push anyway, but the device shows nothing.") : null),
      block([
        plainLines(text.slice(0, at)),
        h("mark", { class: rest === "" ? "at-end" : null }, plainLines(mark)),
        plainLines(rest.slice(1)),
      ], "Body as sent"),
    ]
  }
}

/// The warnings about the payload as a whole, for example its nesting depth.
function wholeLints({ lints }) {
  return lints.filter(({ pointer }) => pointer === "").map((lint) => {
    const look = SEVERITIES[lint.severity] ?? SEVERITIES.info
    return note(look.tone, look.icon, plain(sentence(lint.message), 300))
  })
}
