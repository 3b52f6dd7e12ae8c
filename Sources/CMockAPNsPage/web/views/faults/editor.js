// The dialog that adds or edits a fault, with a dry run on the recorded pushes.

import { api, Call } from "../../core/api.js"
import { count, h, replace } from "../../core/elements.js"
import { complaintWords } from "../../core/forms.js"
import { formDialog } from "../../core/form-dialog.js"
import { router } from "../../core/router.js"
import { whenStill } from "../../core/soon.js"
import { loadChoices } from "./actions.js"
import { FaultFields } from "./fields.js"

/// The pause after the last keystroke before the dry run (milliseconds).
const REST = 350

/// Opens the dialog for a new fault or for `fault`. `onDone(fault)` gets the API's response.
export async function openEditor(fault, onDone) {
  await loadChoices()
  const fields = new FaultFields(fault)
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
    foot: dryRunPart(fields),
    button: fault ? "Save" : "Add",
    makeCall,
    onDone,
    wide: true,
  })
}

function described({ name, ...others }) { return others }

/// A note that shows how many recorded pushes the fault would have hit.
function dryRunPart(fields) {
  const element = h("div.rehearsal.notice", { role: "status", "aria-label": "Dry run" })
  let turn = 0
  const run = async () => {
    const own = turn += 1
    const words = fields.isOnConnection
      ? "No dry run: this fault applies when a connection opens, before any push."
      : await hitsOf(fields.conditions)
    if (own === turn) replace(element, words)
  }
  const change = whenStill(run, REST)
  fields.element.addEventListener("input", change)
  fields.element.addEventListener("change", change)
  run()
  return element
}

/// What the dry run of a fault with these conditions says.
async function hitsOf(conditions) {
  try {
    const { count: total } = await api.get("/pushes/count")
    const { pushes, hits, matched, note } = await api.send(new Call("POST", "/faults/dry-run", conditions))
    const link = { target: "_blank", title: "Opens in another tab" }
    return [
      h("span",
        "Would have hit ", h("strong", count(hits)), ` of the last ${count(total)} pushes`,
        matched > hits ? `; ${count(matched)} match the condition.` : "."),
      pushes.length
        ? h("a", { href: router.path(`/p/${encodeURIComponent(pushes.at(-1))}`), ...link }, "View the last one")
        : null,
      note ? h("span.weak", note) : null,
    ]
  } catch (error) {
    const [first] = error.errors ?? []
    return h("span.warn", first ? complaintWords(first).split("\n")[0] : error.message)
  }
}
