// The server's clock: what it says, and how to move it.

import { Call } from "./api.js"
import { h, replace } from "./dom.js"
import { icon } from "./icons.js"
import { Popover } from "./popover.js"
import { length } from "./time.js"

/// Steps that the clock can be moved by; one row each.
const STEPS = [
  { by: "1m", label: "+1 min" },
  { by: "1h", label: "+1 h" },
  { by: "1d", label: "+1 d" },
]

/// Shows the clock of the namespace that is shown, and moves it.
export class ClockChip {
  #app
  #clock = null
  /// What this browser's clock said when the server's was read.
  #readAt = 0
  #time = h("span", { class: "mono" })
  #mode = h("span", { class: "clock-mode" })
  #popover

  constructor(app) {
    this.#app = app
    const button = h("button", { class: "quiet tool clock-chip", "aria-label": "Clock" }, icon("clock"), this.#time, this.#mode)
    this.#popover = new Popover(button, "Clock", () => this.#panel())
    this.element = h("div", { class: "clock" }, button, this.#popover.panel)
    setInterval(() => this.#tick(), 1_000)
  }

  async begin() {
    try {
      this.took(await this.#app.api.get("/clock"))
    } catch (error) {
      this.#app.toasts.problem(error)
    }
  }

  /// Takes over what the API said of the clock.
  took(clock) {
    this.#clock = clock
    this.#readAt = Date.now()
    this.#tick()
    this.#popover.refresh()
  }

  #now() {
    const passed = this.#clock.mode === "frozen" ? 0 : Date.now() - this.#readAt
    return new Date(new Date(this.#clock.now).getTime() + passed)
  }

  #tick() {
    if (!this.#clock || document.hidden) return
    const { mode, offsetSeconds } = this.#clock
    const now = this.#now()
    const time = now.toLocaleTimeString("en-GB", { hour12: false })
    const isMoved = mode === "frozen" || Math.abs(offsetSeconds) >= 1
    replace(this.#time, time)
    replace(this.#mode, mode === "frozen" ? "frozen" : isMoved ? `${offsetSeconds > 0 ? "+" : "−"}${length(Math.abs(offsetSeconds))}` : "real")
    this.#popover.button.classList.toggle("is-moved", isMoved)
    this.#popover.button.setAttribute("aria-label", `Clock, ${this.#mode.textContent}, ${time}`)
    const words = this.#popover.panel.querySelector("time")
    if (words) replace(words, now.toISOString().replace(/\.\d+Z$/, "Z"))
  }

  #panel() {
    if (!this.#clock) return [h("p", {}, "The clock has not been read yet.")]
    const { mode, nextDue } = this.#clock
    const now = this.#now()
    const field = h("input", { type: "text", id: "clock-set", class: "mono", value: now.toISOString().slice(0, 19) + "Z", spellcheck: "false" })
    const untilDue = nextDue ? Math.max(0, new Date(nextDue).getTime() - now.getTime()) : null
    return [
      h("p", { class: "clock-now" }, h("time", { class: "mono" }, now.toISOString().replace(/\.\d+Z$/, "Z")), " ",
        h("span", { class: mode === "frozen" ? "chip wait" : "chip" }, mode === "frozen" ? "frozen" : "running")),
      h("p", { class: "weak" }, "It decides what expires, what is stored, and how old provider tokens are. Waits go by real time."),
      h("div", { class: "buttons" }, STEPS.map(({ by, label }) => this.#button(label, () => new Call("POST", "/clock/advance", { by })))),
      h("div", { class: "buttons" },
        mode === "frozen"
          ? null
          : this.#button("Freeze", () => new Call("PUT", "/clock", { mode: "frozen", now: this.#now().toISOString() })),
        mode === "frozen" || Math.abs(this.#clock.offsetSeconds) >= 1
          ? this.#button("Back to real time", () => new Call("PUT", "/clock", { mode: "real" }))
          : null),
      h("label", { class: "field", for: "clock-set" }, "Freeze at", field),
      h("div", { class: "buttons" }, this.#button("Set", () => new Call("PUT", "/clock", { mode: "frozen", now: field.value.trim() }))),
      nextDue === null
        ? h("p", { class: "weak" }, "Nothing is stored, so nothing will expire.")
        : h("div", { class: "buttons" }, this.#button(
          `Jump to the next expiry, in ${length(untilDue / 1_000)}`,
          () => new Call("POST", "/clock/advance", { by: `${Math.ceil(new Date(nextDue).getTime() - this.#now().getTime()) + 1}ms` })
        )),
    ]
  }

  #button(label, makeCall) {
    return this.#app.actions.button(label, makeCall, { kind: "small", onDone: (answer) => this.#moved(answer) })
  }

  #moved(answer) {
    this.took(answer)
    const parts = [["delivered", answer.deliveredCount], ["expired", answer.expiredCount], ["given up", answer.inactiveCount]]
      .filter(([, number]) => number > 0).map(([word, number]) => `${word} ${number}`)
    this.#app.toasts.show(`The clock says ${answer.now.slice(0, 19)}Z${parts.length ? `: ${parts.join(", ")}` : ""}`)
  }
}
