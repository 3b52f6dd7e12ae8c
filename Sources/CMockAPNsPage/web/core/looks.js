// Refreshes visible elements that need one request each: a few at a time, and not too often.

/// Keeps visible elements up to date.
export class Looks {
  #ask
  #atOnce
  #rest
  #touched = new Set()
  #seen = new Set()
  #keys = new WeakMap()
  #timer = 0
  #observer

  /// `ask(key)` loads and shows one element and handles its errors. `rest` is the pause between two rounds
  /// (milliseconds).
  constructor(ask, { atOnce = 6, rest = 1_200 } = {}) {
    this.#ask = ask
    this.#atOnce = atOnce
    this.#rest = rest
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.#seen.add(this.#keys.get(target))
        else this.#seen.delete(this.#keys.get(target))
      }
      this.#soon(this.#rest / 6)
    })
  }

  /// Starts tracking whether an element is visible.
  observe(element, key) {
    this.#keys.set(element, key)
    this.#observer.observe(element)
  }

  /// Stops tracking a removed element.
  forget(element, key) {
    this.#observer.unobserve(element)
    this.#seen.delete(key)
    this.#touched.delete(key)
  }

  /// Marks an element as out of date.
  touch(key) {
    this.#touched.add(key)
    if (this.#seen.has(key)) this.#soon(this.#rest / 6)
  }

  #soon(delay) { this.#timer ||= setTimeout(() => this.#turn(), delay) }

  async #turn() {
    const keys = []
    for (const key of this.#seen) {
      if (keys.length < this.#atOnce && this.#touched.delete(key)) keys.push(key)
    }
    await Promise.all(keys.map((key) => this.#ask(key)))
    this.#timer = 0
    if (keys.length) this.#soon(this.#rest)
  }
}
