// A dialog with a form that calls the API. Errors are shown at their fields.

import { actions, openDialog } from "./actions.js"
import { h, replace } from "./dom.js"
import { complaintWords, Fields } from "./forms.js"

/// `fields` holds the rows of the fields, filled from `value`, or provides `element`, `value`, `complain(errors)` and
/// `focus()`, like `Fields`. `makeCall(value)` returns the `Call`, or `null` to send nothing. `onDone(answer)` gets the
/// response after the dialog was closed. `foot` is shown above the buttons and stays in view with them.
/// The label of the `button` is the first word of the title by default. `remove` is a button that deletes what the form
/// is about: `{label, makeCall, onDone}`.
export function formDialog({ title, intro, fields: given, value, button = title.split(" ", 1)[0], makeCall, onDone,
  foot = null, remove = null, wide = false }) {
  const fields = Array.isArray(given) ? new Fields(given, value) : given
  const complaint = h("div.form-complaint.bad", { role: "alert" })
  const submit = h("button.action.primary", { type: "submit" }, button)
  const removal = remove && actions.button(remove.label, remove.makeCall, {
    kind: "small danger",
    onDone: () => {
      dialog.close()
      remove.onDone()
    },
  })
  const form = h("form.form", { novalidate: true },
    intro ? h("p.weak", intro) : null,
    fields.element,
    h("div.form-foot",
      foot,
      removal && h("div", removal),
      complaint,
      h("div.dialog-buttons", h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), submit)))
  const done = (answer) => {
    dialog.close()
    if (answer !== undefined) onDone?.(answer)
  }
  sendOnSubmit(form, { fields, submit, complaint, makeCall, onDone: done })
  const dialog = openDialog(title, form)
  dialog.classList.toggle("wide", wide)
  fields.focus()
  return dialog
}

/// Sends the call when a form is submitted with its button `submit`. Errors that belong to no field are shown in
/// `complaint`. `onDone(answer)` gets the response, or `undefined` if there was nothing to send.
export function sendOnSubmit(form, { fields, submit, complaint, makeCall, onDone }) {
  let click = null
  submit.addEventListener("click", (event) => { click = event })
  const onProblem = ({ errors = [], message }) => {
    const left = fields.complain(errors)
    if (errors.length && !left.length) form.querySelector("[aria-invalid]")?.focus()
    else replace(complaint, left.length ? left.map((error) => h("p", complaintWords(error))) : message)
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    replace(complaint)
    fields.complain([])
    const call = makeCall(fields.value)
    const answer = call && await actions.run(call, { event: click, control: submit, onProblem })
    // Without an answer, the call failed, or its command was shown.
    if (answer !== undefined) onDone(call ? answer : undefined)
  })
}
