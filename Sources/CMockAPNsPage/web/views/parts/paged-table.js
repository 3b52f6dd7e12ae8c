// A table of a collection that the server filters and pages.

import { api, count, toasts } from "../../core/core.js"
import { Table } from "./table.js"

/// The number of entries shown at first, and the most that one request returns.
const PAGE = 100
const MOST = 1_000

/// `name` is the collection's name in the API's path and response. `empty(filter, total)` returns what is shown if no
/// entry matches.
export class PagedTable extends Table {
  #name
  #filter = {}
  #total = 0
  #limit = PAGE

  constructor(name, caption, columns, { empty, ...options }) {
    const onMore = () => this.#showMore()
    super(caption, columns, { ...options, empty: () => empty(this.#filter, this.#total), onMore })
    this.#name = name
  }

  async load(filter) {
    if (JSON.stringify(filter) !== JSON.stringify(this.#filter)) this.#limit = PAGE
    this.#filter = filter
    const items = []
    let page = {}
    do {
      const limit = Math.min(this.#limit - items.length, MOST)
      page = await api.get(`/${this.#name}`, { ...filter, limit, after: page.nextAfter })
      if (filter !== this.#filter) return
      items.push(...page[this.#name])
    } while (page.nextAfter && items.length < this.#limit)
    const { matched, total = matched, nextAfter, note } = page
    this.#total = total
    const isCut = nextAfter === undefined && matched > MOST && items.length === MOST
    const hasMore = nextAfter === undefined ? items.length < Math.min(matched, MOST) : nextAfter !== null
    const all = matched < total ? `, of ${count(total)} ${this.#name}` : ""
    this.show(items, [
      `${count(items.length)} of ${count(matched)} shown${all}.`,
      isCut ? "Filter to see the others." : null,
      note,
    ].filter(Boolean).join(" "), hasMore)
  }

  async #showMore() {
    const shown = this.rows.size
    this.#limit *= 4
    try {
      await this.load(this.#filter)
      this.focus(this.rows.keys()[shown])
    } catch (error) {
      toasts.problem(error)
    }
  }
}
