// A fault in the list: its description, switch and buttons, and its details when it is open.

import {
  actions, Call, chip, copyable, facts, h, icon, plain, pushLink, redraw, replace, router, timeElement, timesCount,
} from "../../core/core.js"
import { apiSwitch } from "../parts/controls.js"
import { draftOf, faultName, firedWords } from "./description.js"
import { openEditor } from "./editor.js"

/// The number of recent random draws that are shown.
const DRAWS = 10

export class FaultRow {
  fault = null
  #list
  #shown = null
  #place = h("span.rule-place", { title: "Drag to reorder" })
  #state = h("div.rule-state")
  #text = h("div.rule-text")
  #fired = h("div.rule-fired")
  #more = h("div.rule-more")

  /// `list` is the view of the faults.
  constructor(list, { id }) {
    this.path = `/faults/${encodeURIComponent(id)}`
    this.#list = list
    const mover = (direction, step) => {
      const onclick = () => list.move(id, this.fault.position - 1 + step)
      return h("button.quiet.small", { title: `Move ${direction}`, onclick }, icon(direction))
    }
    this.up = mover("up", -1)
    this.down = mover("down", 1)
    this.editButton = h("button.small", { onclick: () => openEditor(() => list.refresh(), this.fault) }, "Edit…")
    this.deleteButton = actions.button("Delete", () => new Call("DELETE", this.path), {
      kind: "small",
      onDone: () => list.deleted(this.fault),
    })
    this.element = h("li.rule", { data: { fault: id } },
      h("span.rule-handle", { draggable: "true" }, this.#place),
      this.#state,
      this.#text,
      this.#fired,
      h("div.rule-buttons", this.up, this.down, this.editButton, this.deleteButton),
      this.#more)
  }

  update(fault) {
    this.fault = fault
    const { id, enabled, position, preset, description, when, stats } = fault
    const isOpen = this.#list.parameters.fault === id
    const isLast = position === this.#list.faults.length
    const shown = JSON.stringify([fault, isOpen, isLast])
    if (shown === this.#shown) return
    this.#shown = shown
    const name = faultName(fault)
    this.element.classList.toggle("off", !enabled)
    this.element.classList.toggle("chosen", isOpen)
    replace(this.#place, position)
    redraw(this.#state, apiSwitch({
      name: `${name} on`,
      words: enabled ? "On" : "Off",
      isOn: enabled,
      makeCall: (isOn) => new Call("PATCH", this.path, { enabled: isOn }),
      onDone: () => this.#list.refresh(),
    }))
    const href = router.path(isOpen ? "/faults" : this.path)
    redraw(this.#text,
      h("h2.rule-head",
        h("a.rule-title.foreign", { href, "aria-expanded": String(isOpen) }, name),
        preset && preset !== name ? chip(preset) : null),
      h("p.rule-words",
        h("span.foreign", plain(description.pushes)),
        h("span.weak", " → "),
        plain(description.when),
        h("span.weak", " → "),
        h("strong", plain(description.action))))
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
    this.up.disabled = position === 1
    this.down.disabled = isLast
    this.#more.hidden = !isOpen
    if (isOpen) redraw(this.#more, detailsOf(fault))
  }

  focus(part = this.element.querySelector(".rule-title")) { part.focus({ preventScroll: true }) }
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
