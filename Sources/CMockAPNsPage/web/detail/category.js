// The dialog that describes a category's action buttons. Apps define them; previews show those that are added here.

import { Call } from "../core/api.js"
import { counted, h, plain } from "../core/elements.js"
import { Fields } from "../core/forms.js"
import { formDialog } from "../core/form-dialog.js"

/// iOS shows and the API accepts at most ten actions.
const CATEGORY = [{
  name: "actions", item: "button", kind: "list", most: 10, isRequired: true, fields: [
    { name: "title", label: "Title", kind: "text", isRequired: true, placeholder: "Accept" },
    { name: "destructive", label: "Destructive", kind: "check", fallback: false },
    { name: "textInput", label: "Text input", kind: "check", fallback: false },
  ],
}]

/// Opens the dialog for the category of a push. `onChange` is called after a change.
export function openCategory(app, preview, onChange) {
  const { bundleId } = preview.app
  const path = `/categories/${encodeURIComponent(bundleId)}/${encodeURIComponent(preview.category.id)}`
  const known = preview.categoryActions
  const fields = new Fields(CATEGORY, { actions: known ?? [{}] })
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
      h("strong.foreign", plain(preview.category.id, 60)),
      " (UNNotificationCategory), and pushes do not contain them. Buttons added here are used only for previews.",
    ],
    fields,
    button: "Save",
    makeCall: () => new Call("PUT", path, fields.value),
    onDone: ({ count }) => {
      app.toasts.show(`Saved ${counted(count, "button")}.`)
      onChange()
    },
    foot: remove && h("div", remove),
  })
  return dialog
}
