// The dialog that sends a push.

import { Call, formDialog, pushLink, toasts } from "../core/core.js"
import { isByFault } from "../detail/labels.js"
import { draftOf } from "./draft.js"
import { causeOf } from "./failures.js"
import { Known } from "./known.js"
import { checkPart } from "./push-check.js"
import { PushForm } from "./push-form.js"
import { SavedPushes } from "./saved-pushes.js"

/// Opens the dialog that sends a test push, filled in with the headers and the body of `push` if that is given. The
/// field that caused its rejection gets the focus. `onDone(answer)` gets the response.
export function openSend({ push = null, onDone = showResponse } = {}) {
  const known = new Known()
  const form = new PushForm(known.ids, push ? draftOf(push) : {})
  const saved = new SavedPushes(form)
  form.element.prepend(saved.element)
  form.element.append(known.element)
  saved.read()
  known.read().catch((error) => toasts.problem(error))
  const dialog = formDialog({
    title: push ? "Edit and resend" : "Send test push",
    intro: "The server sends the push to itself and signs the provider token. All checks and faults apply.",
    fields: form,
    foot: checkPart(form),
    button: "Send",
    wide: true,
    makeCall: () => new Call("POST", "/pushes/send", form.value),
    onDone,
  })
  const cause = push && !isByFault(push) ? causeOf(push.verdict.reason) : undefined
  if (cause === null) dialog.querySelector("[type=submit]").focus()
  else if (cause) form.focus(cause)
}

/// The call that sends a push again.
export function resendCall({ id }) { return new Call("POST", `/pushes/${encodeURIComponent(id)}/resend`) }

/// Shows the response to a push that the page sent, with a link to the push.
export function showResponse({ push, response }) {
  const { reason } = push.verdict
  const action = pushLink(push.id, "View", { kind: "button small" })
  toasts.show(`Response: ${response.status}${reason ? ` ${reason}` : ""}`, { action })
}
