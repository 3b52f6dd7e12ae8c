// Refreshes visible elements that need one request each: a few at a time, and not too often.

/// Keeps visible elements up to date.
export class VisibleRefresh {
  #load
  #atOnce
  #pause
  #stale = new Set()
  #seen = new Set()
  #keys = new WeakMap()
  #timer = 0
  #observer

  /// `load(key)` loads and shows one element and handles its errors. `pause` is the pause between two rounds
  /// (milliseconds).
  constructor(load, { atOnce = 6, pause = 1_200 } = {}) {
    this.#load = load
    this.#atOnce = atOnce
    this.#pause = pause
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.#seen.add(this.#keys.get(target))
        else this.#seen.delete(this.#keys.get(target))
      }
      this.#schedule(this.#pause / 6)
    })
  }

  /// Starts tracking whether an element is visible.
  observe(element, key) {
    this.#keys.set(element, key)
    this.#observer.observe(element)
  }

  /// Marks an element as out of date.
  markStale(key) {
    this.#stale.add(key)
    if (this.#seen.has(key)) this.#schedule(this.#pause / 6)
  }

  #schedule(delay) { this.#timer ||= setTimeout(() => this.#refresh(), delay) }

  async #refresh() {
    const keys = []
    for (const key of this.#seen) {
      if (keys.length < this.#atOnce && this.#stale.delete(key)) keys.push(key)
    }
    await Promise.all(keys.map((key) => this.#load(key)))
    this.#timer = 0
    if (keys.length) this.#schedule(this.#pause)
  }
}
