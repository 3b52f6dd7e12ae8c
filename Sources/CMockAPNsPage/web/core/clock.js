// The server's clocks: its real time, and the clock of the selected namespace, which can be frozen or moved.

import { api } from "./api.js"

/// Tells the time. The event `changed` reports that the clock was read, and `failed` why it was not (`detail`).
class Clock extends EventTarget {
  /// The answer of `GET /clock`; `null` until it is read.
  state = null
  /// How far the server's real time is ahead of the browser's, in milliseconds.
  #ahead = 0
  /// Incremented for each request, so that a late response is ignored.
  #turn = 0

  /// Reads the clock. An event that reports a change may be an old one, so it is only a reason to read.
  async read() {
    const turn = this.#turn += 1
    try {
      const state = await api.get("/clock")
      if (turn !== this.#turn) return
      this.state = state
      this.#ahead = Date.parse(state.now) - state.offsetSeconds * 1_000 - Date.now()
      this.dispatchEvent(new Event("changed"))
    } catch (error) {
      this.dispatchEvent(new CustomEvent("failed", { detail: error }))
    }
  }

  get isFrozen() { return this.state?.mode === "frozen" }
  get isMoved() { return this.isFrozen || Math.abs(this.state?.offsetSeconds ?? 0) >= 1 }
  /// The server's real time, in milliseconds.
  get real() { return Date.now() + this.#ahead }
  /// The time of the namespace's clock, in milliseconds.
  get now() {
    return this.isFrozen ? Date.parse(this.state.now) : this.real + (this.state?.offsetSeconds ?? 0) * 1_000
  }
}

export const clock = new Clock()
