// The marks between pushes. MOST is the number that the server keeps.

import { api } from "../core/api.js"
import { markEntry } from "./model.js"

const MOST = 1_000

export class Marks {
  /// The oldest first.
  #all = []
  #isComplete = false

  /// Some marks were not reported: the next `read` loads all of them again.
  missed() { this.#isComplete = false }

  async read() {
    if (this.#isComplete) return
    this.#isComplete = true
    const before = this.#all
    // For those that arrive meanwhile.
    this.#all = []
    try {
      const { marks } = await api.get("/marks")
      const known = new Set(marks.map((mark) => markEntry(mark).key))
      this.#all = [...marks, ...this.#all.filter((mark) => !known.has(markEntry(mark).key))].slice(-MOST)
    } catch {
      // Marks are optional: the list is shown without them.
      this.#all = [...before, ...this.#all]
      this.missed()
    }
  }

  /// Removes the rows of marks that no longer exist.
  removeGone(model) {
    const known = new Set(this.#all.map((mark) => markEntry(mark).key))
    model.keep(({ kind, key }) => kind === "push" || known.has(key))
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
