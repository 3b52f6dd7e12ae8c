// The dialog that describes a category's action buttons. Apps define them; previews show those that are added here.

import { Call } from "../core/api.js"
import { h, plain } from "../core/dom.js"
import { Fields } from "../core/forms.js"
import { icon } from "../core/icons.js"
import { formDialog } from "../core/form-dialog.js"
import { counted } from "../core/time.js"

/// The most actions that iOS shows and the API accepts.
const MOST = 10

const ACTION = [
  { name: "title", label: "Title", kind: "text", isRequired: true, placeholder: "Accept" },
  { name: "destructive", label: "Destructive", kind: "check", fallback: false },
  { name: "textInput", label: "Text input", kind: "check", fallback: false },
]

/// The fields of the action buttons. Members without a field are kept.
class ActionFields {
  #rows = []
  #list = h("div", { class: "action-fields" })
  #more = h("button", { type: "button", class: "small", onclick: () => this.#add({}).fields.focus() },
    icon("add"), "Add button")

  constructor(actions) {
    this.element = h("div", { class: "fields" }, this.#list, h("div", {}, this.#more))
    for (const action of actions) this.#add(action)
    this.#renew()
  }

  get value() {
    return { actions: this.#rows.map(({ kept, fields }) => ({ ...kept, ...fields.value })) }
  }

  complain(errors) {
    let left = errors
    this.#rows.forEach(({ fields }, index) => { left = fields.complain(left, `/actions/${index}`) })
    return left
  }

  focus() { (this.#rows[0]?.fields ?? this.#more).focus() }

  #add(action) {
    const { title, destructive, textInput, ...kept } = action
    const fields = new Fields(ACTION, { title, destructive, textInput })
    const legend = h("legend", {})
    const remove = h("button", { type: "button", class: "quiet small", onclick: () => this.#remove(row) },
      icon("trash"), "Remove")
    const group = h("fieldset", { class: "form-group" }, legend, fields.element, remove)
    const row = { kept, fields, legend, group, remove }
    this.#rows.push(row)
    this.#list.append(group)
    this.#renew()
    return row
  }

  #remove(row) {
    this.#rows.splice(this.#rows.indexOf(row), 1)
    row.group.remove()
    this.#renew()
    this.focus()
  }

  #renew() {
    this.#rows.forEach(({ legend, remove }, index) => {
      legend.textContent = `Button ${index + 1}`
      remove.setAttribute("aria-label", `Remove button ${index + 1}`)
    })
    this.#more.disabled = this.#rows.length >= MOST
  }
}

/// Opens the dialog for the category of a push. `onChange` is called after a change.
export function openCategory(app, preview, onChange) {
  const { bundleId } = preview.app
  const path = `/categories/${encodeURIComponent(bundleId)}/${encodeURIComponent(preview.category.id)}`
  const known = preview.categoryActions
  const fields = new ActionFields(known ?? [{}])
  const remove = known === null ? null : app.actions.button("Delete buttons", () => new Call("DELETE", path), {
    kind: "small danger",
    onDone: () => {
      dialog.close()
      app.toasts.show("Deleted the category's buttons.")
      onChange()
    },
  })
  // It must not submit the form.
  remove?.setAttribute("type", "button")
  const dialog = formDialog(app, {
    title: "Action buttons",
    intro: [
      "The app defines the buttons of ",
      h("strong", { class: "foreign" }, plain(preview.category.id, 60)),
      " (UNNotificationCategory), and pushes do not contain them. Buttons added here are used only for previews.",
    ],
    fields,
    button: "Save",
    makeCall: () => new Call("PUT", path, fields.value),
    onDone: ({ count }) => {
      app.toasts.show(`Saved ${counted(count, "button")}.`)
      onChange()
    },
    foot: remove && h("div", {}, remove),
  })
  return dialog
}
