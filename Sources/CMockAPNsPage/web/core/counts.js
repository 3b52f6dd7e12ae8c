// The counts that the navigation shows beside each view.

import { actions } from "./actions.js"
import { api } from "./api.js"
import { live } from "./live.js"
import { soon } from "./soon.js"

/// The delay between an event and reading the count, so that many events cause one request.
const PAUSE = 1_000
/// How often counts without events are read again.
const TURN = 5_000
/// The stream begins with the latest events of connections, which are counted already.
const REPLAY = 2_000

/// What is read, and the events that change it. Keys and faults can change without an event, too.
const READINGS = [
  { path: "/counts", events: /^(push\.received|device\.changed|channel\.changed|feedback\..+|connection\..+)$/,
    values: (counts) => counts },
  { path: "/faults", events: /^fault\./, values: ({ faults }) => ({ faults }) },
]

/// Reads the counts. The event `changed` has the `detail` `{name, value}`; for faults, the value is the list of faults,
/// and `rejected` is a part of `pushes`.
class Counts extends EventTarget {
  #readings = READINGS.map((row) => ({ ...row, readIn: soon(() => this.#read(row)) }))
  /// The last known values by name.
  known = new Map()
  /// Incremented when the namespace changes, so that late responses are ignored.
  #turn = 0
  /// When the counts of the namespace were first read.
  #begunAt = -Infinity

  constructor() {
    super()
    actions.addEventListener("done", () => this.#all(50))
    setInterval(() => {
      if (live.state !== "live") return
      for (const reading of this.#readings) reading.readIn()
    }, TURN)
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#all(0)
    })
  }

  begin() {
    this.#turn += 1
    this.#begunAt = performance.now()
    this.#all(0)
  }

  message({ type }) {
    if (type.startsWith("connection.") && performance.now() - this.#begunAt < REPLAY) return
    if (type === "reset" || type === "gap") this.#all(PAUSE)
    for (const reading of this.#readings) if (reading.events.test(type)) reading.readIn(PAUSE)
  }

  #all(pause) {
    for (const reading of this.#readings) reading.readIn(pause)
  }

  async #read({ path, values: valuesOf }) {
    if (document.hidden) return
    const turn = this.#turn
    try {
      const values = valuesOf(await api.get(path))
      if (turn !== this.#turn) return
      for (const [name, value] of Object.entries(values)) {
        this.known.set(name, value)
        this.dispatchEvent(new CustomEvent("changed", { detail: { name, value } }))
      }
    } catch {
      // The old count stays. The header shows that the server is not responding.
    }
  }
}

export const counts = new Counts()
