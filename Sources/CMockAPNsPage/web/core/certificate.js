// Whether a client certificate authenticates, as words and a chip.

import { chip, plain } from "./elements.js"

/// How a standing is shown, by the API's word.
const STANDINGS = new Map(Object.entries({
  verified: { words: "Valid", tone: "good", icon: "accepted" },
  ignored: { words: "Ignored", tone: "" },
  untrusted: { words: "Untrusted" },
  "self-signed": { words: "Self-signed" },
  expired: { words: "Expired" },
  "not-yet-valid": { words: "Not yet valid" },
  revoked: { words: "Revoked" },
  "no-topic": { words: "No app" },
  unreadable: { words: "Unreadable" },
}))

/// The standing of a certificate, of a connection or in the list of issued ones.
export function certificateChip({ standing, authenticated }) {
  const look = standing === "verified" && !authenticated
    ? { words: "Wrong environment" }
    : STANDINGS.get(standing) ?? { words: plain(standing ?? "Not authenticated", 40) }
  const { words, tone = "bad", icon = tone === "bad" ? "rejected" : null } = look
  return chip(words, tone, icon)
}
