// Reads the events before the log was opened from the event stream.

import { api } from "../../core/api.js"
import { listen } from "../../core/event-stream.js"

/// How long the stream must be silent to be complete, and the longest time that it is read (milliseconds).
const QUIET = 250
const LONGEST = 4_000

/// Passes the events after `after` to `hear({type, seq, data})` and resolves when the newest are reached.
///
/// Events without their own number may arrive both here and from `Live`.
export function readHistory(after, hear) {
  return new Promise((resolve) => {
    const source = listen(api.url("/events", { after, fields: "summary" }), ({ type, seq, text }) => {
      hear({ type, seq, data: JSON.parse(text) })
      wait()
    })
    const finish = () => {
      clearTimeout(quiet)
      clearTimeout(longest)
      source.close()
      resolve()
    }
    let quiet = 0
    const longest = setTimeout(finish, LONGEST)
    const wait = () => {
      clearTimeout(quiet)
      quiet = setTimeout(finish, QUIET)
    }
    source.onopen = wait
    source.onerror = finish
  })
}
