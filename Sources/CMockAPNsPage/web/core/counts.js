// The counts that the navigation shows beside each view.

import { actions } from "./actions.js"
import { api } from "./api.js"
import { live } from "./live.js"
import { soon } from "./soon.js"

/// The delay between an event and reading the count, so that many events cause one request.
const PAUSE = 1_000
/// How often counts without events are read again.
const TURN = 5_000

/// The counts: which events change each, whether it can change without an event (`turns`), and how it is read.
const NUMBERS = [
  { name: "pushes", events: /^push\.received$/, path: "/pushes/count", value: ({ count }) => count },
  { name: "devices", events: /^(device\.changed|push\.received)$/, path: "/devices", limit: 1,
    value: ({ total }) => total },
  { name: "channels", events: /^channel\.changed$/, path: "/channels", limit: 1, value: ({ matched }) => matched },
  { name: "faults", events: /^fault\./, turns: true, path: "/faults", value: ({ faults }) => faults },
  { name: "feedback", events: /^feedback\./, path: "/feedback", value: ({ feedback }) => feedback.length },
  { name: "keys", turns: true, path: "/keys", value: ({ keys }) => keys.length },
  { name: "connections", events: /^connection\./, path: "/connections", state: "open", limit: 1_000,
    value: ({ connections }) => connections.length },
]

/// Reads the counts. The event `changed` has the `detail` `{name, value}`; for faults, the value is the list of faults.
class Counts extends EventTarget {
  #numbers = NUMBERS.map((row) => ({ ...row, readIn: soon(() => this.#read(row)) }))
  /// The last known values by name.
  known = new Map()
  /// Incremented when the namespace changes, so that late responses are ignored.
  #turn = 0

  constructor() {
    super()
    actions.addEventListener("done", () => this.#all(50))
    setInterval(() => {
      if (live.state !== "live") return
      for (const number of this.#numbers) if (number.turns) number.readIn()
    }, TURN)
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#all(0)
    })
  }

  begin() {
    this.#turn += 1
    this.#all(0)
  }

  message({ type }) {
    if (type === "reset" || type === "gap") this.#all(PAUSE)
    for (const number of this.#numbers) if (number.events?.test(type)) number.readIn(PAUSE)
  }

  #all(pause) {
    for (const number of this.#numbers) number.readIn(pause)
  }

  async #read({ name, path, limit, state, value: valueOf }) {
    if (document.hidden) return
    const turn = this.#turn
    try {
      const value = valueOf(await api.get(path, { limit, state }))
      if (turn !== this.#turn) return
      this.known.set(name, value)
      this.dispatchEvent(new CustomEvent("changed", { detail: { name, value } }))
    } catch {
      // The old count stays. The header shows that the server is not responding.
    }
  }
}

export const counts = new Counts()
