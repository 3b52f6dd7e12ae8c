// The connection status in the header: whether the page is up to date.

import { count, h, replace } from "./elements.js"
import { live } from "./live.js"

/// The labels of the states. The style sheet defines their colors.
const WORDS = { live: "Live", connecting: "Connecting…", down: "Down" }

export class LiveStatus {
  #retryAt = 0
  #shownSeq = -1
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
    const isTry = state === "connecting" && this.#retryAt !== 0
    if (state === "live") this.#retryAt = 0
    if (state === "down") this.#retryAt = retryAt
    if (isTry) return
    this.element.dataset.state = state
    replace(this.#state, WORDS[state])
    this.#retry.hidden = state !== "down"
    this.#tick()
  }

  #tick() {
    const isDown = this.element.dataset.state === "down"
    const seconds = Math.max(0, Math.ceil((this.#retryAt - Date.now()) / 1_000))
    const words = !isDown ? "" : seconds > 0 ? `retrying in ${seconds} s` : "retrying…"
    if (this.#wait.textContent !== words) replace(this.#wait, words)
    if (this.#shownSeq === live.seq) return
    this.#shownSeq = live.seq
    replace(this.#seq, `#${count(this.#shownSeq)}`)
  }
}
