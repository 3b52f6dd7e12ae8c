// A push to send, as `POST /pushes/send` takes it, and how it is made from a push of the journal.

import { bodyOf } from "../detail/body.js"
import { compacted } from "../detail/jsontext.js"
import { written } from "./templates.js"

/// The value of a push type that stands for no header.
export const LEFT_OUT = "(none)"

/// The members of a push that are headers, by their names.
export const MEMBERS = {
  "apns-topic": "topic",
  "apns-push-type": "pushType",
  "apns-priority": "priority",
  "apns-expiration": "expiration",
  "apns-collapse-id": "collapseId",
}

/// The headers that the server sets itself, or that belong to a connection. A new push gets a new `apns-id`.
const DROPPED = [
  "authorization", "apns-id", "connection", "content-length", "host", "keep-alive", "proxy-connection", "te",
  "transfer-encoding", "upgrade",
]

/// The push to send that equals a push of the journal.
export function draftOf({ apns, request }) {
  const draft = { pushType: LEFT_OUT, headers: { "apns-topic": null }, ...contentOf(bodyOf({ request }).text) }
  // An invalid token is sent again as well, to be mended.
  const token = apns.token ?? /^\/3\/device\/(.+)$/.exec(request.path)?.[1]
  if (token) draft.token = token
  for (const [name, value] of request.headers) {
    const known = name.toLowerCase()
    if (known.startsWith(":") || DROPPED.includes(known)) continue
    delete draft.headers[known]
    if (Object.hasOwn(MEMBERS, known)) draft[MEMBERS[known]] = value
    else draft.headers[known] = value
  }
  return draft
}

/// The text of a draft's body, or `null` if it has none.
export function textOf({ text, payload, title, body }) {
  if (text !== undefined) return text
  if (payload !== undefined) return written(payload)
  if (title === undefined && body === undefined) return null
  return written({ aps: { alert: { title, body }, sound: "default" } })
}

/// The member of a draft for the text of its body: `payload` if it is JSON that is the same after being read and
/// written, and `text` otherwise (numbers with many digits, repeated keys), so that each byte is sent as it was typed.
export function contentOf(text) {
  try {
    const payload = JSON.parse(text)
    if (JSON.stringify(payload) === compacted(text)) return { payload }
  } catch {
    // Not JSON: sent as text.
  }
  return { text }
}
