// Whether a client certificate authenticates, as words and a chip.

import { plain } from "./dom.js"
import { chip } from "./parts.js"

/// The labels of standings that are not the API's word.
const LABELS = { verified: "Valid", "self-signed": "Self-signed", "no-topic": "No app",
  "too-many-topics": "Too many topics" }

/// The standing of a certificate, of a connection or in the list of issued ones.
export function certificateChip({ standing, authenticated }) {
  if (standing === "verified" && !authenticated) return chip("Wrong environment", "bad", "rejected")
  const words = standing ? LABELS[standing] ?? plain(standing.replaceAll("-", " "), 40) : "Not authenticated"
  const [tone, icon] = { verified: ["good", "accepted"], ignored: [""] }[standing] ?? ["bad", "rejected"]
  return chip(words[0].toUpperCase() + words.slice(1), tone, icon)
}
