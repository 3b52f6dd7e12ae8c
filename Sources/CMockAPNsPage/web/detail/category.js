// The dialog that describes a category's action buttons. Apps define them; previews show those that are added here.

import { Call, counted, formDialog, h, plain, toasts } from "../core/core.js"

/// iOS shows and the API accepts at most ten actions.
const CATEGORY = [{
  name: "actions", item: "button", kind: "list", most: 10, isRequired: true, fields: [
    { name: "title", label: "Title", kind: "text", isRequired: true, placeholder: "Accept" },
    { name: "destructive", label: "Destructive", kind: "check", fallback: false },
    { name: "textInput", label: "Text input", kind: "check", fallback: false },
  ],
}]

/// Opens the dialog for the category of a push. `onChange` is called after a change.
export function openCategory(preview, onChange) {
  const { bundleId } = preview.app
  const path = `/categories/${encodeURIComponent(bundleId)}/${encodeURIComponent(preview.category.id)}`
  const known = preview.categoryActions
  const changed = (words) => {
    toasts.show(words)
    onChange()
  }
  return formDialog({
    title: "Action buttons",
    intro: [
      "The app defines the buttons of ",
      h("strong.foreign", plain(preview.category.id, 60)),
      " (UNNotificationCategory), and pushes do not contain them. Buttons added here are used only for previews.",
    ],
    fields: CATEGORY,
    value: { actions: known ?? [{}] },
    button: "Save",
    makeCall: (value) => new Call("PUT", path, value),
    onDone: ({ count }) => changed(`Saved ${counted(count, "button")}.`),
    remove: known && {
      label: "Delete buttons",
      makeCall: () => new Call("DELETE", path),
      onDone: () => changed("Deleted the category's buttons."),
    },
  })
}
