// Refreshes visible elements that need one request each: a few at a time, and not too often.

import { soon } from "./soon.js"

/// The most requests at a time, the pause between two rounds, and the pause before the first (milliseconds).
const AT_ONCE = 6
const PAUSE = 1_200
const REST = 200

/// Loads elements that are out of date when they are in sight.
export class VisibleRefresh {
  #load
  /// The visible elements that are out of date.
  #due = new Set()
  #loadSoon = soon(() => this.#loadSome(), REST)
  /// Observes the elements that are out of date.
  #observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.#due.add(target)
      else this.#due.delete(target)
    }
    this.#loadSoon()
  })

  /// `load(element)` loads and shows one element and handles its errors.
  constructor(load) { this.#load = load }

  /// Marks an element as out of date, so that it is loaded when it is in sight.
  markStale(element) { this.#observer.observe(element) }

  async #loadSome() {
    const elements = [...this.#due].slice(0, AT_ONCE)
    for (const element of elements) {
      // It may become out of date again while it is loaded.
      this.#observer.unobserve(element)
      this.#due.delete(element)
    }
    await Promise.all(elements.map(this.#load))
    if (elements.length) this.#loadSoon(PAUSE)
  }
}
