// The dialogs that send a test push, add a mark and edit a note.

import { Call } from "./api.js"
import { h } from "./dom.js"
import { Fields } from "./forms.js"
import { formDialog } from "./form-dialog.js"
import { PUSH_TYPES } from "./vocabulary.js"

/// The fields of a test push. The server fills in what is left empty.
const PUSH = [
  { name: "title", label: "Title", kind: "text", placeholder: "Test push" },
  { name: "body", label: "Body", kind: "text" },
  { name: "token", label: "To", kind: "text", placeholder: "default test device",
    hint: "A device token, or @ and a device label." },
  { name: "topic", label: "Topic", kind: "text", placeholder: "topic of the app with this token" },
  { name: "pushType", label: "Push type", kind: "select", fallback: "alert",
    options: PUSH_TYPES.map((type) => [type, type]) },
  { name: "priority", label: "Priority", kind: "number", placeholder: "10, 5 or 1" },
  { name: "payload", label: "Payload", kind: "json", rows: 4, hint: "JSON. Replaces title and body.",
    placeholder: '{"aps":{"alert":"Hello"}}' },
]

/// Opens the dialog that sends a test push.
export function openSend(app) {
  const fields = new Fields(PUSH)
  formDialog(app, {
    title: "Send test push",
    intro: "Sent by the server to itself, through the same checks and faults as a push from a provider.",
    fields,
    button: "Send",
    makeCall: () => new Call("POST", "/pushes/send", fields.value),
    onDone: ({ push, response }) => app.toasts.show(
      `Response: ${response.status}${push.verdict.reason ? ` ${push.verdict.reason}` : ""}`,
      { action: h("a", { class: "button small", href: app.router.path(`/p/${encodeURIComponent(push.id)}`) }, "View") }
    ),
  })
}

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
