// Names and addresses of broadcast channels.

import { plain } from "./dom.js"

/// The labels of the storage policies, by their API values.
export const STORAGE = { 1: "Newest message", 0: "No messages" }

/// A channel ID as part of a path: Base64 would need escapes there.
export function channelPart(id) {
  return encodeURIComponent(id.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""))
}

/// A shortened channel ID: `ASNFZ4mr…`.
export function shortChannel(id) {
  const text = plain(id, 200)
  return text.length > 12 ? `${text.slice(0, 8)}…` : text
}

/// The search for the broadcasts of a channel.
export function broadcastsOf(channel) { return `service:broadcast channel:${channel.id}` }
