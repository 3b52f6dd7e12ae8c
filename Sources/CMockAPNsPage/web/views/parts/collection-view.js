// The base of a view that shows a table with a filter, or one of its entries.

import { emptyState, h, replace, router, toasts, whenStill } from "../../core/core.js"
import { View } from "./view.js"

/// The pause after the last keystroke before the filter is applied (milliseconds).
const REST = 200

/// The base of a view of a collection, such as the devices.
///
/// `noun` is a word for an entry, for example `device`: its parameter in the URL is `device`, and the path of the table
/// is `/devices`. A subclass sets `list`, a `PagedTable`, and `detail`, an `EntryPage`.
export class CollectionView extends View {
  /// What is shown, as far as it depends on the URL.
  #shown = null

  constructor({ noun, searches, ...options }) {
    const title = `${noun[0].toUpperCase()}${noun.slice(1)}s`
    super({ name: `${noun}s-view`, title, ...options })
    this.noun = noun
    this.path = `/${noun}s`
    const oninput = whenStill(() => this.applyFilter(), REST)
    const search = h("input", { type: "search", placeholder: searches, "aria-label": `Filter ${noun}s`, oninput })
    this.tools.append(search)
    /// The controls that filter the table, by their parameters in the URL. A subclass may add some.
    this.filters = { filter: search }
  }

  /// The entry of the URL, or `undefined` for the table.
  get entry() { return this.parameters[this.noun] }

  async load() {
    const { entry, parameters } = this
    const shown = this.#key()
    const isOpened = shown !== this.#shown
    this.#shown = shown
    if (entry) {
      await this.#loadEntry(entry, isOpened)
    } else {
      for (const [name, control] of Object.entries(this.filters)) {
        const isTyped = control === document.activeElement && control.type === "search"
        if (!isTyped) control.value = parameters[name] ?? ""
      }
      await this.list.load(this.#query())
      this.place(this.list.element)
      // Back at the table, the row of the entry gets the focus.
      if (this.detail.item) this.list.focus(this.detail.item.id)
      this.detail.item = null
    }
    this.tools.hidden = Boolean(entry)
    this.about.hidden = Boolean(entry)
  }

  async #loadEntry(entry, isOpened) {
    try {
      await this.detail.show(entry)
      this.place(this.detail.element)
      if (isOpened) this.detail.focus(this.parameters.at)
    } catch (error) {
      if (error.status !== 404 && error.status !== 400) throw error
      const back = h("a.button", { href: router.path(this.path) }, `All ${this.noun}s`)
      replace(this.content, emptyState(`${this.heading.textContent.slice(0, -1)} not found`, error.message, back))
    }
  }

  draw() {
    if (this.#key() !== this.#shown) this.refresh()
  }

  /// Handles Escape, which returns to the table.
  key(name) {
    if (name !== "Escape" || !this.entry) return super.key(name)
    this.#toList()
    return true
  }

  /// Opens an entry. `part` is its part of the path.
  open(part) { router.go(router.path(`${this.path}/${encodeURIComponent(part)}`)) }

  /// After an entry was deleted on its page, the table is shown.
  removed() {
    if (!this.entry) {
      super.removed()
      return
    }
    toasts.show(`Deleted ${this.noun} ${this.detail.heading.textContent}.`)
    this.#toList()
  }

  #toList() { router.go(router.path(this.path)) }

  applyFilter() {
    const values = Object.entries(this.filters).map(([name, { value }]) => [name, value.trim()])
    router.go(router.path(this.path, Object.fromEntries(values)), { instead: true })
  }

  /// What the table is filtered by, from the URL, as the API's query.
  #query() {
    const values = Object.keys(this.filters).map((name) => [name, this.parameters[name]])
    const { filter: q, ...others } = Object.fromEntries(values)
    return { q, ...others }
  }

  #key() { return JSON.stringify([this.entry, this.#query(), this.parameters.at]) }
}
