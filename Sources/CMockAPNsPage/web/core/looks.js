// What takes a request for each thing is asked only for what somebody can see, a few at a time, and not too often.

/// Keeps the things that can be seen current.
export class Looks {
  #ask
  #atOnce
  #rest
  #touched = new Set()
  #seen = new Set()
  #keys = new WeakMap()
  #timer = 0
  #observer

  /// `ask(key)` fetches and shows one thing, and copes with what goes wrong; `rest`: milliseconds between two turns.
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

  /// Begins to look whether an element can be seen.
  observe(element, key) {
    this.#keys.set(element, key)
    this.#observer.observe(element)
  }

  /// Forgets an element that is taken away.
  forget(element, key) {
    this.#observer.unobserve(element)
    this.#seen.delete(key)
    this.#touched.delete(key)
  }

  /// What is known of this is not so any more.
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
