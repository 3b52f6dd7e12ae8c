// Lists that stay in their place while what they show changes: focus, open menus and marked text are the reader's.

import { replace } from "./dom.js"

/// The children of an element, each for one thing that is known by its key.
export class Rows {
  #parent
  #make
  #rows = new Map()
  #behind

  /// `make(item)` answers `{element, update(item)}`; `update` is called for the first time too. The rows stand behind
  /// the first `behind` children of the parent, which are none.
  constructor(parent, make, behind = 0) {
    this.#parent = parent
    this.#make = make
    this.#behind = behind
  }

  get size() { return this.#rows.size }

  get(key) { return this.#rows.get(key) }

  keys() { return [...this.#rows.keys()] }

  /// Shows exactly these, `[key, item]` each, in this order; moves as little as it can.
  set(entries) {
    const wanted = new Set(entries.map(([key]) => key))
    for (const key of this.keys()) if (!wanted.has(key)) this.remove(key)
    const focused = document.activeElement
    let next = this.#parent.children[this.#behind] ?? null
    for (const [key, item] of entries) {
      const row = this.#rowFor(key, item)
      if (row.element === next) next = next.nextElementSibling
      else this.#parent.insertBefore(row.element, next)
    }
    // Who is moved within the page loses the focus.
    if (focused !== document.activeElement && this.#parent.contains(focused)) focused.focus({ preventScroll: true })
  }

  /// Renews one, or puts it at an end where it is not there yet: `first`, or else last.
  put(key, item, { first = false } = {}) {
    const isNew = !this.#rows.has(key)
    const row = this.#rowFor(key, item)
    if (isNew && first) this.#parent.insertBefore(row.element, this.#parent.children[this.#behind] ?? null)
    else if (isNew) this.#parent.append(row.element)
    return row
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

/// Fills an element anew, but only when the value is another one than last time.
///
/// `make(value)` answers what stands in it: a node, text, or a list of these.
export function refill(element, value, make = (value) => value) {
  const key = JSON.stringify(value) ?? "undefined"
  if (filled.get(element) === key) return
  filled.set(element, key)
  replace(element, make(value))
}
