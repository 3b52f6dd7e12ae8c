// A dialog with a form that calls the API. Errors are shown at their fields.

import { actions, openDialog } from "./actions.js"
import { h, replace } from "./dom.js"
import { complaintWords, Fields } from "./forms.js"

/// `fields` holds the rows of the fields, filled from `value`, or provides `element`, `value`, `complain(errors)` and
/// `focus()`, like `Fields`. `makeCall(value)` returns the `Call`, or `null` if there is nothing to send. `onDone(answer)`
/// gets the response after the dialog was closed. `foot` is shown above the buttons and stays in view with them.
/// The label of the `button` is the first word of the title by default. `remove` is a button that deletes what the form
/// is about: `{label, makeCall, onDone}`.
export function formDialog({ title, intro, fields: given, value, button = title.split(" ", 1)[0], makeCall, onDone,
  foot = null, remove = null, wide = false }) {
  const fields = Array.isArray(given) ? new Fields(given, value) : given
  const complaint = h("div.form-complaint.bad", { role: "alert" })
  let event = null
  const submit = h("button.action.primary", { type: "submit", onclick: (click) => { event = click } }, button)
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
  form.addEventListener("submit", async (submitted) => {
    submitted.preventDefault()
    replace(complaint)
    fields.complain([])
    const onProblem = (error) => {
      const left = fields.complain(error.errors ?? [])
      if (error.errors?.length && !left.length) {
        form.querySelector("[aria-invalid]")?.focus()
        return
      }
      replace(complaint, left.length ? left.map((error) => h("p", complaintWords(error))) : error.message)
    }
    const call = makeCall(fields.value)
    if (!call) {
      dialog.close()
      return
    }
    const answer = await actions.run(call, { event, control: submit, onProblem })
    if (answer === undefined) return
    dialog.close()
    onDone?.(answer)
  })
  const dialog = openDialog(title, form)
  dialog.classList.toggle("wide", wide)
  fields.focus()
  return dialog
}
