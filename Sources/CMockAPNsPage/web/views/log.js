// The view of the log: every event of the namespace as it happens.

import {
  clock, count, counts, h, icon, isStep, live, openMark, pageLink, plain, refill, replace, router, soon, timeOfDay,
} from "../core/core.js"
import { readHistory } from "./log/history.js"
import { GROUPS, groupOf, lineOf } from "./log/lines.js"
import { View } from "./parts/view.js"

/// The number of lines that are kept, and of past events that are loaded first.
const MOST = 2_000
const HISTORY = 600
/// The pause between two updates (milliseconds).
const REST = 50

export class LogView extends View {
  /// The events that wait while the log is loading, paused, scrolled or hidden: `{event, heardAt}`, the oldest first.
  #arrived = []
  /// What the live stream has told since the number `#toldSeq`, and what of the past it will tell as well.
  #told = []
  #toldSeq = 0
  #repeated = []
  #isPaused = false
  #updateSoon = soon(() => this.#update(), REST)

  constructor() {
    super({ name: "log-view", title: "Log", about: "All events, newest first." })
    this.pause = h("button", { onclick: () => this.#setPaused(!this.#isPaused) })
    this.tools.append(this.pause, h("button", { onclick: openMark }, "Mark…"))
    const filters = GROUPS.map(({ name, label }) => h("button.small",
      { data: { group: name }, onclick: () => this.#toggle(name) }, label))
    this.filters = h("div.buttons", { role: "group", "aria-label": "Event types" }, filters)
    this.newer = h("button.newer.primary", { hidden: true, onclick: () => this.#showArrived() })
    this.lines = h("ol")
    this.scroller = h("div.lines", { tabindex: "0", role: "region", "aria-label": "Events" }, this.lines)
    this.scroller.addEventListener("scroll", () => this.#updateSoon(), { passive: true })
    this.summary = h("p.weak", { role: "status" })
    this.empty = h("p.weak.log-empty", "No events yet. Send a push, or switch a device on or off.")
    this.frame = h("div.log-frame", this.newer, this.empty, this.scroller)
    this.#setPaused(false)
    // Listens directly to all events, including `reset` and `gap`, which reload other views.
    live.addEventListener("message", ({ detail }) => this.#heard(detail))
  }

  async load() {
    this.#arrived = []
    this.#repeated = []
    const { seq } = live
    const told = this.#toldSeq === seq ? [...this.#told] : []
    const past = await readHistory(Math.max(0, seq - HISTORY))
    const repeated = past.filter((event) => event.seq >= seq).map(identity)
    for (const name of told) take(name, repeated)
    this.#arrived = this.#arrived.filter(({ event }) => !take(identity(event), repeated))
    this.#repeated = repeated
    replace(this.lines)
    // What has no time happened between what is before and after it.
    const times = past.map((event) => lineOf(event, []).at)
    let before = null
    this.#add(past.map((event, at) => {
      before = times[at] ?? before
      return { event, heardAt: before ?? times.find(Boolean), bound: before ? "≥" : "≤" }
    }))
    this.place(this.filters, this.frame, this.summary)
    this.draw()
  }

  draw() {
    const chosen = this.#chosen
    for (const button of this.filters.children) button.ariaPressed = String(chosen.has(button.dataset.group))
    for (const line of this.lines.children) line.hidden = chosen.size > 0 && !chosen.has(line.dataset.group)
    this.#updateSoon()
  }

  /// A reset or a gap is shown as a line; another namespace or run clears the log.
  reload(why) {
    if (why !== "another") return
    this.#told = []
    this.#toldSeq = 0
    super.reload(why)
  }

  get #chosen() {
    const names = (this.parameters.only ?? "").split(",")
    return new Set(names.filter((name) => GROUPS.some((group) => group.name === name)))
  }

  #heard(event) {
    if (event.seq > this.#toldSeq) {
      this.#toldSeq = event.seq
      this.#told = []
    }
    const name = identity(event)
    this.#told.push(name)
    if (take(name, this.#repeated)) return
    this.#arrived.push({ event, heardAt: new Date(clock.real).toISOString() })
    if (this.#arrived.length > MOST * 2) this.#arrived = this.#arrived.slice(-MOST)
    this.#updateSoon()
  }

  /// Shows the events that arrived, unless the log is paused or scrolled, and the counts.
  #update() {
    // The lines are placed when the log is loaded, and removed with the view.
    if (!this.lines.isConnected) return
    if (!this.#isPaused && this.scroller.scrollTop < 16) this.#add(this.#arrived.splice(0))
    const waiting = this.#arrived.length
    const shown = this.lines.querySelectorAll(":scope > :not([hidden])").length
    this.newer.hidden = waiting === 0
    this.empty.hidden = shown > 0
    refill(this.newer, waiting, (number) => [icon("up"), `${count(number)} new`])
    const known = this.lines.childElementCount
    const kept = known === MOST ? `the newest ${count(MOST)} are kept` : `${count(known)} in total`
    refill(this.summary, `${count(shown)} shown; ${kept}.`)
  }

  /// Adds lines at the top and removes the oldest.
  #add(lines) {
    const chosen = this.#chosen
    const elements = lines.slice(-MOST).reverse().map((line) => this.#lineElement(line, chosen))
    this.lines.prepend(...elements)
    while (this.lines.childElementCount > MOST) this.lines.lastElementChild.remove()
  }

  #showArrived() {
    this.scroller.scrollTop = 0
    this.scroller.focus()
    this.#setPaused(false)
  }

  #setPaused(isPaused) {
    this.#isPaused = isPaused
    this.pause.ariaPressed = String(isPaused)
    replace(this.pause, icon(isPaused ? "play" : "pause"), isPaused ? "Resume" : "Pause")
    this.#updateSoon()
  }

  #toggle(name) {
    const chosen = this.#chosen
    if (!chosen.delete(name)) chosen.add(name)
    router.go(router.path("/log", { only: [...chosen].join(",") }), { instead: true })
  }

  /// `heardAt` is used for events without a time. With a `bound`, it is the earliest or the latest time.
  #lineElement({ event, heardAt, bound = "" }, chosen) {
    const { words, path, tone, at } = lineOf(event, counts.known.get("faults") ?? [])
    const time = at ?? heardAt
    const group = groupOf(event.type)
    return h("li.line", { class: tone, data: { group }, hidden: chosen.size > 0 && !chosen.has(group) },
      h("span.line-seq", isNumbered(event) ? `#${event.seq}` : ""),
      h("span.line-time", { title: `${at ? "" : bound} ${time ?? ""}` }, at ? "" : bound, time ? timeOfDay(time) : ""),
      h("code.line-type", plain(event.type, 30)),
      path ? pageLink(path, words, { kind: "foreign one-line" }) : h("span.foreign.one-line", words))
  }
}

function isNumbered({ type, seq }) { return seq && (isStep(type) || type === "mark") }

/// Identifies an event that may be received twice.
function identity({ type, seq, data }) {
  return [type, seq, data.id ?? data.token ?? data.fault, data.push].join(" ")
}

/// Removes a name from a list; returns whether it was there.
function take(name, list) {
  const at = list.indexOf(name)
  if (at >= 0) list.splice(at, 1)
  return at >= 0
}
