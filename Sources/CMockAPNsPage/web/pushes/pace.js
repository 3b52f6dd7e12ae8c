// How fast pushes come.

/// How often it is measured (milliseconds), and over how many of these.
export const BEAT = 250
const BEATS = 4
/// How long an answer says how fast the numbers grow.
const STALE = 3_000
/// How many numbers a push takes: it is received, answered, delivered.
const EACH = 3

/// Counts what is heard of, and looks at the numbers in answers: the stream may lag behind what happens, they do not.
export class Pace {
  #api
  #beats = new Array(BEATS).fill(0)
  /// The newest number that the API told of, and when; how fast it grew.
  #seq = 0
  #at = 0
  #growth = 0

  constructor(api) { this.#api = api }

  /// One more was heard of.
  heard() { this.#beats[0] += 1 }

  /// Pushes in a second, as of now; asked for with each beat.
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
