// The server's clock in the header, and the panel that changes it.

import { actions, api, Call, h, icon, length, Popover, replace, toasts, useServerClock } from "../core/core.js"

/// The steps by which the clock can be advanced, with their labels.
const STEPS = [["1m", "+1 min"], ["1h", "+1 h"], ["1d", "+1 d"]]

/// Shows and changes the clock of the selected namespace.
export class ClockChip {
  #clock = null
  /// The browser's time when the server's clock was read.
  #readAt = 0
  /// Incremented for each request and event, so that a late response is ignored.
  #turn = 0
  #time = h("span.mono")
  #mode = h("span.clock-mode")
  #popover
  /// Kept when the panel is redrawn, so that typed text is not lost.
  #field = h("input.mono", { id: "clock-set", spellcheck: "false", oninput: () => { this.#isWriting = true } })
  #isWriting = false

  constructor() {
    const button = h("button.quiet.tool.clock-chip", { "aria-label": "Clock" }, icon("clock"), this.#time, this.#mode)
    this.#popover = new Popover(button, "Clock", () => this.#panel())
    this.element = h("div.clock", button, this.#popover.panel)
    setInterval(() => this.#tick(), 1_000)
  }

  async begin() {
    const turn = this.#turn += 1
    try {
      const clock = await api.get("/clock")
      // An event may have reported a newer clock meanwhile.
      if (turn === this.#turn) this.took(clock)
    } catch (error) {
      toasts.problem(error)
    }
  }

  /// Shows a clock that the API returned.
  took(clock) {
    this.#turn += 1
    this.#clock = clock
    this.#readAt = Date.now()
    useServerClock(() => this.#now().getTime())
    this.#tick()
    this.#popover.refresh()
  }

  #now() {
    const passed = this.#clock.mode === "frozen" ? 0 : Date.now() - this.#readAt
    return new Date(new Date(this.#clock.now).getTime() + passed)
  }

  #tick() {
    if (!this.#clock || document.hidden) return
    const now = this.#now()
    const time = now.toLocaleTimeString("en-GB", { hour12: false })
    replace(this.#time, time)
    replace(this.#mode, this.#modeInWords())
    this.#popover.button.classList.toggle("is-moved", this.#isMoved)
    this.#popover.button.setAttribute("aria-label", `Clock, ${this.#mode.textContent}, ${time}`)
    const words = this.#popover.panel.querySelector("time")
    if (words) replace(words, inSeconds(now))
  }

  get #isFrozen() { return this.#clock.mode === "frozen" }
  get #isMoved() { return this.#isFrozen || Math.abs(this.#clock.offsetSeconds) >= 1 }

  #modeInWords() {
    if (this.#isFrozen) return "frozen"
    const { offsetSeconds } = this.#clock
    return this.#isMoved ? `${offsetSeconds > 0 ? "+" : "−"}${length(Math.abs(offsetSeconds))}` : "real"
  }

  #panel() {
    if (!this.#clock) return [h("p", "Loading the clock…")]
    const now = this.#now()
    if (!this.#popover.isOpen) this.#isWriting = false
    if (!this.#isWriting) this.#field.value = inSeconds(now)
    const real = () => new Call("PUT", "/clock", { mode: "real" })
    const frozen = (at) => new Call("PUT", "/clock", { mode: "frozen", now: at })
    return [
      h("p.clock-now", h("time.mono", inSeconds(now)), " ",
        h("span", { class: this.#isFrozen ? "chip wait" : "chip" }, this.#isFrozen ? "frozen" : "running")),
      h("p.weak", "Used for expiration, storage and the age of provider tokens. Delays still use real time."),
      h("div.buttons",
        STEPS.map(([by, label]) => this.#button(label, () => new Call("POST", "/clock/advance", { by }))),
        this.#isFrozen ? null : this.#button("Freeze", () => frozen(this.#now().toISOString())),
        this.#isMoved ? this.#button("Back to real time", real) : null),
      this.#due(now),
      h("label.field", { for: "clock-set" }, "Freeze at", this.#field),
      h("div.buttons", this.#button("Set", () => frozen(this.#field.value.trim()), () => { this.#isWriting = false })),
    ]
  }

  /// A button that jumps to the next expiration.
  #due(now) {
    const { nextDue } = this.#clock
    if (nextDue === null) return h("p.weak", "No stored notification will expire.")
    const left = (from) => Math.max(0, new Date(nextDue).getTime() - from.getTime())
    return h("div.buttons", this.#button(
      `Jump to the next expiration, in ${length(left(now) / 1_000)}`,
      () => new Call("POST", "/clock/advance", { by: `${Math.ceil(left(this.#now())) + 1}ms` })
    ))
  }

  #button(label, makeCall, onDone = () => {}) {
    const done = (answer) => {
      onDone()
      this.#moved(answer)
    }
    return actions.button(label, makeCall, { kind: "small", onDone: done })
  }

  #moved(answer) {
    // Another client may have changed the clock since.
    this.begin()
    const { deliveredCount, expiredCount, inactiveCount } = answer
    const counts = [["delivered", deliveredCount], ["expired", expiredCount], ["inactive devices", inactiveCount]]
    const happened = counts.filter(([, number]) => number > 0).map(([label, number]) => `${label} ${number}`)
    const time = inSeconds(new Date(answer.now))
    if (happened.length) toasts.show(`Clock is at ${time}: ${happened.join(", ")}`)
  }
}

/// A time in the API's format, without fractions of a second.
const inSeconds = (time) => time.toISOString().replace(/\.\d+Z$/, "Z")
