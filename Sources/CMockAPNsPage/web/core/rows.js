// Lists that are updated in place, so that focus, open menus and selected text are kept.

import { append, replace } from "./dom.js"
import { keepingFocus } from "./parts.js"

/// The children of an element, one for each key.
export class Rows {
  #parent
  #make
  #rows = new Map()
  #offset

  /// `make(item)` returns `{element, update(item)}`; `update` is also called for a new row. The first `offset` children
  /// of the parent are not rows.
  constructor(parent, make, offset = 0) {
    this.#parent = parent
    this.#make = make
    this.#offset = offset
  }

  get size() { return this.#rows.size }

  get(key) { return this.#rows.get(key) }

  keys() { return [...this.#rows.keys()] }

  /// Shows exactly these entries `[key, item]` in this order, and moves as few elements as possible.
  set(entries) {
    const wanted = new Set(entries.map(([key]) => key))
    for (const key of this.keys()) if (!wanted.has(key)) this.remove(key)
    const focused = document.activeElement
    let next = this.#parent.children[this.#offset] ?? null
    for (const [key, item] of entries) {
      const row = this.#rowFor(key, item)
      if (row.element === next) next = next.nextElementSibling
      else this.#parent.insertBefore(row.element, next)
    }
    // An element that is moved loses the focus.
    if (focused !== document.activeElement && this.#parent.contains(focused)) focused.focus({ preventScroll: true })
  }

  clear() {
    for (const key of this.keys()) this.remove(key)
  }

  remove(key) {
    this.#rows.get(key)?.element.remove()
    this.#rows.delete(key)
  }

  #rowFor(key, item) {
    let row = this.#rows.get(key)
    if (!row) {
      row = this.#make(item)
      this.#rows.set(key, row)
    }
    row.update(item)
    return row
  }
}

const filled = new WeakMap()

/// Redraws an element if the value has changed.
///
/// `make(value)` returns the content: a node, text, or a list of these.
export function refill(element, value, make = (value) => value) {
  const key = JSON.stringify(value) ?? "undefined"
  if (filled.get(element) === key) return
  filled.set(element, key)
  replace(element, make(value))
}

/// Replaces the content of an element if it looks different. The focus stays on the control at the same position.
export function redraw(element, ...content) {
  const next = element.cloneNode(false)
  append(next, content)
  if (!next.isEqualNode(element)) keepingFocus(element, () => element.replaceChildren(...next.childNodes))
}
