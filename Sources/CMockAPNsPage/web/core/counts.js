// The counts that the navigation shows beside each view.

import { actions } from "./actions.js"
import { api } from "./api.js"
import { live } from "./live.js"
import { soon } from "./soon.js"

/// The delay between an event and reading the count, so that many events cause one request.
const PAUSE = 1_000
/// How often all is read again: keys and faults change without an event, too.
const TURN = 5_000
/// The stream begins with the latest events of connections, which are counted already.
const REPLAY = 2_000

/// The events that change what `GET /counts` says, and those that change faults.
const EVENTS = /^(push\.received|device\.changed|channel\.changed|feedback\..+|connection\..+)$/
const FAULT_EVENTS = /^fault\./

/// Reads the counts. The event `changed` has the `detail` `{name, value}`; for faults, the value is the list of faults,
/// and `rejected` is a part of `pushes`.
class Counts extends EventTarget {
  #readIn = soon(() => this.#read())
  #readFaultsIn = soon(() => this.#readFaults())
  /// The last known values by name.
  known = new Map()
  /// Incremented when the namespace changes, so that late responses are ignored.
  #turn = 0
  /// When the counts of the namespace were first read.
  #begunAt = -Infinity

  constructor() {
    super()
    actions.addEventListener("done", () => {
      this.#readIn(50)
      this.#readFaultsIn(50)
    })
    setInterval(() => {
      if (live.state === "live") this.#readIn()
    }, TURN)
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#readIn(0)
    })
  }

  begin() {
    this.#turn += 1
    this.#begunAt = performance.now()
    this.#readIn(0)
  }

  message({ type }) {
    if (type.startsWith("connection.") && performance.now() - this.#begunAt < REPLAY) return
    if (EVENTS.test(type) || type === "reset" || type === "gap") this.#readIn(PAUSE)
    if (FAULT_EVENTS.test(type)) this.#readFaultsIn(PAUSE)
  }

  /// Reads the counts, and the faults if there are any.
  #read() {
    return this.#show("/counts", ({ faults, ...others }) => {
      if (faults > 0 || this.known.get("faults")?.length > 0) this.#readFaultsIn(0)
      else this.#set("faults", [])
      for (const [name, value] of Object.entries(others)) this.#set(name, value)
    })
  }

  #readFaults() { return this.#show("/faults", ({ faults }) => this.#set("faults", faults)) }

  async #show(path, show) {
    if (document.hidden) return
    const turn = this.#turn
    try {
      const answer = await api.get(path)
      if (turn === this.#turn) show(answer)
    } catch {
      // The old count stays. The header shows that the server is not responding.
    }
  }

  #set(name, value) {
    this.known.set(name, value)
    this.dispatchEvent(new CustomEvent("changed", { detail: { name, value } }))
  }
}

export const counts = new Counts()
