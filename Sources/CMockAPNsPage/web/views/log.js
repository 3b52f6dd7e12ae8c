// The view of the log: every event of the namespace as it happens.

import { h, plain, replace } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { refill } from "../core/rows.js"
import { count, timeOfDay } from "../core/time.js"
import { openMark } from "../core/push-dialogs.js"
import { readHistory } from "./log/history.js"
import { LineWindow } from "./log/window.js"
import { GROUPS, groupOf, lineOf, timeOf } from "./log/lines.js"
import { View } from "./parts/view.js"

/// The number of lines that are kept, and of past events that are loaded first.
const MOST = 2_000
const HISTORY = 600

export class LogView extends View {
  /// The lines, newest first, without those that arrived while the log is paused or scrolled.
  #lines = []
  #arrived = []
  #shown = []
  #isPaused = false
  #isReading = false
  #frame = 0
  #number = 0
  #isKnown = false

  constructor(app) {
    super(app, { name: "log-view", title: "Log", about: "All events, newest first." })
    this.pause = h("button", { "aria-pressed": "false", onclick: () => this.#setPaused(!this.#isPaused) })
    const mark = h("button", { onclick: () => openMark(this.app) }, "Mark…")
    this.tools.append(this.pause, mark)
    const filters = GROUPS.map((group) => {
      const onclick = () => this.#toggle(group.name)
      return h("button", { class: "small", data: { group: group.name }, onclick }, group.label)
    })
    this.filters = h("div", { class: "filter-bar", role: "group", "aria-label": "Event types" }, filters)
    this.newer = h("button", { class: "newer", hidden: true, onclick: () => this.#showArrived() })
    this.window = new LineWindow("Events", (line) => this.#lineElement(line))
    this.window.element.addEventListener("scroll", () => this.#soon(), { passive: true })
    this.summary = h("p", { class: "weak", role: "status" })
    this.empty = h("p", { class: "weak log-empty" }, "No events yet. Send a push, or switch a device on or off.")
    this.frame = h("div", { class: "log-frame" }, this.newer, this.empty, this.window.element)
    this.#drawPause()
    // Listens directly to all events, including `reset` and `gap`, which reload other views.
    app.live.addEventListener("message", ({ detail }) => this.#heard(detail))
    replace(this.content, this.filters, this.frame, this.summary)
  }

  async load() {
    if (!this.#isKnown) {
      this.#isKnown = true
      this.#lines = []
      this.#arrived = []
      this.#isReading = true
      const arrived = []
      await readHistory(this.app.api, Math.max(0, this.app.live.seq - HISTORY), (event) => arrived.push(event))
      this.#isReading = false
      const meanwhile = this.#arrived
      const known = new Set(arrived.slice(-100).map(identity))
      const lines = arrived.map((event) => this.#lineFor(event))
      lines.push(...meanwhile.filter((line) => !known.has(identity(line.event))))
      this.#lines = lines.slice(-MOST).reverse()
      this.#arrived = []
    }
    this.draw()
  }

  draw() {
    const chosen = this.#chosen
    for (const button of this.filters.children) {
      button.setAttribute("aria-pressed", String(chosen.has(button.dataset.group)))
    }
    this.#refilter()
  }

  /// A reset or a gap is shown as a line; another namespace or run clears the log.
  reload(why) {
    if (why !== "another") return
    this.#isKnown = false
    this.#lines = []
    this.#arrived = []
    this.markStale()
    if (this.isShown) this.refresh()
  }

  get #chosen() {
    const names = (this.parameters.only ?? "").split(",")
    return new Set(names.filter((name) => GROUPS.some((group) => group.name === name)))
  }

  #heard(event) {
    if (!this.#isKnown) return
    this.#arrived.push(this.#lineFor(event, new Date().toISOString()))
    // Drop the oldest lines that were never shown.
    if (this.#arrived.length > MOST * 2) this.#arrived = this.#arrived.slice(-MOST)
    if (this.isShown) this.#soon()
  }

  /// `heardAt` is used for events without a time. The text of a line is created when it is shown.
  #lineFor(event, heardAt = null) {
    return { key: (this.#number += 1), event, group: groupOf(event.type), heardAt }
  }

  #soon() { this.#frame ||= requestAnimationFrame(() => this.#flush()) }

  #flush() {
    this.#frame = 0
    if (this.#isReading) return
    if (!this.#isPaused && this.window.isAtTop) this.#take()
    this.#drawCounts()
  }

  #take() {
    if (this.#arrived.length === 0) return
    this.#lines = [...this.#arrived.toReversed(), ...this.#lines].slice(0, MOST)
    this.#arrived = []
    this.#refilter()
  }

  #showArrived() {
    this.#setPaused(false)
    this.window.toTop()
    this.#take()
    this.window.element.focus()
  }

  #refilter() {
    const chosen = this.#chosen
    this.#shown = chosen.size ? this.#lines.filter((line) => chosen.has(line.group)) : this.#lines
    this.window.set(this.#shown)
    this.#drawCounts()
  }

  #drawCounts() {
    const waiting = this.#arrived.length
    this.newer.hidden = waiting === 0
    this.empty.hidden = this.#shown.length > 0
    refill(this.newer, waiting, (number) => [icon("up"), `${count(number)} new`])
    const known = this.#lines.length
    const kept = known === MOST ? `the newest ${count(MOST)} are kept` : `${count(known)} in total`
    refill(this.summary, `${count(this.#shown.length)} shown; ${kept}.`)
  }

  #setPaused(isPaused) {
    this.#isPaused = isPaused
    this.#drawPause()
    this.#soon()
  }

  #drawPause() {
    this.pause.setAttribute("aria-pressed", String(this.#isPaused))
    replace(this.pause, icon(this.#isPaused ? "play" : "pause"), this.#isPaused ? "Resume" : "Pause")
  }

  #toggle(name) {
    const chosen = this.#chosen
    if (!chosen.delete(name)) chosen.add(name)
    const { router } = this.app
    router.go(router.path("/log", { only: [...chosen].join(",") }), { instead: true })
  }

  #lineElement({ event, heardAt }) {
    const time = timeOf(event) ?? heardAt
    const { words, path, tone } = lineOf(event, this.app.shell.counts.known.get("faults") ?? [])
    const text = path
      ? h("a", { class: "foreign one-line", href: this.app.router.path(path) }, words)
      : h("span", { class: "foreign one-line" }, words)
    return h(
      "li",
      { class: tone ? `line tone-${tone}` : "line" },
      h("span", { class: "line-seq" }, isNumbered(event) ? `#${event.seq}` : ""),
      h("span", { class: "line-time", title: time }, time ? timeOfDay(time) : ""),
      h("code", { class: "line-type" }, plain(event.type, 30)),
      text
    )
  }
}

/// Whether an event has a number of its own. Others repeat that of the newest push or mark.
function isNumbered({ type, seq }) { return seq && (type.startsWith("push.") || type === "mark") }

/// Identifies an event that may be received twice.
function identity({ type, seq, data }) {
  return [type, seq, data.id ?? data.token ?? data.fault, data.push].join(" ")
}
