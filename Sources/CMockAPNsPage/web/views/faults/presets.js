// The dialog that adds fault presets.

import { api, Call, Fields, h, openDialog, sendOnSubmit, showLoaded, toasts } from "../../core/core.js"

const MATCH = { name: "match", kind: "group", fold: "Parameters", fields: [
  { name: "topic", label: "Topic", kind: "text", placeholder: "every topic",
    hint: "Not for presets that apply when a connection opens." },
] }

/// Opens the dialog. It closes when a preset was added, so that the banner of active faults is seen; then `onAdded` is
/// called.
export function openPresets(onAdded) {
  const list = h("div")
  const dialog = openDialog("Add preset",
    h("p.weak", "Each preset reproduces a problem that was observed with APNs or that Apple documents."),
    list)
  dialog.classList.add("wide")
  const added = ({ name }) => {
    dialog.close()
    toasts.show(`Added ${name}.`)
    onAdded()
  }
  showLoaded(list, () => api.get("/faults/presets"), ({ presets }) =>
    h("ul.presets", presets.map((preset) => h("li", presetForm(preset, () => added(preset))))))
}

function presetForm({ name, meaning, source, parameters }, onDone) {
  const fields = new Fields([...parameters.map(rowOf), MATCH])
  const submit = h("button.action.small", { type: "submit", "aria-label": `Add ${name}` }, "Add")
  const complaint = h("div.bad", { role: "alert" })
  const makeCall = (value) => new Call("POST", `/faults/presets/${encodeURIComponent(name)}`, value)
  const form = h("form.preset", { novalidate: true },
    h("div.preset-head", h("h3", h("code", name)), submit),
    h("p", meaning),
    h("p.weak.small-print", source),
    fields.element,
    complaint)
  sendOnSubmit(form, { fields, submit, complaint, makeCall, onDone })
  return form
}

function rowOf({ name, meaning, default: fallback }) {
  const kind = typeof fallback === "number" ? "number" : "text"
  return { name, label: name, kind, fallback, hint: meaning, fold: "Parameters" }
}
