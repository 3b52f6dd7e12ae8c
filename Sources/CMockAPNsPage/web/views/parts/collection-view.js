// The base of a view that shows a table with a filter, or one of its entries.

import { emptyState, h, replace } from "../../core/elements.js"
import { router } from "../../core/router.js"
import { whenStill } from "../../core/soon.js"
import { View } from "./view.js"

/// The pause after the last keystroke before the filter is applied (milliseconds).
const REST = 200

/// The base of a view of a collection, such as the devices.
///
/// A subclass sets `list`, a `PagedTable`, and `detail`, an `EntryPage`. The entry's name in the URL's parameters is
/// `entry`, for example `device`, and `path` is the path of the table.
export class CollectionView extends View {
  #entry
  #loaded = null
  /// The entry that is shown, and its part; `null` for the table.
  #opened = null

  constructor({ entry, path, searches, ...options }) {
    super(options)
    this.#entry = entry
    this.path = path
    const oninput = whenStill(() => this.applyFilter(), REST)
    this.search = h("input", { type: "search", placeholder: searches, "aria-label": `Filter ${entry}s`, oninput })
    this.tools.append(this.search)
  }

  /// The entry of the URL, or `undefined` for the table.
  get entry() { return this.parameters[this.#entry] }

  /// What the table is filtered by, from the URL's parameters.
  filterOf({ filter = "" }) { return { q: filter } }

  /// The URL's parameters for what the filter's controls show.
  get filterParameters() { return { filter: this.search.value.trim() } }

  async load() {
    const { entry } = this
    this.#loaded = this.#key()
    if (entry) {
      await this.#loadEntry(entry)
    } else {
      if (document.activeElement !== this.search) this.search.value = this.parameters.filter ?? ""
      await this.list.load(this.filterOf(this.parameters))
      this.place(this.list.element)
      // Back at the table, the row of the entry gets the focus.
      if (this.detail.id) this.list.focus(this.detail.id)
      this.#opened = null
      this.detail.forget()
    }
    this.tools.hidden = Boolean(entry)
    this.about.hidden = Boolean(entry)
  }

  async #loadEntry(entry) {
    try {
      await this.detail.show(entry)
      this.place(this.detail.element)
      const opened = this.#key()
      if (this.#opened !== opened) this.detail.focus(this.parameters.at)
      this.#opened = opened
    } catch (error) {
      if (error.status !== 404 && error.status !== 400) throw error
      this.detail.forget()
      const back = h("a.button", { href: router.path(this.path) }, `All ${this.#entry}s`)
      const title = `${this.#entry[0].toUpperCase()}${this.#entry.slice(1)} not found`
      replace(this.content, emptyState(title, error.message, back))
    }
  }

  draw() {
    if (this.#key() !== this.#loaded) this.refresh()
  }

  /// Handles Escape, which returns to the table.
  key(name) {
    if (name !== "Escape" || !this.entry) return super.key(name)
    this.toList()
    return true
  }

  forget() {
    this.list.forget()
    this.detail.forget()
  }

  /// Opens an entry. `part` is its part of the path.
  open(part) { router.go(router.path(`${this.path}/${encodeURIComponent(part)}`)) }

  toList() { router.go(router.path(this.path)) }

  applyFilter() {
    router.go(router.path(this.path, this.filterParameters), { instead: true })
  }

  #key() { return JSON.stringify([this.entry, this.filterOf(this.parameters), this.parameters.at]) }
}
