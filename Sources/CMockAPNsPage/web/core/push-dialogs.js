// The dialogs that add a mark and edit a note.

import { Call } from "./api.js"
import { Fields } from "./forms.js"
import { formDialog } from "./form-dialog.js"

/// Opens the dialog that edits the note of a push. An empty field removes the note.
export function openNote(app, { id, note }, onDone) {
  const field = { name: "note", label: "Note", kind: "text", placeholder: "fails since the topic changed" }
  const fields = new Fields([field], { note: note ?? undefined })
  formDialog(app, {
    title: note ? "Edit note" : "Add note",
    intro: "Saved in the record of the push and included in exports.",
    fields,
    button: "Save",
    makeCall: () => new Call("PATCH", `/pushes/${encodeURIComponent(id)}`, { note: fields.value.note ?? null }),
    onDone,
  })
}

/// Opens the dialog that adds a mark.
export function openMark(app) {
  const text = { name: "text", label: "Text", kind: "text", placeholder: "test “shipsOrder” started" }
  const fields = new Fields([text])
  formDialog(app, {
    title: "Add mark",
    intro: "A line between pushes, shown in the list and the log of every open inspector.",
    fields,
    button: "Add mark",
    makeCall: () => new Call("POST", "/marks", fields.value),
  })
}
