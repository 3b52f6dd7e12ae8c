// The texts of the log, by event type.

import { apps } from "../../core/apps.js"
import { channelPart, shortChannel } from "../../core/channels.js"
import { count, counted, plain, shortToken } from "../../core/elements.js"
import { EVENT_DETAILS, FEEDBACK_CAUSES, PUSH_EVENTS } from "../../core/vocabulary.js"
import { faultName } from "../faults/description.js"

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

/// The event types: `say(data, faults)` returns the text, `path(data)` its link, `tone(data)` its color and
/// `at(data, seq)` its time, if known.
const ROWS = {
  "push.received": pushRow("received", { at: receivedAt }),
  "push.responded": { ...pushRow("responded", { at: receivedAt, why: answerWords }),
    tone: (push) => (push.status >= 400 ? "bad" : "good") },
  "push.stored": pushRow("stored", { at: soonAfter, why: stateWords, tone: "wait" }),
  "push.delivered": pushRow("delivered", { at: soonAfter }),
  "push.discarded": pushRow("discarded", { at: soonAfter, why: stateWords, tone: "warn" }),
  "push.held": pushRow("held"),
  "push.handed-over": pushRow("handed-over"),
  "push.dropped": pushRow("dropped", { tone: "warn" }),
  "push.published": pushRow("published"),
  "push.subscribed": pushRow("subscribed"),
  "push.changed": { say: (push) => `Note or pin changed: ${titleOf(push)} for ${deviceOf(push)}`, path: pushPath },
  "device.changed": {
    say: deviceWords,
    path: (device) => (device.forgotten ? null : `/devices/${encodeURIComponent(device.id)}`),
  },
  "channel.changed": {
    say: channelWords,
    path: (channel) => (channel.forgotten ? null : `/channels/${channelPart(channel.id)}`),
  },
  "feedback.added": {
    say: (entry) => `Invalid device token: ${shortToken(entry.token)}, ${(FEEDBACK_CAUSES[entry.cause] ?? entry.cause).toLowerCase()}`,
    path: () => "/feedback",
    at: (entry) => entry.unregisteredAt,
    tone: () => "warn",
  },
  "fault.fired": {
    say: (fired, faults) => {
      const fault = faults.find(({ id }) => id === fired.fault)
      return `Fault fired: ${fault ? faultName(fault) : fired.fault}, ${fired.push ? "for a push" : "on a connection"}`
    },
    path: (fired) => `/faults/${encodeURIComponent(fired.fault)}`,
    tone: () => "bad",
  },
  "connection.opened": { say: (one) => `Opened: ${connectionWords(one)}`, path: connectionPath,
    at: (one) => one.openedAt },
  "connection.closed": {
    say: (one) => `Closed: ${connectionWords(one)}, ${plain(one.closeDetail ?? one.closeCode, 160)}`,
    path: connectionPath,
    at: (one) => one.closedAt,
    tone: (one) => (one.closeHint ? "bad" : null),
  },
  "clock.changed": { say: (clock) => `Clock: ${clock.mode}, at ${clock.now}` },
  "app.changed": { say: (app) => `${app.forgotten ? "Description deleted" : "Described"}: ${plain(app.topic, 120)}` },
  "saved-pushes.changed": { say: (saved) => `Saved pushes: ${count(saved.count)}` },
  reset: { say: resetWords, tone: () => "warn" },
  mark: { say: (mark) => plain(mark.text ?? "", 300), at: (mark) => mark.at, tone: () => "mark" },
  gap: {
    say: (gap) => `Gap: events ${count(gap.from)} to ${count(gap.to)} are missing, because there were too many at once or they were evicted`,
    tone: () => "warn",
  },
  closed: { say: (end) => `Stream ended: ${plain(end.reason ?? "", 60)}`, tone: () => "warn" },
}

/// An event of a push: `Stored: “Order shipped” for @alice, the device is offline`.
function pushRow(event, { at, why = () => null, tone = null } = {}) {
  const say = (push) => `${PUSH_EVENTS[event].words}: ${[`${titleOf(push)} for ${deviceOf(push)}`, why(push)].filter(Boolean).join(", ")}`
  return { say, path: pushPath, at, tone: () => tone }
}

/// The time of an event, if known.
export function timeOf({ type, seq, data }) { return ROWS[type]?.at?.(data, seq) ?? null }

/// The log line of an event: `{words, path, tone}`. `faults` are the known faults.
export function lineOf({ type, data }, faults) {
  const row = ROWS[type] ?? { say: () => "" }
  return { words: row.say(data, faults), path: row.path?.(data) ?? null, tone: row.tone?.(data) ?? null }
}

function receivedAt(push) { return push.receivedAt }

function connectionWords(one) { return `${one.id} from ${plain(one.remote, 60)}` }

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

function answerWords(push) { return [push.status || "no response", push.reason].filter(Boolean).join(" ") }

function deviceOf(push) {
  if (push.service && push.service !== "push") return push.bundleId ? apps.words(push.bundleId) : "an unknown app"
  return push.device ? `@${plain(push.device, 40)}` : shortToken(push.token ?? "")
}

function deviceWords(device) {
  if (device.forgotten) return `Deleted: device ${device.id}`
  const name = device.label ? `@${plain(device.label, 60)}` : device.id
  const stored = device.stored ? `, ${count(device.stored)} stored` : ""
  return `Device: ${name}, ${device.state}${device.lowPower ? ", in low power mode" : ""}${stored}`
}

function channelWords({ id, bundleId, forgotten, metrics }) {
  if (forgotten) return `Deleted: channel ${shortChannel(id)}`
  const { uniqueSubscribers, published } = metrics
  return `Channel: ${shortChannel(id)} of ${apps.words(bundleId)}, ${counted(uniqueSubscribers, "subscriber")}, `
    + counted(published, "broadcast")
}

/// Describes what a reset cleared.
function resetWords({ cleared }) {
  const parts = Object.entries(cleared ?? {}).filter(([, number]) => number > 0)
  return `Reset: ${parts.map(([name, number]) => `${count(number)} ${name}`).join(", ") || "nothing"} cleared`
}

/// Why a push is in its delivery state: `stored-device-offline` becomes `the device is offline`.
function stateWords({ delivery }) {
  const detail = (delivery ?? "").replace(/^(stored|discarded)-/, "")
  return EVENT_DETAILS[detail] ?? detail.replaceAll("-", " ")
}
