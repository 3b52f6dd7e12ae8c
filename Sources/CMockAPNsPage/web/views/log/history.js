// Reads the events before the log was opened from the event stream.

import { api, whenStill } from "../../core/core.js"
import { listen } from "../../core/event-stream.js"

/// How long the stream must be silent to be complete, and the longest time that it is read (milliseconds).
const QUIET = 250
const LONGEST = 4_000

/// How long to wait for the first event, which a busy server sends late (milliseconds).
const EMPTY = 1_500

/// Resolves to the events `{type, seq, data}` after `after` when the newest are reached, or the stream fails.
///
/// Events without their own number may arrive both here and from `Live`.
export function readHistory(after) {
  return new Promise((resolve) => {
    const events = []
    const finish = () => {
      source.close()
      resolve(events)
    }
    const finishWhenQuiet = whenStill(finish, QUIET)
    const source = listen(api.url("/events", { after, fields: "summary" }), ({ type, seq, text }) => {
      events.push({ type, seq, data: JSON.parse(text) })
      finishWhenQuiet()
    })
    source.onopen = whenStill(finish, EMPTY)
    source.onerror = finish
    setTimeout(finish, LONGEST)
  })
}
