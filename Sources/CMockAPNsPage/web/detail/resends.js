// Links a push with its last resend on this page, and a resent push with its original.

import { h, note, pushLink } from "../core/core.js"
import { verdictLook, verdictWords } from "./labels.js"

/// The last resends by the IDs of their originals, and the originals by the IDs of their resends.
const [resends, originals] = [new Map(), new Map()]

/// Keeps the response to a push that was sent again.
export function wasResent(original, { push }) {
  resends.set(original.id, push)
  originals.set(push.id, original)
}

/// The notes about these pushes in the head of the open push.
export function resendNotes(record) {
  const [resend, original] = [resends.get(record.id), originals.get(record.id)]
  // What the server signs cannot fail again for this reason.
  const isSigned = resend && record.response.status === 403 && verdictWords(resend) !== verdictWords(record)
  const why = isSigned && h("p", "The server signed it with its own provider token, so this response says nothing "
    + "about the one that was rejected. To test that one, send the push again from the provider.")
  return [
    resend && h("div", { role: "status", "aria-label": "Resent" },
      linkNote(resend, "Resent as ", verdictLook(resend).tone, why)),
    original && linkNote(original, "Resent from ", ""),
  ]
}

function linkNote(push, words, tone, ...more) {
  return note(tone, "resend", [words, pushLink(push.id, `#${push.seq}`), `: ${verdictWords(push)}.`], more)
}
