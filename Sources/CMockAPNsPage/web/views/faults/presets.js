// The dialog that adds fault presets.

import { actions, openDialog, toasts } from "../../core/actions.js"
import { api, Call } from "../../core/api.js"
import { h, replace } from "../../core/dom.js"
import { Fields } from "../../core/forms.js"

const TOPIC = { name: "topic", label: "Topic", kind: "text", placeholder: "every topic",
  hint: "Not for presets that apply when a connection opens." }

/// Opens the dialog. It closes when a preset was added, so that the banner of active faults is seen; `onAdded(fault)` gets
/// the fault.
export async function openPresets(onAdded) {
  const { presets } = await api.get("/faults/presets")
  const dialog = openDialog("Add preset",
    h("p.weak", "Each preset reproduces a problem that was observed with APNs or that Apple documents."),
    h("ul.presets", presets.map((preset) => presetItem(preset, (fault) => {
      dialog.close()
      toasts.show(`Added ${preset.name}.`)
      onAdded(fault)
    }))))
  dialog.classList.add("wide")
  return dialog
}

function presetItem(preset, onAdded) {
  const fields = new Fields(preset.parameters.map(fieldOf))
  const topic = new Fields([TOPIC])
  const complaint = h("div.bad", { role: "alert" })
  const details = h("details", h("summary", "Parameters"), h("div.fields.columns", fields.element, topic.element))
  const button = h("button.action.small", { "aria-label": `Add ${preset.name}` }, "Add")
  button.addEventListener("click", async (event) => {
    const match = topic.value.topic ? { match: topic.value } : {}
    const call = new Call("POST", `/faults/presets/${encodeURIComponent(preset.name)}`, { ...fields.value, ...match })
    replace(complaint)
    fields.complain([])
    const onProblem = (error) => {
      const left = fields.complain(error.errors ?? [])
      details.open ||= left.length < (error.errors ?? []).length
      if (left.length || !error.errors?.length) replace(complaint, error.message)
    }
    const fault = await actions.run(call, { event, control: button, onProblem })
    if (fault) onAdded(fault)
  })
  return h("li.preset",
    h("div.preset-head", h("h3", h("code", preset.name)), button),
    h("p", preset.meaning),
    h("p.weak.small-print", preset.source),
    details,
    complaint)
}

function fieldOf(parameter) {
  const isNumber = typeof parameter.default === "number"
  return {
    name: parameter.name,
    label: parameter.name,
    kind: isNumber ? "number" : "text",
    fallback: parameter.default,
    hint: parameter.meaning,
  }
}
