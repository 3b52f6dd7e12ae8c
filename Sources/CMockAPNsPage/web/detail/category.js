// The buttons of a category, which only the app knows: described here, previews show them.

import { Call } from "../core/api.js"
import { h, plain } from "../core/dom.js"
import { Fields } from "../core/forms.js"
import { icon } from "../core/icons.js"
import { formDialog } from "../views/parts/form-dialog.js"

/// As many as iOS shows, and the API takes.
const MOST = 10

const ACTION = [
  { name: "title", label: "Title", kind: "text", isRequired: true, placeholder: "Accept" },
  { name: "destructive", label: "Destructive", kind: "check", fallback: false },
  { name: "textInput", label: "Asks for a text", kind: "check", fallback: false },
]

/// The buttons, each with fields of its own. What only the API sets of a button stays as it is.
class ActionFields {
  #rows = []
  #list = h("div", { class: "action-fields" })
  #more = h("button", { type: "button", class: "small", onclick: () => this.#add({}).fields.focus() },
    icon("add"), "Add a button")

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
      icon("trash"), "Leave out")
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
      remove.setAttribute("aria-label", `Leave button ${index + 1} out`)
    })
    this.#more.disabled = this.#rows.length >= MOST
  }
}

/// Opens the dialog for the category of a push; `onChange` is called when its buttons are others.
export function openCategory(app, preview, onChange) {
  const { bundleId } = preview.app
  const path = `/categories/${encodeURIComponent(bundleId)}/${encodeURIComponent(preview.category.id)}`
  const known = preview.categoryActions
  const fields = new ActionFields(known ?? [{}])
  const remove = known === null ? null : app.actions.button("Remove the category", () => new Call("DELETE", path), {
    kind: "small danger",
    onDone: () => {
      dialog.close()
      app.toasts.show("The category has no buttons here any more.")
      onChange()
    },
  })
  // It stands in the form, and sends nothing of it.
  remove?.setAttribute("type", "button")
  const dialog = formDialog(app, {
    title: "Buttons of the category",
    intro: [
      "What the app declares for ",
      h("strong", { class: "foreign" }, plain(preview.category.id, 60)),
      " (UNNotificationCategory) is not pushed. These here serve previews alone.",
    ],
    fields,
    button: "Save the buttons",
    makeCall: () => new Call("PUT", path, fields.value),
    onDone: ({ count }) => {
      app.toasts.show(count === 1 ? "The category has 1 button now." : `The category has ${count} buttons now.`)
      onChange()
    },
    foot: remove && h("div", {}, remove),
  })
  return dialog
}
