// Reads the events before the log was opened.

import { api } from "../../core/core.js"
import { listen } from "../../core/event-stream.js"

/// Resolves to the events `{type, seq, data}` after `after` up to the newest, or until the stream fails.
///
/// Events without their own number may arrive both here and from `Live`.
export function readHistory(after) {
  return new Promise((resolve) => {
    const events = []
    const finish = () => {
      source.close()
      resolve(events)
    }
    const url = api.url("/events", { after, fields: "summary", past: true })
    const source = listen(url, ({ type, seq, text }) => {
      if (type === "closed") finish()
      else events.push({ type, seq, data: JSON.parse(text) })
    })
    source.onerror = finish
  })
}
