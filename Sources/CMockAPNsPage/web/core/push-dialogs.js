// The dialogs that add a mark and edit a note.

import { Call } from "./api.js"
import { formDialog } from "./form-dialog.js"

/// Opens the dialog that edits the note of a push. An empty field removes the note.
export function openNote({ id, note }, onDone) {
  formDialog({
    title: note ? "Edit note" : "Add note",
    intro: "Saved in the record of the push and included in exports.",
    fields: [{ name: "note", label: "Note", kind: "text", placeholder: "fails since the topic changed" }],
    value: { note: note ?? undefined },
    button: "Save",
    makeCall: ({ note: text = null }) => new Call("PATCH", `/pushes/${encodeURIComponent(id)}`, { note: text }),
    onDone,
  })
}

/// Opens the dialog that adds a mark.
export function openMark() {
  formDialog({
    title: "Add mark",
    intro: "A line between pushes, shown in the list and the log of every open inspector.",
    fields: [{ name: "text", label: "Text", kind: "text", placeholder: "test “shipsOrder” started" }],
    button: "Add mark",
    makeCall: (value) => new Call("POST", "/marks", value),
  })
}
