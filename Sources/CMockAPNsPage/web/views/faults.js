// The view of the faults, in the order in which they are evaluated.

import {
  actions, api, Call, count, counted, emptyState, h, plain, refill, replace, router, Rows, toasts,
} from "../core/core.js"
import { openEditor } from "./faults/editor.js"
import { makeSortable } from "./faults/order.js"
import { openPresets } from "./faults/presets.js"
import { draftOf, faultName } from "./faults/description.js"
import { FaultRow } from "./faults/fault-row.js"
import { View } from "./parts/view.js"

export class FaultsView extends View {
  /// `null` until they are loaded.
  faults = null
  /// The ID of the open fault.
  #opened = null

  constructor() {
    // Changes by other clients cause no event, so the faults are polled.
    super({
      name: "faults-view",
      title: "Faults",
      about: "Simulated errors. For each push, the first fault that fires applies.",
      turn: 5_000,
      events: /^fault\.fired$/,
    })
    this.clear = actions.button("Delete all…", () => new Call("DELETE", "/faults", undefined, { all: "true" }), {
      ask: { title: "Delete all faults?", text: "This cannot be undone.", button: "Delete all" },
      onDone: () => this.removed(),
    })
    const opener = (words, open, kind = "") =>
      h("button", { class: kind, onclick: () => open(() => this.refresh()) }, words)
    this.tools.append(this.clear, opener("Add preset…", openPresets), opener("Add fault…", openEditor, "primary"))
    this.empty = emptyState("No faults active",
      "A fault changes, delays or drops responses, breaks connections or loses notifications for the pushes you "
        + "choose. Start with a preset: each reproduces a real problem with APNs.",
      h("div.page-tools", opener("Choose preset…", openPresets, "primary"), opener("Add fault…", openEditor)))
    this.list = h("ol.rules", { "aria-label": "Faults in order" })
    this.rows = new Rows(this.list, (fault) => new FaultRow(this, fault))
    this.summary = h("p.weak", { role: "status" })
    this.said = h("p.said", { role: "status" })
    makeSortable(this.list, (id, index) => this.move(id, index), () => this.draw())
  }

  /// Handles Escape, which closes the open fault.
  key(name) {
    if (name !== "Escape" || !this.parameters.fault) return super.key(name)
    const id = this.parameters.fault
    router.go(router.path("/faults"))
    this.rows.get(id)?.focus()
    return true
  }

  forget() {
    this.faults = null
    this.rows.clear()
    this.#opened = null
  }

  async load() {
    const { faults } = await api.get("/faults")
    this.#show(faults)
  }

  draw() {
    // The response may arrive after another view was opened.
    if (!this.isShown || !this.faults) return
    const { faults, parameters: { fault: id } } = this
    this.clear.hidden = faults.length === 0
    this.rows.set(faults.map((fault) => [fault.id, fault]))
    const on = faults.filter((fault) => fault.enabled).length
    refill(this.summary, `${counted(faults.length, "fault")}, ${count(on)} active.`)
    this.place(...faults.length ? [this.list, this.summary, this.said] : [this.empty])
    const opened = this.rows.get(id)
    if (id && !opened) {
      toasts.show(`Fault ${plain(id, 40)} not found.`, { isProblem: true })
      this.#close()
    } else if (id !== this.#opened) {
      opened?.element.scrollIntoView({ block: "nearest" })
    }
    this.#opened = id
  }

  // Called by the rows.

  /// Also reloads, because the positions changed.
  deleted(fault) {
    const index = this.faults.indexOf(fault)
    const near = this.faults[index + 1] ?? this.faults[index - 1]
    if (this.parameters.fault === fault.id) this.#close()
    this.#show(this.faults.filter((one) => one !== fault))
    if (near) this.rows.get(near.id).focus()
    else this.heading.focus()
    this.refresh()
    const undo = actions.button("Undo", () => new Call("POST", "/faults", draftOf(fault)), {
      kind: "small",
      onDone: () => this.refresh(),
    })
    toasts.show(`Deleted ${faultName(fault)}.`, { action: undo })
  }

  async move(id, index) {
    const ids = this.faults.map((fault) => fault.id).filter((other) => other !== id)
    ids.splice(index, 0, id)
    const answer = await actions.run(new Call("PUT", "/faults/order", { order: ids }))
    if (!answer) return
    const button = document.activeElement
    this.#show(answer.faults)
    const row = this.rows.get(id)
    // At either end of the list, the pressed button is disabled.
    if (button.disabled) row.focus(row.up.disabled ? row.down : row.up)
    replace(this.said, `Moved ${faultName(row.fault)} to position ${row.fault.position}.`)
  }

  #show(faults) {
    this.faults = faults
    this.draw()
  }

  #close() { router.go(router.path("/faults"), { instead: true }) }
}
