// A JSON value as a tree. Its rows are a flat list without those of collapsed values, so deep payloads cost no more
// than others.

import { copyButton, counted, h, icon, pageLink, plain, replace, router } from "../core/core.js"
import { compacted } from "./jsontext.js"
import { severityLook } from "./labels.js"

/// What is expanded at first: values above this depth that have no more children than this.
const FIRST_DEPTH = 8
const FIRST_SIZE = 100
/// Levels that are indented. Deeper ones show their depth as a number.
const DEEPEST_INDENT = 12
const LONGEST = 300

export class JSONTree {
  #values
  #lints
  #open
  /// The values that have a row, from top to bottom.
  #shown
  #list = h("div.tree", {
    role: "tree",
    "aria-label": "Payload",
    onclick: (event) => this.#clicked(event),
    onkeydown: (event) => this.#pressed(event),
  })
  #bar = h("div.tree-bar", { role: "group", "aria-label": "Selected value" })
  element = h("div.tree-frame", this.#bar, this.#list)

  /// `values` are those of `readJSON`.
  constructor(values, record) {
    this.#values = values
    this.#lints = new Map(record.lints.map((lint) => [lint.pointer, lint]))
    this.expand(({ depth, size }) => depth < FIRST_DEPTH && size <= FIRST_SIZE)
  }

  /// Expands the values for which `isOpen` holds, and collapses the others.
  expand(isOpen) {
    this.#open = new Set(this.#values.filter(isOpen))
    this.#draw()
    this.#select(null)
  }

  /// Shows and selects the value at a JSON Pointer.
  reveal(pointer) {
    const value = this.#values.findLast((one) => one.pointer === pointer)
    if (!value) return
    for (let outer = value.parent; outer; outer = outer.parent) this.#open.add(outer)
    this.#draw()
    this.#select(value)
    this.#rowOf(value).scrollIntoView({ block: "center" })
  }

  #draw() {
    let deepest = Infinity
    this.#shown = this.#values.filter((value) => {
      if (value.depth > deepest) return false
      deepest = this.#open.has(value) ? Infinity : value.depth
      return true
    })
    replace(this.#list, this.#shown.map((value) => this.#row(value)))
  }

  #row(value) {
    const { depth, position, parent, size } = value
    const lint = parent && this.#lints.get(value.pointer)
    const look = lint && severityLook(lint)
    return h("div.tree-row", {
      role: "treeitem",
      tabindex: "-1",
      "aria-level": depth + 1,
      "aria-posinset": position,
      "aria-setsize": parent?.size ?? 1,
      "aria-expanded": size > 0 ? String(this.#open.has(value)) : null,
      "aria-selected": "false",
      style: { "--depth": Math.min(depth, DEEPEST_INDENT) },
    },
    h("span.twisty", { "aria-hidden": "true" }, size > 0 ? icon("down") : null),
    depth > DEEPEST_INDENT ? h("span.weak", `${depth}⟩ `) : null,
    nameOf(value, look),
    textOf(value),
    value.isRepeated ? h("span.chip.bad", icon("warning"), "duplicate name") : null,
    lint ? h("span.tree-lint", { class: look.tone }, icon(look.icon), plain(lint.message, 200)) : null)
  }

  // User input.

  #valueAt(target) { return this.#shown[[...this.#list.children].indexOf(target.closest(".tree-row"))] }

  #rowOf(value) { return this.#list.children[this.#shown.indexOf(value)] }

  #clicked({ target }) {
    const value = this.#valueAt(target)
    if (!value || String(getSelection()) !== "") return
    if (target.closest(".twisty")) this.#toggle(value)
    else this.#select(value)
  }

  #pressed(event) {
    const value = this.#valueAt(event.target)
    if (!value || event.ctrlKey || event.metaKey || event.altKey) return
    const isOpen = this.#open.has(value)
    const shown = this.#shown
    const at = shown.indexOf(value)
    const keys = {
      ArrowDown: () => this.#focus(shown[at + 1]),
      ArrowUp: () => this.#focus(shown[at - 1]),
      Home: () => this.#focus(shown[0]),
      End: () => this.#focus(shown.at(-1)),
      ArrowRight: () => (isOpen ? this.#focus(shown[at + 1]) : this.#toggle(value)),
      ArrowLeft: () => (isOpen && value.size > 0 ? this.#toggle(value) : this.#focus(value.parent)),
      Enter: () => this.#toggle(value),
      " ": () => this.#select(value),
    }
    if (!keys[event.key]) return
    event.preventDefault()
    event.stopPropagation()
    keys[event.key]()
  }

  #toggle(value) {
    if (value.size > 0) {
      if (!this.#open.delete(value)) this.#open.add(value)
      this.#draw()
    }
    this.#focus(value)
  }

  /// Selects a value, if there is one, and moves the focus to it.
  #focus(value) {
    if (!value) return
    this.#select(value)
    this.#rowOf(value).focus()
  }

  /// Selects a value or, for `null`, none; the root can then be focused.
  #select(value) {
    for (const row of this.#list.querySelectorAll('[tabindex="0"]')) {
      row.tabIndex = -1
      row.setAttribute("aria-selected", "false")
    }
    const row = this.#rowOf(value ?? this.#values[0])
    row.tabIndex = 0
    row.setAttribute("aria-selected", String(value !== null))
    replace(this.#bar, value ? tools(value) : h("span.weak", "Select a value to copy it or search for it."))
  }
}

/// The name of a member, underlined if it has a warning.
function nameOf({ name, parent }, look) {
  if (!parent) return null
  const tone = look ? `odd ${look.tone}` : ""
  return [h("span.tree-name.foreign", { class: `${parent.kind} ${tone}` }, plain(name, 120)), h("span.weak", ": ")]
}

/// A value on one line.
function textOf({ kind, source, isContainer, size }) {
  if (kind === "string") return h("span.foreign.string", plain(JSON.stringify(JSON.parse(source)), LONGEST))
  if (!isContainer) return h("span.foreign", { class: kind }, plain(source, 80))
  const [opening, closing] = kind === "object" ? "{}" : "[]"
  if (size === 0) return h("span.weak", opening + closing)
  const words = kind === "object" ? counted(size, "member") : counted(size, "entry", "entries")
  return h("span.weak", `${opening} ${words} ${closing}`)
}

/// The buttons for a value.
function tools({ pointer, kind, source, isContainer }) {
  const text = kind === "string" ? JSON.parse(source) : compacted(source)
  const { q } = router.route.parameters
  const link = (label, term) => {
    return pageLink("/", [icon("search"), label], { kind: "button small", q: q ? `${q} ${term}` : term })
  }
  const path = `payload:${quoted(pointer)}`
  const isFindable = !isContainer && source.length <= LONGEST
  return [
    h("code.foreign.tree-pointer", pointer === "" ? "the whole payload" : plain(pointer, 200)),
    copyButton(pointer, "Copy pointer"),
    copyButton(text, "Copy value"),
    pointer !== "" && isFindable ? link("Search value", `${path}=${quoted(text)}`) : null,
    pointer !== "" ? link("Search path", path) : null,
  ]
}

/// A text of the search language, quoted if necessary.
function quoted(text) {
  return /^[^\s"=()]+$/.test(text) ? text : `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
}
