// The dialog that adds or edits a fault, with a dry run on the recorded pushes.

import { api, Call } from "../../core/api.js"
import { count, h, replace } from "../../core/elements.js"
import { complaintWords } from "../../core/forms.js"
import { formDialog } from "../../core/form-dialog.js"
import { router } from "../../core/router.js"
import { loadChoices } from "./actions.js"
import { FaultFields } from "./fields.js"

/// The pause after the last keystroke before the dry run (milliseconds).
const REST = 350

/// Opens the dialog for a new fault or for `fault`. `onDone(fault)` gets the API's response.
export async function openEditor(fault, onDone) {
  await loadChoices()
  const fields = new FaultFields(fault)
  const dryRun = new DryRun(fields)
  const before = fault ? JSON.stringify(described(fields.value)) : null
  const makeCall = () => {
    if (!fault) return new Call("POST", "/faults", fields.value)
    const path = `/faults/${encodeURIComponent(fault.id)}`
    const value = fields.value
    // Changing only the name keeps the fault's counters.
    if (JSON.stringify(described(value)) === before && (value.name || !fault.name)) {
      return value.name && value.name !== fault.name ? new Call("PATCH", path, { name: value.name }) : null
    }
    return new Call("PUT", path, { ...value, enabled: fault.enabled })
  }
  return formDialog({
    title: fault ? "Edit fault" : "Add fault",
    intro: fault ? "Changes reset the counters, except a change of only the name." : null,
    fields,
    foot: dryRun.element,
    button: fault ? "Save" : "Add",
    makeCall,
    onDone,
    wide: true,
  })
}

function described({ name, ...others }) { return others }

/// Shows how many recorded pushes the fault would have hit.
class DryRun {
  #fields
  #timer = 0
  #turn = 0
  #total = null

  constructor(fields) {
    this.#fields = fields
    this.element = h("div.rehearsal.notice", { role: "status", "aria-label": "Dry run" })
    fields.element.addEventListener("input", () => this.#soon())
    fields.element.addEventListener("change", () => this.#soon())
    this.#run()
  }

  #soon() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#run(), REST)
  }

  async #run() {
    const turn = (this.#turn += 1)
    if (this.#fields.isOnConnection) {
      replace(this.element, "No dry run: this fault applies when a connection opens, before any push.")
      return
    }
    try {
      this.#total ??= (await api.get("/pushes/count")).count
      const answer = await api.send(new Call("POST", "/faults/dry-run", this.#fields.conditions))
      if (turn !== this.#turn) return
      const last = answer.pushes.at(-1)
      replace(this.element,
        h("span",
          "Would have hit ", h("strong", count(answer.hits)), ` of the last ${count(this.#total)} pushes`,
          answer.matched > answer.hits ? `; ${count(answer.matched)} match the condition.` : "."),
        last ? h("a", {
          href: router.path(`/p/${encodeURIComponent(last)}`),
          target: "_blank",
          title: "Opens in another tab",
        }, "View the last one") : null,
        answer.note ? h("span.weak", answer.note) : null)
    } catch (error) {
      const [first] = error.errors ?? []
      const words = first ? complaintWords(first).split("\n")[0] : error.message
      if (turn === this.#turn) replace(this.element, h("span.warn", words))
    }
  }
}
