// The rate of incoming pushes.

import { api } from "../core/core.js"

/// What the rate is measured over (milliseconds).
const SECOND = 1_000
/// How long a rate derived from responses is valid (milliseconds).
const STALE = 3_000
/// The events of a typical push: received, answered, delivered.
const EACH = 3

/// Measures the rate from push events and from the event numbers in responses, because the event stream may lag behind.
export class PushRate {
  /// When the pushes of the last second arrived.
  #times = []
  /// The newest event number in a response, when it arrived, and how fast it grows.
  #seq = 0
  #at = 0
  #growth = 0

  count() { this.#times.push(performance.now()) }

  /// Returns the current pushes per second. Called several times a second.
  update() {
    const now = performance.now()
    this.#times = this.#times.filter((time) => now - time < SECOND)
    const { seq, seqAt } = api
    const passed = seqAt - this.#at
    if (passed >= 900) {
      const grown = this.#at ? Math.max(0, seq - this.#seq) : 0
      this.#seq = seq
      this.#at = seqAt
      this.#growth = Math.round(grown * SECOND / passed / EACH)
    } else if (now - this.#at > STALE) {
      this.#growth = 0
    }
    return Math.max(this.#times.length, this.#growth)
  }
}
