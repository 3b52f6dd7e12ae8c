// The connection status in the header: whether the page is up to date.

import { count, h, live, refill } from "../core/core.js"

/// The labels of the states. The style sheet defines their colors.
const WORDS = { live: "Live", connecting: "Connecting…", down: "Down" }

export class LiveStatus {
  #retryAt = null
  #state = h("span.live-word", WORDS.connecting)
  #wait = h("span.weak")
  #seq = h("span.mono.weak.live-seq", { title: "Number of the newest event" })
  #retry = h("button.small", { hidden: true, onclick: () => live.retry() }, "Retry now")

  constructor() {
    this.element = h("div.live", { data: { state: "connecting" } },
      h("span.live-dot", { "aria-hidden": "true" }),
      h("span", { role: "status", "aria-label": "Connection to the server" }, this.#state),
      this.#wait,
      this.#seq,
      this.#retry)
    live.addEventListener("status", ({ detail }) => this.#become(detail))
    setInterval(() => this.#tick(), 250)
  }

  #become({ state, retryAt }) {
    // Do not alternate between “Connecting” and “Down” with each retry.
    if (state === "connecting" && this.#retryAt) return
    this.#retryAt = retryAt
    this.element.dataset.state = state
    refill(this.#state, WORDS[state])
    this.#retry.hidden = state !== "down"
    this.#tick()
  }

  #tick() {
    const isDown = this.element.dataset.state === "down"
    const seconds = Math.max(0, Math.ceil((this.#retryAt - Date.now()) / 1_000))
    refill(this.#wait, !isDown ? "" : seconds > 0 ? `retrying in ${seconds} s` : "retrying…")
    refill(this.#seq, `#${count(live.seq)}`)
  }
}
