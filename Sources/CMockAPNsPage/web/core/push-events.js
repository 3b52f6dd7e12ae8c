// How a push's events and delivery states look, the same wherever they are shown, with the words of vocabulary.js.

import { shortChannel } from "./channels.js"
import { plain } from "./dom.js"
import { EVENT_DETAILS, PUSH_EVENTS } from "./vocabulary.js"

/// Where a push of a list went, in one line: `@alice`, `…9f01aa34`, a channel, or why there is no device token.
export function addresseeOf({ device, channel, service, token, reason }) {
  if (device) return `@${plain(device, 40)}`
  if (channel) return shortChannel(channel)
  if (service !== "push") return ""
  if (!token) return reason === "BadDeviceToken" ? "invalid token" : "no token"
  return token.length > 12 ? `…${token.slice(-8)}` : token
}

/// How an event is shown: `{words, icon, tone, why}`. `why` is `null` without a detail; unknown names are shown as they
/// are.
export function eventLook(event, detail = null) {
  const look = Object.hasOwn(PUSH_EVENTS, event) ? PUSH_EVENTS[event] : { words: event, icon: "more", tone: "" }
  return { ...look, why: detail && Object.hasOwn(EVENT_DETAILS, detail) ? EVENT_DETAILS[detail] : detail }
}

/// How a delivery state is shown: its last event, with `words` for event and detail: `Stored: the device is offline`.
///
/// `detail` is the exact one, if known.
export function stateLook(state, detail = null) {
  const [event, ...rest] = state.split("-")
  const look = eventLook(event, detail ?? (rest.join("-") || null))
  return { ...look, words: look.why ? `${look.words}: ${look.why}` : look.words }
}
