// The dialog that adds or edits a fault, with a dry run on the recorded pushes.

import {
  api, Call, complaintWords, count, formDialog, h, pushCount, router, showLoaded, toasts, whenStill,
} from "../../core/core.js"
import { FaultFields } from "./fields.js"

/// The pause after the last keystroke before the dry run (milliseconds).
const REST = 350

/// Opens the dialog that edits `fault`, or adds one. `onDone` is called after a change.
export async function openEditor(onDone, fault = null) {
  const document = await api.get("/openapi.json").catch((error) => toasts.problem(error))
  if (!document) return
  const fields = new FaultFields(document.components.schemas, fault)
  const before = fault && conditionsOf(fields.value)
  const makeCall = (value) => {
    if (!fault) return new Call("POST", "/faults", value)
    const path = `/faults/${encodeURIComponent(fault.id)}`
    // Changing only the name keeps the fault's counters.
    if (conditionsOf(value) === before && (value.name || !fault.name)) {
      return value.name && value.name !== fault.name ? new Call("PATCH", path, { name: value.name }) : null
    }
    return new Call("PUT", path, { ...value, enabled: fault.enabled })
  }
  formDialog({
    title: fault ? "Edit fault" : "Add fault",
    intro: fault && "Changes reset the counters, except a change of only the name.",
    fields,
    foot: dryRunPart(fields),
    button: fault ? "Save" : "Add",
    makeCall,
    onDone,
    wide: true,
  })
}

function conditionsOf({ name, ...others }) { return JSON.stringify(others) }

/// A note that shows how many recorded pushes the fault would have hit.
function dryRunPart(fields) {
  const element = h("div.rehearsal.notice", { role: "status", "aria-label": "Dry run" })
  const run = () => showLoaded(element, () => hitsOf(fields), (words) => words)
  const change = whenStill(run, REST)
  fields.element.addEventListener("input", change)
  fields.element.addEventListener("change", change)
  run()
  return element
}

/// What the dry run says.
async function hitsOf({ isOnConnection, value: { match, when } }) {
  if (isOnConnection) return "No dry run: this fault applies when a connection opens, before any push."
  try {
    const { count: total } = await api.get("/pushes/count")
    const { pushes, hits, matched, note } = await api.send(new Call("POST", "/faults/dry-run", { match, when }))
    const link = { target: "_blank", title: "Opens in another tab" }
    return [
      h("span",
        "Would have hit ", h("strong", count(hits)), ` of the last ${pushCount(total)}`,
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
