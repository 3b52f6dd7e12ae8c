// The server's clock in the header, and the panel that changes it.

import { actions, Call, clock, h, icon, length, Popover, replace, toasts } from "../core/core.js"

/// The steps by which the clock can be advanced, with their labels.
const STEPS = [["1m", "+1 min"], ["1h", "+1 h"], ["1d", "+1 d"]]

/// Shows and changes the clock of the selected namespace.
export class ClockChip {
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
    // No event reports a change of the next expiration.
    button.addEventListener("click", () => clock.read())
    clock.addEventListener("changed", () => {
      this.#tick()
      this.#popover.refresh()
    })
    clock.addEventListener("failed", ({ detail }) => toasts.problem(detail))
    setInterval(() => this.#tick(), 1_000)
  }

  #tick() {
    if (!clock.state || document.hidden) return
    const now = new Date(clock.now)
    const time = now.toLocaleTimeString("en-GB", { hour12: false })
    replace(this.#time, time)
    replace(this.#mode, this.#modeInWords())
    this.#popover.button.classList.toggle("is-moved", clock.isMoved)
    this.#popover.button.setAttribute("aria-label", `Clock, ${this.#mode.textContent}, ${time}`)
    const words = this.#popover.panel.querySelector("time")
    if (words) replace(words, inSeconds(now))
  }

  #modeInWords() {
    if (clock.isFrozen) return "frozen"
    const { offsetSeconds } = clock.state
    return clock.isMoved ? `${offsetSeconds > 0 ? "+" : "−"}${length(Math.abs(offsetSeconds))}` : "real"
  }

  #panel() {
    if (!clock.state) return [h("p", "Loading the clock…")]
    const now = new Date(clock.now)
    if (!this.#popover.isOpen) this.#isWriting = false
    if (!this.#isWriting) this.#field.value = inSeconds(now)
    const real = () => new Call("PUT", "/clock", { mode: "real" })
    const frozen = (at) => new Call("PUT", "/clock", { mode: "frozen", now: at })
    return [
      h("p.clock-now", h("time.mono", inSeconds(now)), " ",
        h("span", { class: clock.isFrozen ? "chip wait" : "chip" }, clock.isFrozen ? "frozen" : "running")),
      h("p.weak", "Used for expiration, storage and the age of provider tokens. Delays still use real time."),
      h("div.buttons",
        STEPS.map(([by, label]) => this.#button(label, () => new Call("POST", "/clock/advance", { by }))),
        clock.isFrozen ? null : this.#button("Freeze", () => frozen(new Date(clock.now).toISOString())),
        clock.isMoved ? this.#button("Back to real time", real) : null),
      this.#due(),
      h("label.field", { for: "clock-set" }, "Freeze at", this.#field),
      h("div.buttons", this.#button("Set", () => frozen(this.#field.value.trim()), () => { this.#isWriting = false })),
    ]
  }

  /// A button that jumps to the next expiration.
  #due() {
    const { nextDue } = clock.state
    if (nextDue === null) return h("p.weak", "No stored notification will expire.")
    const left = () => Math.max(0, Date.parse(nextDue) - clock.now)
    return h("div.buttons", this.#button(
      `Jump to the next expiration, in ${length(left() / 1_000)}`,
      () => new Call("POST", "/clock/advance", { by: `${Math.ceil(left()) + 1}ms` })
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
    clock.read()
    const { deliveredCount, expiredCount, inactiveCount, unregisteredCount } = answer
    const counts = [["delivered", deliveredCount], ["expired", expiredCount], ["inactive devices", inactiveCount],
      ["unregistered tokens", unregisteredCount]]
    const happened = counts.filter(([, number]) => number > 0).map(([label, number]) => `${label} ${number}`)
    const time = inSeconds(new Date(answer.now))
    if (happened.length) toasts.show(`Clock is at ${time}: ${happened.join(", ")}`)
  }
}

/// A time in the API's format, without fractions of a second.
const inSeconds = (time) => time.toISOString().replace(/\.\d+Z$/, "Z")
