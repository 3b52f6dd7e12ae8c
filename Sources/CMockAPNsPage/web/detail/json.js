// The tab with the payload: as a tree, formatted, and as sent.

import { block, Choice, copyButton, count, h, note, plain, plainLines, router, sentence } from "../core/core.js"
import { bodyOf, sizeOf, whyNoBytes } from "./body.js"
import { JSONTree } from "./jsontree.js"
import { formatted, readJSON } from "./jsontext.js"
import { severityLook } from "./labels.js"

const FORMS = [
  { name: "tree", label: "Tree" },
  { name: "text", label: "Formatted" },
  { name: "sent", label: "As sent" },
]

/// The most values that are shown as a tree. A payload that APNs accepts has fewer, an imported one may have more.
const MOST_VALUES = 3_000

export function jsonTab(record, parameters) {
  const choice = new Choice("Format", FORMS, (name) => {
    router.go(router.here({ form: name === "tree" ? null : name }), { instead: true })
  })
  choice.value = choice.has(parameters.form) ? parameters.form : "tree"
  const body = bodyOf(record)
  const { values, failure } = readJSON(body.text)
  const isTree = choice.value === "tree" && !failure
  const tree = isTree && values.length <= MOST_VALUES ? new JSONTree(values, record) : null
  const text = failure || choice.value === "sent" ? body.text : formatted(body.text)
  const content = failure ? broken(record, text, failure) : [
    wholeLints(record),
    isTree && !tree ? note("", "help", `${count(values.length)} values are too many for a tree.`) : null,
    tree?.element ?? block(plainLines(text), "JSON"),
  ]
  // When the tree is on the page, because it scrolls to the value.
  if (parameters.at) queueMicrotask(() => tree?.reveal(parameters.at))
  return h("div.json-tab",
    h("div.bar", choice.element, sizeOf(body), tree ? folding(tree) : null, copyButton(text, "Copy JSON")),
    h("div.json-content", whyNoBytes(body) ?? content))
}

function folding(tree) {
  return h("span.bar",
    h("button.small.quiet", { onclick: () => tree.expand(() => true) }, "Expand all"),
    h("button.small.quiet", { onclick: () => tree.expand(({ depth }) => depth === 0) }, "Collapse"))
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
    const look = severityLook(lint)
    return note(look.tone, look.icon, plain(sentence(lint.message), 300))
  })
}
