// The texts of the log, by event type.

import { channelPart, shortChannel } from "../../core/channels.js"
import { plain, shortToken } from "../../core/dom.js"
import { count, counted } from "../../core/time.js"

/// The groups of event types that the log can be filtered by.
export const GROUPS = [
  { name: "pushes", label: "Pushes", has: (type) => type.startsWith("push.") },
  { name: "devices", label: "Devices", 
    has: (type) => ["device.changed", "channel.changed", "feedback.added"].includes(type) },
  { name: "faults", label: "Faults", has: (type) => type === "fault.fired" },
  { name: "connections", label: "Connections", has: (type) => type.startsWith("connection.") },
  { name: "others", label: "Other", has: () => true },
]

export function groupOf(type) { return GROUPS.find((group) => group.has(type)).name }

/// The event types: `say(data)` returns the text, `path(data)` its link, `tone(data)` its color and `at(data, seq)` its
/// time, if known.
const ROWS = {
  "push.received": { say: (push) => `${pushWords(push)} received`, path: pushPath, at: receivedAt },
  "push.responded": { say: answerWords, path: pushPath, at: receivedAt,
    tone: (push) => (push.status >= 400 ? "bad" : "good") },
  "push.stored": { say: (push) => `${pushWords(push)} stored: ${wordsOf(push.delivery)}`, path: pushPath,
    at: soonAfter, tone: () => "wait" },
  "push.delivered": { say: (push) => `${titleOf(push)} delivered to ${deviceOf(push)}`, path: pushPath,
    at: soonAfter },
  "push.discarded": { say: (push) => `${pushWords(push)} discarded: ${wordsOf(push.delivery)}`, path: pushPath,
    at: soonAfter, tone: () => "warn" },
  "push.held": { say: (push) => `${titleOf(push)} held on ${deviceOf(push)} for its app`, path: pushPath },
  "push.handed-over": { say: (push) => `${titleOf(push)} handed over to its app on ${deviceOf(push)}`, path: pushPath },
  "push.dropped": { say: (push) => `${titleOf(push)} dropped by ${deviceOf(push)}`, path: pushPath,
    tone: () => "warn" },
  "push.published": { say: (push) => `${titleOf(push)} published to its channel`, path: pushPath },
  "push.subscribed": { say: (push) => `${deviceOf(push)} subscribed to a channel`, path: pushPath },
  "device.changed": {
    say: deviceWords,
    path: (device) => (device.forgotten ? null : `/devices/${encodeURIComponent(device.id)}`),
  },
  "channel.changed": {
    say: channelWords,
    path: (channel) => (channel.forgotten ? null : `/channels/${channelPart(channel.id)}`),
  },
  "feedback.added": {
    say: (entry) => `device token ${shortToken(entry.token)} is invalid: ${entry.cause}`,
    path: () => "/feedback",
    at: (entry) => entry.unregisteredAt,
    tone: () => "warn",
  },
  "fault.fired": {
    say: (fired) => `fault ${fired.fault} fired ${fired.push ? "for a push" : "on a connection"}`,
    path: (fired) => `/faults/${encodeURIComponent(fired.fault)}`,
    tone: () => "bad",
  },
  "connection.opened": { say: (one) => `${one.id} from ${plain(one.remote, 60)} opened`, path: connectionPath,
    at: (one) => one.openedAt },
  "connection.closed": {
    say: (one) => `${one.id} from ${plain(one.remote, 60)} closed: ${plain(one.closeDetail ?? one.closeCode, 160)}`,
    path: connectionPath,
    at: (one) => one.closedAt,
    tone: (one) => (one.closeHint ? "bad" : null),
  },
  "clock.changed": { say: (clock) => `the clock is ${clock.mode}, at ${clock.now}` },
  reset: { say: resetWords, tone: () => "warn" },
  mark: { say: (mark) => plain(mark.text ?? "", 300), at: (mark) => mark.at, tone: () => "mark" },
  gap: {
    say: (gap) => `some events from ${count(gap.from)} to ${count(gap.to)} are missing: too many at once, or evicted`,
    tone: () => "warn",
  },
  closed: { say: (end) => `the stream ended: ${plain(end.reason ?? "", 60)}`, tone: () => "warn" },
}

/// The time of an event, if known.
export function timeOf({ type, seq, data }) { return ROWS[type]?.at?.(data, seq) ?? null }

/// The log line of an event: `{words, path, tone}`.
export function lineOf({ type, data }) {
  const row = ROWS[type] ?? { say: () => "" }
  return { words: row.say(data), path: row.path?.(data) ?? null, tone: row.tone?.(data) ?? null }
}

function receivedAt(push) { return push.receivedAt }

function pushPath(push) { return `/p/${encodeURIComponent(push.id)}` }

function connectionPath(one) { return `/connections/${encodeURIComponent(one.id)}` }

/// The push's time of arrival, for events that immediately follow it.
function soonAfter(push, seq) { return seq - push.seq <= 2 ? push.receivedAt : null }

/// The text of a push, or else its type.
function titleOf(push) {
  if (push.service === "channels") return "channel request"
  const text = push.title ?? push.body
  return text ? `“${plain(text, 60)}”` : push.service === "broadcast" ? "broadcast" : plain(push.pushType ?? "push", 30)
}

function pushWords(push) { return `${titleOf(push)} for ${deviceOf(push)}` }

function answerWords(push) {
  return `${pushWords(push)} answered ${push.status || "with nothing"}${push.reason ? ` ${push.reason}` : ""}`
}

function deviceOf(push) {
  if (push.service && push.service !== "push") return plain(push.bundleId ?? "an unknown app", 60)
  return push.device ? `@${plain(push.device, 40)}` : shortToken(push.token ?? "")
}

function deviceWords(device) {
  if (device.forgotten) return `${device.id} deleted`
  const name = device.label ? `@${plain(device.label, 60)}` : device.id
  const stored = device.stored ? `, ${count(device.stored)} stored` : ""
  return `${name} is ${device.state}${device.lowPower ? ", in low power" : ""}${stored}`
}

function channelWords({ id, bundleId, forgotten, metrics }) {
  if (forgotten) return `channel ${shortChannel(id)} deleted`
  const { uniqueSubscribers, published } = metrics
  return `channel ${shortChannel(id)} of ${plain(bundleId, 60)} has ${counted(uniqueSubscribers, "subscriber")} and `
    + `${counted(published, "broadcast")}`
}

/// Describes what a reset cleared.
function resetWords({ cleared }) {
  const parts = Object.entries(cleared ?? {}).filter(([, number]) => number > 0)
  return `reset: ${parts.map(([name, number]) => `${count(number)} ${name}`).join(", ") || "nothing"} cleared`
}

/// A delivery state as text: `stored-device-offline` becomes `device offline`.
function wordsOf(state) { return (state ?? "").replace(/^(stored|discarded)-/, "").replaceAll("-", " ") }
