// The tab with the payload: as a tree, formatted, and as sent.

import { copyButton } from "../core/actions.js"
import { Choice } from "../core/choice.js"
import { block, h, note, plain, plainLines, replace, sentence } from "../core/elements.js"
import { router } from "../core/router.js"
import { bodyOf, sizeOf, whyNoBytes } from "./body.js"
import { JSONTree } from "./jsontree.js"
import { readJSON, written } from "./jsontext.js"
import { SEVERITIES } from "./labels.js"

const FORMS = [
  { name: "tree", label: "Tree" },
  { name: "text", label: "Formatted" },
  { name: "sent", label: "As sent" },
]

export class JSONTab {
  element = h("div.json-tab")
  #choice
  #content = h("div.json-content")
  #facts = h("span")
  #body = null
  #parsed = null
  #shown = null
  #tree = null
  #folding = h("span.bar",
    h("button.small.quiet", { onclick: () => this.#tree?.unfold() }, "Expand all"),
    h("button.small.quiet", { onclick: () => this.#tree?.fold() }, "Collapse"))

  constructor() {
    this.#choice = new Choice("Format", FORMS, (name) => {
      router.go(router.here({ form: name === "tree" ? null : name }), { instead: true })
    })
    this.element.append(
      h("div.bar", this.#choice.element, this.#facts, this.#folding, copyButton(() => this.#text(), "Copy JSON")),
      this.#content
    )
  }

  show(record, parameters) {
    const isOther = this.#shown !== record.id
    this.#shown = record.id
    if (isOther) {
      this.#body = bodyOf(record)
      this.#parsed = readJSON(this.#body.text)
    }
    this.#choice.value = FORMS.some((row) => row.name === parameters.form) ? parameters.form : "tree"
    const body = this.#body
    this.#tree = null
    replace(this.#facts, sizeOf(body))
    const missing = whyNoBytes(body)
    if (missing) {
      replace(this.#content, missing)
    } else if (this.#parsed.failure) {
      this.#showBroken(record)
    } else if (this.#choice.value === "tree") {
      this.#tree = new JSONTree(this.#parsed.root, record)
      replace(this.#content, wholeLints(record), this.#tree.element)
      if (parameters.at) this.#tree.reveal(parameters.at)
    } else {
      replace(this.#content, wholeLints(record), block(plainLines(this.#text()), "JSON"))
    }
    this.#folding.hidden = this.#tree === null
  }

  #text() {
    const { root } = this.#parsed
    return root && this.#choice.value !== "sent" ? written(root) : this.#body.text
  }

  /// Shows a body that is not JSON and marks the error.
  #showBroken(record) {
    const { text } = this.#body
    const { at, expected, line, column } = this.#parsed.failure
    const rest = text.slice(at)
    const mark = rest === "" ? "the end" : rest[0]
    const isWarning = record.response.status === 200
    replace(this.#content,
      note(isWarning ? "warn" : "bad",
        "warning",
        [h("strong", "This is not JSON. "), `Line ${line}, column ${column}: expected ${expected}.`],
        isWarning ? h("p", "APNs accepts the push anyway, but the device shows nothing.") : null),
      block([
        plainLines(text.slice(0, at)),
        h("mark", { class: rest === "" ? "at-end" : null }, plainLines(mark)),
        plainLines(rest.slice(1)),
      ], "Body as sent"))
  }
}

/// The warnings about the payload as a whole, for example its nesting depth.
function wholeLints({ lints }) {
  return lints.filter(({ pointer }) => pointer === "").map((lint) => {
    const look = SEVERITIES[lint.severity] ?? SEVERITIES.info
    return note(look.tone, look.icon, plain(sentence(lint.message), 300))
  })
}
