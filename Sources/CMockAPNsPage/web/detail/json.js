// The payload as a tree that folds, as formatted text, and as it was sent.

import { copyButton } from "../core/actions.js"
import { Choice } from "../core/choice.js"
import { h, plainLines, replace } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { bodyOf } from "./body.js"
import { JSONTree } from "./jsontree.js"
import { readJSON, written } from "./jsontext.js"
import { chip } from "./parts.js"

const FORMS = [
  { name: "tree", label: "Tree" },
  { name: "text", label: "Formatted" },
  { name: "sent", label: "As sent" },
]

export class JSONTab {
  element = h("div", { class: "json-tab" })
  #app
  #choice
  #content = h("div", { class: "json-content" })
  #facts = h("span", { class: "weak" })
  #body = null
  #parsed = null
  #shown = null

  constructor(app) {
    this.#app = app
    this.#choice = new Choice("Form", FORMS, (name) => {
      app.router.go(app.router.here({ form: name === "tree" ? null : name }), { instead: true })
    })
    this.element.append(
      h("div", { class: "bar" }, this.#choice.element, this.#facts, copyButton(() => this.#text(), "Copy JSON")),
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
    replace(this.#facts, `${body.size} bytes`, body.isUTF8 ? null : [" ", chip("not UTF-8", "bad", "warning")])
    if (!body.isWhole) {
      replace(this.#content, h("p", { class: "note warn-note" }, `The body had ${body.size} bytes, too many to keep.`))
    } else if (body.bytes.length === 0) {
      replace(this.#content, h("p", { class: "weak" }, "The body is empty."))
    } else if (this.#parsed.failure) {
      this.#showBroken(record)
    } else if (this.#choice.value === "tree") {
      replace(this.#content, new JSONTree(this.#app, this.#parsed.root, record).element)
    } else {
      const text = this.#choice.value === "text" ? written(this.#parsed.root) : body.text
      replace(this.#content, block(plainLines(text), this.#choice.value === "text" ? "Formatted JSON" : "Body as sent"))
    }
  }

  #text() { return this.#parsed?.root && this.#choice.value !== "sent" ? written(this.#parsed.root) : this.#body.text }

  /// A text that is no JSON, with a mark at the place from which on it is none.
  #showBroken(record) {
    const { text } = this.#body
    const { at, expected, line, column } = this.#parsed.failure
    const rest = text.slice(at)
    const mark = rest === "" ? "the end" : rest[0]
    const isWarning = record.response.status === 200
    replace(
      this.#content,
      h(
        "div",
        { class: `note ${isWarning ? "warn-note" : "bad-note"}` },
        h("p", {}, icon("warning"), h("span", {}, h("strong", {}, "This is not JSON. "),
          `Line ${line}, column ${column}: expected ${expected}.`)),
        isWarning ? h("p", {}, "APNs takes it all the same, and the device shows nothing.") : null
      ),
      block([
        plainLines(text.slice(0, at)),
        h("mark", { class: rest === "" ? "at-end" : null }, plainLines(mark)),
        plainLines(rest.slice(1)),
      ], "Body as sent")
    )
  }
}

function block(content, name) {
  return h("pre", { class: "block foreign", tabindex: "0", role: "region", "aria-label": name }, h("code", {}, content))
}
