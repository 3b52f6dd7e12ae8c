// A JSON value as a tree. The rows are a flat list, and collapsed values have no rows, so deep payloads cost no more
// than others.

import { copyButton } from "../core/actions.js"
import { counted, h, icon, plain, replace } from "../core/elements.js"
import { router } from "../core/router.js"
import { SEVERITIES } from "./labels.js"

/// The most rows that are expanded at first, and the depth.
const FIRST_ROWS = 150
const FIRST_DEPTH = 8
/// Rows of one object or array before “more” has to be clicked.
const PAGE = 200
/// The most values that “Expand all” expands.
const MOST_ROWS = 2_000
/// Levels that are indented. Deeper ones show their depth as a number.
const DEEPEST_INDENT = 12
const LONGEST = 300

export class JSONTree {
  element
  #root
  #lints
  #list = h("div.tree", { role: "tree", "aria-label": "Payload" })
  #bar = h("div.tree-bar", { role: "group", "aria-label": "Selected value" })
  #rows = new Map()
  #values = new WeakMap()
  #open = new Set()
  #chosen = null

  constructor(root, record) {
    this.#root = root
    this.#lints = new Map(record.lints.filter((lint) => lint.pointer !== null).map((lint) => [lint.pointer, lint]))
    this.element = h("div.tree-frame", this.#bar, this.#list)
    this.#list.addEventListener("click", (event) => this.#clicked(event))
    this.#list.addEventListener("keydown", (event) => this.#pressed(event))
    this.#unfold(FIRST_ROWS, FIRST_DEPTH)
  }

  /// Expands everything, up to a limit.
  unfold() { this.#unfold(MOST_ROWS, Infinity) }

  /// Collapses all but the first level.
  fold() { this.#unfold(FIRST_ROWS, 1) }

  /// Shows and selects the value at a JSON Pointer.
  reveal(pointer) {
    let value = this.#root
    for (const part of pointer.split("/").slice(1)) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~")
      this.#open.add(value)
      value = value.children.findLast((child) => String(child.name) === name)
      if (!value) return
    }
    this.#fill()
    const row = this.#rows.get(value)
    if (!row) return
    this.#choose(row)
    row.scrollIntoView({ block: "center" })
  }

  /// Expands level by level, up to a number of rows.
  #unfold(rows, depths) {
    this.#open.clear()
    let budget = rows
    let level = [this.#root]
    for (let depth = 0; depth < depths && level.length > 0; depth += 1) {
      const next = []
      for (const value of level) {
        if (value.children.length === 0 || value.children.length > budget) continue
        budget -= value.children.length
        this.#open.add(value)
        next.push(...value.children)
      }
      level = next
    }
    this.#fill()
  }

  #fill() {
    this.#rows.clear()
    this.#chosen = null
    replace(this.#list, this.#rowsFrom(this.#root))
    this.#list.firstChild.tabIndex = 0
    this.#showBar()
  }

  /// The row of a value and of its expanded descendants.
  #rowsFrom(value) {
    const rows = []
    const stack = [value]
    while (stack.length > 0) {
      const next = stack.pop()
      rows.push(this.#row(next))
      if (!this.#open.has(next)) continue
      if (next.children.length > PAGE) {
        stack.push({ isMore: true, parent: next, from: PAGE, depth: next.depth + 1 })
      }
      stack.push(...next.children.slice(0, PAGE).toReversed())
    }
    return rows
  }

  #row(value) {
    const row = value.isMore
      ? treeItem(value, { class: "more" }, `… ${value.parent.children.length - value.from} more`)
      : this.#valueRow(value)
    this.#rows.set(value, row)
    this.#values.set(row, value)
    return row
  }

  #valueRow(value) {
    const canOpen = value.children.length > 0
    const lint = value.parent ? this.#lints.get(value.pointer) : null
    const look = lint ? SEVERITIES[lint.severity] : null
    return treeItem(value, {
      "aria-posinset": value.position + 1,
      "aria-setsize": value.parent?.children.length ?? 1,
      "aria-expanded": canOpen ? String(this.#open.has(value)) : null,
    },
    h("span.twisty", { "aria-hidden": "true" }, canOpen ? icon("down") : null),
    value.depth > DEEPEST_INDENT ? h("span.weak.depth", `${value.depth}⟩ `) : null,
    name(value, look),
    shown(value),
    value.isRepeated ? h("span.chip.bad", icon("warning"), "duplicate name") : null,
    lint ? h("span.tree-lint", { class: look.tone }, icon(look.icon), plain(lint.message, 200)) : null)
  }

  // User input.

  #clicked(event) {
    const row = event.target.closest(".tree-row")
    if (!row || String(getSelection()) !== "") return
    this.#choose(row)
    if (event.target.closest(".twisty") || this.#values.get(row).isMore) this.#toggle(row)
  }

  #pressed(event) {
    const row = event.target.closest(".tree-row")
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const value = this.#values.get(row)
    const isOpen = this.#open.has(value)
    const keys = {
      ArrowDown: () => this.#focus(row.nextElementSibling),
      ArrowUp: () => this.#focus(row.previousElementSibling),
      Home: () => this.#focus(this.#list.firstElementChild),
      End: () => this.#focus(this.#list.lastElementChild),
      ArrowRight: () => (!isOpen ? this.#toggle(row) : this.#focus(row.nextElementSibling)),
      ArrowLeft: () => (isOpen ? this.#toggle(row) : this.#focus(this.#rows.get(value.parent))),
      Enter: () => this.#toggle(row),
      " ": () => this.#choose(row),
    }
    if (!keys[event.key]) return
    event.preventDefault()
    event.stopPropagation()
    keys[event.key]()
  }

  #focus(row) {
    if (!row) return
    this.#choose(row)
    row.focus()
  }

  #choose(row) {
    for (const other of this.#list.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1
    this.#rows.get(this.#chosen)?.setAttribute("aria-selected", "false")
    row.tabIndex = 0
    row.setAttribute("aria-selected", "true")
    this.#chosen = this.#values.get(row)
    this.#showBar()
  }

  #toggle(row) {
    const value = this.#values.get(row)
    if (value.isMore) {
      const { parent, from } = value
      const rows = parent.children.slice(from, from + PAGE).flatMap((child) => this.#rowsFrom(child))
      const rest = from + PAGE < parent.children.length
        ? [this.#row({ isMore: true, parent, from: from + PAGE, depth: value.depth })]
        : []
      row.replaceWith(...rows, ...rest)
      this.#focus(rows[0])
      return
    }
    if (value.children.length === 0) return
    const isOpen = this.#open.has(value)
    if (isOpen) {
      this.#open.delete(value)
      for (let next = row.nextElementSibling; next && this.#values.get(next).depth > value.depth; ) {
        const gone = next
        next = next.nextElementSibling
        this.#rows.delete(this.#values.get(gone))
        gone.remove()
      }
    } else {
      this.#open.add(value)
      row.after(...this.#rowsFrom(value).slice(1))
      this.#rows.set(value, row)
    }
    row.setAttribute("aria-expanded", String(!isOpen))
  }

  /// Shows the buttons for the selected value.
  #showBar() {
    const value = this.#chosen
    if (!value || value.isMore) {
      replace(this.#bar, h("span.weak", "Select a value to copy it or search for it."))
      return
    }
    const pointer = value.pointer
    const link = (label, q) => h("a.button.small", { href: router.path("/", { q }) }, icon("search"), label)
    const before = router.route.parameters.q
    const isFindable = pointer !== "" && !value.isContainer && value.source.length <= LONGEST
    const withSearch = (term) => (before ? `${before} ${term}` : term)
    replace(this.#bar,
      h("code.foreign.tree-pointer", pointer === "" ? "the whole payload" : plain(pointer, 200)),
      copyButton(pointer, "Copy pointer"),
      copyButton(() => (value.kind === "string" ? value.value : value.text), "Copy value"),
      isFindable ? link("Search value", withSearch(searchTerm(pointer, value))) : null,
      pointer === "" ? null : link("Search path", withSearch(searchTerm(pointer, null))))
  }
}

/// A row of the tree: a value, or the remaining children of one.
function treeItem({ depth }, properties, ...content) {
  const style = { "--depth": Math.min(depth, DEEPEST_INDENT) }
  const own = { role: "treeitem", tabindex: "-1", "aria-level": depth + 1, "aria-selected": "false", style }
  return h("div.tree-row", { ...own, ...properties }, content)
}

/// The name of a member, underlined if it has a warning.
function name({ name, parent }, look) {
  if (!parent) return null
  const tone = look ? `odd ${look.tone}` : ""
  const text = parent.kind === "array" ? String(name) : plain(name, 120)
  return [h("span", { class: `tree-name foreign ${parent.kind} ${tone}` }, text), h("span.weak", ": ")]
}

/// A value on one line.
function shown(value) {
  if (value.kind === "string") {
    return h("span.foreign.string", plain(JSON.stringify(value.value), LONGEST))
  }
  if (!value.isContainer) return h("span.foreign", { class: value.kind }, plain(value.source, 80))
  const count = value.children.length
  const [opening, closing] = value.kind === "object" ? "{}" : "[]"
  if (count === 0) return h("span.weak", opening + closing)
  const size = value.kind === "object" ? counted(count, "member") : counted(count, "entry", "entries")
  return h("span.weak", `${opening} ${size} ${closing}`)
}

/// The search term for pushes with this value, or with any value at the path for `null`.
function searchTerm(pointer, value) {
  const wanted = value === null ? "" : `=${word(value.kind === "string" ? value.value : value.source)}`
  return `payload:${word(pointer)}${wanted}`
}

/// A text of the search language, quoted if necessary.
function word(text) {
  return /^[^\s"=]+$/.test(text) ? text : `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
}
