// The rate of incoming pushes.

import { api } from "../core/api.js"

/// The interval of measurements (milliseconds), and how many are averaged.
export const INTERVAL = 250
const INTERVALS = 4
/// How long a rate derived from responses is valid (milliseconds).
const STALE = 3_000
/// The events of a typical push: received, answered, delivered.
const EACH = 3

/// Measures the rate from push events and from the event numbers in responses, because the event stream may lag behind.
export class PushRate {
  #counts = new Array(INTERVALS).fill(0)
  /// The newest event number in a response, when it arrived, and how fast it grows.
  #seq = 0
  #at = 0
  #growth = 0

  count() { this.#counts[0] += 1 }

  /// Returns the current pushes per second. Called once per interval.
  update() {
    const counted = Math.round(this.#counts.reduce((sum, one) => sum + one, 0) * 1_000 / (INTERVAL * INTERVALS))
    this.#counts.pop()
    this.#counts.unshift(0)
    const { seq, seqAt } = api
    const passed = seqAt - this.#at
    if (passed >= 900) {
      const grown = this.#at ? Math.max(0, seq - this.#seq) : 0
      this.#seq = seq
      this.#at = seqAt
      this.#growth = Math.round(grown * 1_000 / passed / EACH)
    } else if (performance.now() - this.#at > STALE) {
      this.#growth = 0
    }
    return Math.max(counted, this.#growth)
  }
}
