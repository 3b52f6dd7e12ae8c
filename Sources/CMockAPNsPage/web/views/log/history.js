// What happened before the log was opened: read from the stream's memory, once.

import { TYPES } from "../../core/live.js"

/// How long the stream has to be silent to be at its end, and the longest that it is read (milliseconds).
const QUIET = 250
const LONGEST = 4_000

/// Hands the events behind `after` to `hear({type, seq, data})` and resolves when the newest are reached.
///
/// Of events without numbers of their own, the newest may come here and from `Live` as well.
export function readHistory(api, after, hear) {
  return new Promise((resolve) => {
    const source = new EventSource(api.url("/events", { after, fields: "summary" }))
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
    for (const type of TYPES) {
      source.addEventListener(type, (event) => {
        hear({ type, seq: Number(event.lastEventId) || 0, data: JSON.parse(event.data) })
        wait()
      })
    }
  })
}
