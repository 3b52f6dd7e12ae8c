// The marks between pushes, as many as the server keeps.

import { markEntry } from "./model.js"

const MOST = 1_000

export class Marks {
  #api
  /// The oldest first.
  #all = []

  constructor(api) { this.#api = api }

  /// Asks for those that there are, once.
  async read() {
    if (this.#all.length > 0) return
    try {
      const { marks } = await this.#api.get("/marks")
      const known = new Set(marks.map((mark) => markEntry(mark).key))
      this.#all = [...marks, ...this.#all.filter((mark) => !known.has(markEntry(mark).key))]
    } catch {
      // A server without marks; the list is whole without them.
    }
  }

  /// Adds one; returns the key of the line that has to go for it, `null` for none.
  add(mark) {
    this.#all.push(mark)
    return this.#all.length > MOST ? markEntry(this.#all.shift()).key : null
  }

  /// The lines of those from one number on, up to another.
  entries(low, high) {
    return this.#all.filter((mark) => mark.seq >= low && mark.seq < high).map(markEntry)
  }
}
