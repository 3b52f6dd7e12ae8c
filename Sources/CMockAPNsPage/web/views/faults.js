// The view of the faults, in the order in which they are evaluated.

import { actions, toasts } from "../core/actions.js"
import { api, Call } from "../core/api.js"
import { count, counted, emptyState, h, plain, refill, replace, Rows } from "../core/elements.js"
import { router } from "../core/router.js"
import { openEditor } from "./faults/editor.js"
import { makeSortable } from "./faults/order.js"
import { openPresets } from "./faults/presets.js"
import { FaultRow } from "./faults/fault-row.js"
import { draftOf, faultName } from "./faults/description.js"
import { View } from "./parts/view.js"

export class FaultsView extends View {
  #faults = []
  #dialog = null
  #dialogKey = ""
  #chosen = null

  constructor() {
    // Changes by other clients cause no event, so the faults are polled.
    super({
      name: "faults-view",
      title: "Faults",
      about: "Simulated errors. For each push, the first fault that fires applies.",
      turn: 5_000,
      events: /^fault\.fired$/,
      stops: ".rule-title",
    })
    this.clear = actions.button("Delete all…", () => new Call("DELETE", "/faults", undefined, { all: "true" }), {
      ask: { title: "Delete all faults?", text: "This cannot be undone.", button: "Delete all" },
      onDone: () => this.removed(),
    })
    const opener = (words, add, kind = "") =>
      h("button", { class: kind, onclick: () => router.go(router.path("/faults", { add })) }, words)
    this.tools.append(this.clear, opener("Add preset…", "preset"), opener("Add fault…", "fault", "primary"))
    this.empty = emptyState("No faults active",
      "A fault changes, delays or drops responses, breaks connections or loses notifications for the pushes you "
        + "choose. Start with a preset: each reproduces a real problem with APNs.",
      h("div.page-tools", opener("Choose preset…", "preset", "primary"), opener("Add fault…", "fault")))
    this.list = h("ol.rules", { "aria-label": "Faults in order" })
    this.rows = new Rows(this.list, (fault) => new FaultRow(this, fault))
    this.summary = h("p.weak", { role: "status" })
    this.said = h("p.said", { role: "status" })
    makeSortable(this.list, (ids) => this.#reorder(ids))
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
    this.rows.clear()
    this.#chosen = null
    this.#showDialog("")
  }

  async load() {
    const { faults } = await api.get("/faults")
    this.#fill(faults)
    this.draw()
  }

  draw() {
    // The response may arrive after another view was opened.
    if (!this.isShown) return
    const { fault: id, add, edit } = this.parameters
    if (id !== this.#chosen) {
      this.rows.get(this.#chosen)?.choose(false)
      this.#chosen = id ?? null
      const row = this.rows.get(id)
      row?.choose(true)
      row?.element.scrollIntoView({ block: "nearest" })
    }
    if (id && !this.rows.get(id)) {
      toasts.show(`Fault ${plain(id, 40)} not found.`, { isProblem: true })
      this.#close()
      return
    }
    this.#showDialog(add ?? (edit && id ? `edit ${id}` : ""))
  }

  hide() {
    super.hide()
    this.#showDialog("")
  }

  // Called by the rows.

  changed(fault) { this.#fill(this.#faults.map((one) => (one.id === fault.id ? fault : one))) }

  deleted(fault) {
    const index = this.#faults.indexOf(fault)
    this.#fill(this.#faults.filter((one) => one.id !== fault.id))
    const near = this.#faults[Math.max(0, Math.min(index, this.#faults.length - 1))]
    if (near) this.rows.get(near.id).focus()
    else this.heading.focus()
    if (this.parameters.fault === fault.id) this.#close()
    const undo = actions.button("Undo", () => new Call("POST", "/faults", draftOf(fault)), {
      kind: "small",
      onDone: () => this.refresh(),
    })
    toasts.show(`Deleted ${faultName(fault)}.`, { action: undo })
  }

  edit(fault) { router.go(router.path(`/faults/${encodeURIComponent(fault.id)}`, { edit: "yes" })) }

  move(id, step) {
    const ids = this.#faults.map((fault) => fault.id)
    const index = ids.indexOf(id)
    if (!ids[index + step]) return
    ids.splice(index, 1)
    ids.splice(index + step, 0, id)
    this.#reorder(ids, id)
  }

  async #reorder(ids, moved = null) {
    const answer = await actions.run(new Call("PUT", "/faults/order", { order: ids }))
    if (!answer) return
    const button = document.activeElement
    this.#fill(answer.faults)
    if (!moved) return
    const row = this.rows.get(moved)
    // At either end of the list, the pressed button is disabled.
    if (button.disabled) row.focus(row.up.disabled ? row.down : row.up)
    replace(this.said, `Moved ${faultName(row.fault)} to position ${row.fault.position}.`)
  }

  #fill(faults) {
    this.#faults = faults
    this.clear.hidden = faults.length === 0
    this.rows.set(faults.map((fault) => [fault.id, fault]))
    faults.forEach((fault, index) => this.rows.get(fault.id).setPosition(index, faults.length))
    const on = faults.filter((fault) => fault.enabled).length
    refill(this.summary, `${counted(faults.length, "fault")}, ${count(on)} active.`)
    this.place(...faults.length ? [this.list, this.summary, this.said] : [this.empty])
  }

  /// Opens the dialog of the URL: `preset`, `fault`, `edit flt_…`, or none.
  async #showDialog(key) {
    if (key === this.#dialogKey) return
    this.#dialogKey = key
    this.#dialog?.close()
    this.#dialog = null
    if (!key) return
    try {
      const dialog = await this.#open(key)
      if (this.#dialogKey !== key) {
        dialog.close()
        return
      }
      this.#dialog = dialog
      dialog.addEventListener("close", () => {
        if (this.#dialogKey !== key) return
        this.#dialogKey = ""
        this.#close()
      })
    } catch (error) {
      this.#dialogKey = ""
      toasts.problem(error)
      this.#close()
    }
  }

  #open(key) {
    if (key === "preset") return openPresets(() => this.refresh())
    const fault = key.startsWith("edit ") ? this.rows.get(key.slice(5)).fault : null
    return openEditor(fault, () => this.refresh())
  }

  /// Returns to the list, or to the open fault if it still exists.
  #close() {
    if (!this.isShown) return
    const id = this.parameters.fault
    const path = id && this.rows.get(id) ? `/faults/${encodeURIComponent(id)}` : "/faults"
    router.go(router.path(path), { instead: true })
  }
}
