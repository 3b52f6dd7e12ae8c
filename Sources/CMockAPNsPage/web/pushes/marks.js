// The marks between pushes. MOST is the number that the server keeps.

import { markEntry } from "./model.js"

const MOST = 1_000

export class Marks {
  #api
  /// The oldest first.
  #all = []

  constructor(api) { this.#api = api }

  async read() {
    if (this.#all.length > 0) return
    try {
      const { marks } = await this.#api.get("/marks")
      const known = new Set(marks.map((mark) => markEntry(mark).key))
      this.#all = [...marks, ...this.#all.filter((mark) => !known.has(markEntry(mark).key))]
    } catch {
      // Marks are optional: the list is shown without them.
    }
  }

  /// Adds a mark. Returns the key of the mark that is dropped for it, or `null`.
  add(mark) {
    this.#all.push(mark)
    return this.#all.length > MOST ? markEntry(this.#all.shift()).key : null
  }

  /// The rows of the marks from number `low` up to, but not including, `high`.
  entries(low, high) {
    return this.#all.filter((mark) => mark.seq >= low && mark.seq < high).map(markEntry)
  }
}
