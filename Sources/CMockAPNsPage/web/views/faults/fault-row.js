// A fault in the list: its description, switch and buttons, and its details when it is open.

import { copyable } from "../../core/actions.js"
import { Call } from "../../core/api.js"
import { h } from "../../core/dom.js"
import { icon } from "../../core/icons.js"
import { fact } from "../../core/parts.js"
import { refill } from "../../core/rows.js"
import { timesCount } from "../../core/time.js"
import { timeElement } from "../../core/time-element.js"
import { apiSwitch } from "../parts/controls.js"
import { actionWords, draftOf, faultName, firedWords, matchWords, whenWords } from "./description.js"

/// The number of recent random draws that are shown.
const DRAWS = 10

export class FaultRow {
  fault = null
  #app
  #isChosen = false

  /// The controls call `changed(fault)`, `deleted(fault)`, `move(id, step)` and `edit(fault)` of `list`.
  constructor(app, list, fault) {
    this.#app = app
    const path = `/faults/${encodeURIComponent(fault.id)}`
    this.place = h("span", { class: "rule-place", title: "Drag to reorder" })
    this.handle = h("span", { class: "rule-handle", draggable: "true" }, this.place)
    this.state = apiSwitch(app, {
      name: `${faultName(fault)} on`,
      words: (isOn) => (isOn ? "On" : "Off"),
      makeCall: (isOn) => new Call("PATCH", path, { enabled: isOn }),
      onDone: (changed) => list.changed(changed),
    })
    this.title = h("a", { class: "rule-title foreign" })
    this.preset = h("span", { class: "chip" })
    this.words = h("p", { class: "rule-words" })
    this.fired = h("div", { class: "rule-fired" })
    const button = (words, iconName, run) => h(
      "button",
      { class: "quiet small", "aria-label": words, title: words, onclick: run },
      icon(iconName)
    )
    this.up = button("Move up", "up", () => list.move(fault.id, -1))
    this.down = button("Move down", "down", () => list.move(fault.id, 1))
    const edit = h("button", { class: "small", onclick: () => list.edit(this.fault) }, "Edit…")
    const remove = app.actions.button("Delete", () => new Call("DELETE", path), {
      kind: "small",
      onDone: () => list.deleted(this.fault),
    })
    this.controls = [this.up, this.down, edit, remove]
    this.more = h("div", { class: "rule-more", hidden: true })
    this.element = h(
      "li",
      { class: "rule", data: { fault: fault.id } },
      this.handle,
      h("div", { class: "rule-state" }, this.state),
      h("div", { class: "rule-text" },
        h("h2", { class: "rule-head" }, this.title, this.preset), this.words),
      this.fired,
      h("div", { class: "rule-buttons" }, this.controls),
      this.more
    )
  }

  update(fault) {
    this.fault = fault
    const name = faultName(fault)
    const isUsedUp = Boolean(fault.when.times) && fault.stats.fired >= fault.when.times
    this.element.classList.toggle("off", !fault.enabled)
    refill(this.place, fault.position)
    this.state.show(fault.enabled)
    refill(this.title, name)
    this.title.href = this.#app.router.path(this.#isChosen ? "/faults" : `/faults/${encodeURIComponent(fault.id)}`)
    this.preset.hidden = !fault.preset || fault.preset === name
    refill(this.preset, fault.preset ?? "")
    refill(this.words, [fault.match, fault.when, fault.do], () => [
      h("span", { class: "foreign" }, matchWords(fault.match, fault.do)),
      h("span", { class: "rule-arrow weak" }, " → "),
      h("span", {}, whenWords(fault.when)),
      h("span", { class: "rule-arrow weak" }, " → "),
      h("strong", {}, actionWords(fault.do)),
    ])
    const { fired, lastFiredAt } = fault.stats
    refill(this.fired, [fired, lastFiredAt, fault.when.times], () => [
      h("div", {}, firedWords(fault), isUsedUp ? h("span", { class: "chip" }, "used up") : null),
      lastFiredAt ? h("div", { class: "small-print weak" }, "last ", timeElement(lastFiredAt, { isOfClock: true })) : null,
    ])
    const [up, down, edit, remove] = this.controls
    up.setAttribute("aria-label", `Move ${name} up`)
    down.setAttribute("aria-label", `Move ${name} down`)
    edit.setAttribute("aria-label", `Edit ${name}`)
    remove.setAttribute("aria-label", `Delete ${name}`)
    if (this.#isChosen) this.#drawMore()
  }

  /// Disables the move buttons at the ends of the list.
  setPosition(index, total) {
    this.up.disabled = index === 0
    this.down.disabled = index === total - 1
  }

  choose(isChosen) {
    this.#isChosen = isChosen
    this.element.classList.toggle("chosen", isChosen)
    this.title.setAttribute("aria-expanded", String(isChosen))
    this.more.hidden = !isChosen
    this.update(this.fault)
  }

  focus(part = this.title) { part.focus({ preventScroll: true }) }

  #drawMore() {
    const { fault } = this
    const { stats } = fault
    refill(this.more, [draftOf(fault), stats], () => {
      const pushes = stats.firedFor.map((id, index) => h("a", {
        href: this.#app.router.path(`/p/${encodeURIComponent(id)}`),
        "aria-label": `Push ${index + 1} it fired for`,
      }, h("code", {}, id.replace(/^psh_.*?(?=.{6}$)/, "…"))))
      const draws = stats.draws.slice(-DRAWS).map((draw) => h("span", { class: draw.fired ? "chip bad" : "chip" },
        `${draw.value.toFixed(3)}${draw.fired ? " fired" : ""}`))
      return [
        h("dl", { class: "fact-list" },
          fact("ID", h("code", {}, fault.id)),
          fact("Matched", timesCount(stats.evaluated)),
          fact("Fired for", h("span", { class: "push-links" }, pushes.length ? pushes : "none")),
          draws.length ? fact("Random draws", h("span", { class: "push-links" }, draws)) : null),
        h("div", {}, h("h3", {}, "As JSON"), copyable(JSON.stringify(draftOf(fault), null, 2), "Copy JSON")),
      ]
    })
  }
}
