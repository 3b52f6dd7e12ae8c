// The rate of incoming pushes.

/// The interval of measurements (milliseconds), and how many are averaged.
export const BEAT = 250
const BEATS = 4
/// How long a rate derived from responses is valid (milliseconds).
const STALE = 3_000
/// The events of a typical push: received, answered, delivered.
const EACH = 3

/// Measures the rate from push events and from the event numbers in responses, because the event stream may lag behind.
export class Pace {
  #api
  #beats = new Array(BEATS).fill(0)
  /// The newest event number in a response, when it arrived, and how fast it grows.
  #seq = 0
  #at = 0
  #growth = 0

  constructor(api) { this.#api = api }

  /// Counts a push event.
  heard() { this.#beats[0] += 1 }

  /// Returns the current pushes per second. Called once per interval.
  beat() {
    const heard = Math.round(this.#beats.reduce((sum, one) => sum + one, 0) * 1_000 / (BEAT * BEATS))
    this.#beats.pop()
    this.#beats.unshift(0)
    const { seq, seqAt } = this.#api
    const passed = seqAt - this.#at
    if (passed >= 900) {
      const grown = this.#at ? Math.max(0, seq - this.#seq) : 0
      this.#seq = seq
      this.#at = seqAt
      this.#growth = Math.round(grown * 1_000 / passed / EACH)
    } else if (performance.now() - this.#at > STALE) {
      this.#growth = 0
    }
    return Math.max(heard, this.#growth)
  }
}
