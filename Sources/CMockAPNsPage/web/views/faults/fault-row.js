// A fault in the list: its description, switch and buttons, and its details when it is open.

import { actions, copyable } from "../../core/actions.js"
import { Call } from "../../core/api.js"
import { chip, facts, h, icon, plain, pushLink, redraw, refill, timeElement, timesCount } from "../../core/elements.js"
import { router } from "../../core/router.js"
import { apiSwitch } from "../parts/controls.js"
import { draftOf, faultName, firedWords } from "./description.js"

/// The number of recent random draws that are shown.
const DRAWS = 10

export class FaultRow {
  fault = null
  #list
  #isChosen = false
  #place = h("span.rule-place", { title: "Drag to reorder" })
  #state = h("div.rule-state")
  #title = h("a.rule-title.foreign")
  #preset = h("span")
  #words = h("p.rule-words")
  #fired = h("div.rule-fired")
  #more = h("div.rule-more")

  /// The controls call `changed(fault)`, `deleted(fault)`, `move(id, step)` and `edit(fault)` of `list`.
  constructor(list, { id }) {
    this.path = `/faults/${encodeURIComponent(id)}`
    this.#list = list
    const mover = (title, step) => h(
      "button.quiet.small", { title: `Move ${title}`, onclick: () => list.move(id, step) }, icon(title))
    this.up = mover("up", -1)
    this.down = mover("down", 1)
    this.editButton = h("button.small", { onclick: () => list.edit(this.fault) }, "Edit…")
    this.deleteButton = actions.button("Delete", () => new Call("DELETE", this.path), {
      kind: "small",
      onDone: () => list.deleted(this.fault),
    })
    this.element = h("li.rule", { data: { fault: id } },
      h("span.rule-handle", { draggable: "true" }, this.#place),
      this.#state,
      h("div.rule-text", h("h2.rule-head", this.#title, this.#preset), this.#words),
      this.#fired,
      h("div.rule-buttons", this.up, this.down, this.editButton, this.deleteButton),
      this.#more)
  }

  update(fault) {
    this.fault = fault
    const name = faultName(fault)
    const { enabled, position, preset, description, when, stats } = fault
    this.element.classList.toggle("off", !enabled)
    refill(this.#place, position)
    redraw(this.#state, apiSwitch({
      name: `${name} on`,
      words: enabled ? "On" : "Off",
      isOn: enabled,
      makeCall: (isOn) => new Call("PATCH", this.path, { enabled: isOn }),
      onDone: (changed) => this.#list.changed(changed),
    }))
    refill(this.#title, name)
    this.#title.href = router.path(this.#isChosen ? "/faults" : this.path)
    redraw(this.#preset, preset && preset !== name ? chip(preset) : null)
    refill(this.#words, description, ({ pushes, when, action }) => [
      h("span.foreign", plain(pushes)),
      h("span.weak", " → "),
      h("span", plain(when)),
      h("span.weak", " → "),
      h("strong", plain(action)),
    ])
    const { fired, lastFiredAt } = stats
    const isUsedUp = Boolean(when.times) && fired >= when.times
    redraw(this.#fired,
      h("div", firedWords(fault), isUsedUp ? chip("limit reached") : null),
      lastFiredAt
        ? h("div.small-print.weak", "last ", timeElement(lastFiredAt, { isOfClock: true }))
        : null)
    this.up.setAttribute("aria-label", `Move ${name} up`)
    this.down.setAttribute("aria-label", `Move ${name} down`)
    this.editButton.setAttribute("aria-label", `Edit ${name}`)
    this.deleteButton.setAttribute("aria-label", `Delete ${name}`)
    this.#more.hidden = !this.#isChosen
    if (this.#isChosen) redraw(this.#more, detailsOf(fault))
  }

  /// Disables the move buttons at the ends of the list.
  setPosition(index, total) {
    this.up.disabled = index === 0
    this.down.disabled = index === total - 1
  }

  choose(isChosen) {
    this.#isChosen = isChosen
    this.element.classList.toggle("chosen", isChosen)
    this.#title.setAttribute("aria-expanded", String(isChosen))
    this.update(this.fault)
  }

  focus(part = this.#title) { part.focus({ preventScroll: true }) }
}

function detailsOf(fault) {
  const { id, stats } = fault
  const pushes = stats.firedFor.map((push, index) => pushLink(
    push, h("code", push.replace(/^psh_.*?(?=.{6}$)/, "…")), { name: `Push ${index + 1} it fired for` }))
  const draws = stats.draws.slice(-DRAWS).map(({ value, fired }) => chip(
    `${value.toFixed(3)}${fired ? " fired" : ""}`, fired ? "bad" : ""))
  return [
    facts([
      ["ID", h("code", id)],
      ["Matched", timesCount(stats.evaluated)],
      ["Fired for", h("span.push-links", pushes.length ? pushes : "none")],
      ["Latest random numbers", draws.length ? h("span.push-links", draws) : null],
    ]),
    h("div", h("h3", "As JSON"), copyable(JSON.stringify(draftOf(fault), null, 2), "Copy JSON")),
  ]
}
