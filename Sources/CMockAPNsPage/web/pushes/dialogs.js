// The dialogs about pushes: a test push, a mark, a note.

import { Call } from "../core/api.js"
import { h } from "../core/dom.js"
import { Fields } from "../core/forms.js"
import { formDialog } from "../views/parts/form-dialog.js"

const TYPES = [
  "alert", "background", "voip", "liveactivity", "location", "complication", "fileprovider", "mdm", "pushtotalk",
  "widgets", "controls",
]

/// What a test push can have; one row each. What is left empty, the server fills in.
const PUSH = [
  { name: "title", label: "Title", kind: "text", placeholder: "Test push" },
  { name: "body", label: "Body", kind: "text" },
  { name: "token", label: "To", kind: "text", placeholder: "a phone of the server's own",
    hint: "A device token, or @ and the label of a device." },
  { name: "topic", label: "Topic", kind: "text", placeholder: "that of the app with this token" },
  { name: "pushType", label: "Push type", kind: "select", fallback: "alert",
    options: TYPES.map((type) => [type, type]) },
  { name: "priority", label: "Priority", kind: "number", placeholder: "10, 5 or 1" },
  { name: "payload", label: "Payload", kind: "json", rows: 4, hint: "JSON, in the place of title and body.",
    placeholder: '{"aps":{"alert":"Hello"}}' },
]

/// Asks for a push, and sends it.
export function openSend(app) {
  const fields = new Fields(PUSH)
  formDialog(app, {
    title: "Send a test push",
    intro: "The server sends it to itself, through the same rules and faults as one from a provider.",
    fields,
    button: "Send",
    makeCall: () => new Call("POST", "/pushes/send", fields.value),
    onDone: ({ push, response }) => app.toasts.show(
      `The answer is ${response.status}${push.verdict.reason ? ` ${push.verdict.reason}` : ""}.`,
      { action: h("a", { class: "button small", href: app.router.path(`/p/${encodeURIComponent(push.id)}`) }, "Show") }
    ),
  })
}

/// Asks for what is to stand beside a push; an empty field takes it away.
export function openNote(app, { id, note }, onDone) {
  const field = { name: "note", label: "Note", kind: "text", placeholder: "fails since the change of topics" }
  const fields = new Fields([field], { note: note ?? undefined })
  formDialog(app, {
    title: note ? "Change the note" : "Write a note",
    intro: "It stands in the record of the push, and goes with exports of it.",
    fields,
    button: "Write",
    makeCall: () => new Call("PATCH", `/pushes/${encodeURIComponent(id)}`, { note: fields.value.note ?? null }),
    onDone,
  })
}

/// Asks for the text of a mark, and makes it.
export function openMark(app) {
  const text = { name: "text", label: "Text", kind: "text", placeholder: "test “shipsOrder” started" }
  const fields = new Fields([text])
  formDialog(app, {
    title: "Mark this moment",
    intro: "The mark stands between the pushes and in the log, for everyone who looks.",
    fields,
    button: "Mark",
    makeCall: () => new Call("POST", "/marks", fields.value),
  })
}
