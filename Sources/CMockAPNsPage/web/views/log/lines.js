// The texts of the log, by event type.

import {
  ACTIVITY_REASONS, addresseeOf, apps, channelPart, clock, count, counted, eventLook, FEEDBACK_CAUSES, isStep, plain,
  pushPath, shortChannel, shortToken,
} from "../../core/core.js"
import { faultName } from "../faults/description.js"

/// The groups of event types that the log can be filtered by.
export const GROUPS = [
  { name: "pushes", label: "Pushes", has: (type) => type.startsWith("push.") },
  { name: "devices", label: "Devices",
    has: (type) => ["device.changed", "channel.changed", "feedback.added"].includes(type) },
  { name: "activities", label: "Live Activities", has: (type) => type.startsWith("activity.") },
  { name: "faults", label: "Faults", has: (type) => type === "fault.fired" },
  { name: "connections", label: "Connections", has: (type) => type.startsWith("connection.") },
  { name: "others", label: "Other", has: () => true },
]

export function groupOf(type) { return GROUPS.find((group) => group.has(type)).name }

/// What happens to a Live Activity, by the API's names of the events, and its color.
const ACTIVITY_EVENTS = {
  started: ["started", "good"],
  updated: ["updated", null],
  stale: ["is stale", "warn"],
  ended: ["ended", null],
  dismissed: ["dismissed", null],
  token: ["has a new token", "warn"],
}

function activityLine({ event, id, device, label, reason, activity }) {
  const [words, tone] = ACTIVITY_EVENTS[event]
  const name = activity ? plain(activity.attributesType, 60) : id
  const why = ACTIVITY_REASONS[reason] ?? reason
  return { words: `Live Activity ${name} ${words}: ${label ? `@${plain(label, 60)}` : device}, ${why}`,
    path: `/devices/${encodeURIComponent(device)}`, tone }
}

/// The lines of the events that are no steps of a push.
const LINES = {
  "push.changed": (push) => ({ words: `Note or pin changed: ${subjectOf(push)}`, path: pushPath(push.id) }),
  "push.forwarded": (push) => ({
    words: `Forwarded: ${subjectOf(push)}`, path: pushPath(push.id),
    tone: push.forward === "same" || push.forward?.outcome === "same" ? undefined : "warn",
  }),
  "device.changed": (device) => ({
    words: deviceWords(device),
    path: device.forgotten ? null : `/devices/${encodeURIComponent(device.id)}`,
  }),
  "channel.changed": (channel) => ({
    words: channelWords(channel),
    path: channel.forgotten ? null : `/channels/${channelPart(channel.id)}`,
  }),
  ...Object.fromEntries(Object.keys(ACTIVITY_EVENTS).map((event) => [`activity.${event}`, activityLine])),
  "feedback.added": ({ token, cause, unregisteredAt }) => {
    const why = (FEEDBACK_CAUSES[cause] ?? cause).toLowerCase()
    return { words: `Invalid device token: ${shortToken(token)}, ${why}`, path: "/feedback", tone: "warn",
      at: realTime(unregisteredAt) }
  },
  "fault.fired": ({ fault: id, push }, faults) => {
    const fault = faults.find((one) => one.id === id)
    const words = `Fault fired: ${fault ? faultName(fault) : id}, ${push ? "for a push" : "on a connection"}`
    return { words, path: `/faults/${encodeURIComponent(id)}`, tone: "bad" }
  },
  "connection.opened": (one) => ({ words: `Opened: ${connectionWords(one)}`, path: connectionPath(one),
    at: one.openedAt }),
  "connection.closed": (one) => ({
    words: `Closed: ${connectionWords(one)}, ${plain(one.closeDetail ?? one.closeCode, 160)}`,
    path: connectionPath(one),
    tone: one.closeHint ? "bad" : null,
    at: one.closedAt,
  }),
  "clock.changed": ({ mode, now }) => ({ words: `Clock: ${mode}, at ${now}` }),
  "app.changed": ({ topic, forgotten }) => ({
    words: `${forgotten ? "Description deleted" : "Described"}: ${plain(topic, 120)}`,
  }),
  "saved-pushes.changed": (saved) => ({ words: `Saved pushes: ${count(saved.count)}` }),
  reset: (reset) => ({ words: resetWords(reset), tone: "warn" }),
  mark: ({ text, at }) => ({ words: plain(text ?? "", 300), tone: "mark", at: realTime(at) }),
  gap: ({ from, to }) => ({
    words: `Gap: events ${count(from)} to ${count(to)} are missing, because there were too many at once or they were `
      + "evicted",
    tone: "warn",
  }),
  closed: ({ reason }) => ({ words: `Stream ended: ${plain(reason ?? "", 60)}`, tone: "warn" }),
}

/// A time of the server's clock, unless that shows another time than the rest of the log.
function realTime(at) { return clock.isMoved ? null : at }

/// The log line of an event: `{words, path, tone, at}`. `faults` are the known faults. Only `words` is always there.
export function lineOf({ type, seq, data }, faults) {
  if (isStep(type)) return stepLine(type.slice("push.".length), data, seq)
  return LINES[type]?.(data, faults) ?? { words: "" }
}

/// A step of a push: `Stored: “Order shipped” for @alice, the device is offline`.
function stepLine(event, push, seq) {
  const isAnswer = event === "responded"
  const detail = push.delivery?.startsWith(`${event}-`) ? push.delivery.slice(event.length + 1) : null
  const { words, tone, why } = eventLook(event, detail)
  const answer = [push.status || "no response", push.reason].filter(Boolean).join(" ")
  return {
    words: [`${words}: ${subjectOf(push)}`, isAnswer ? answer : why].filter(Boolean).join(", "),
    path: pushPath(push.id),
    tone: isAnswer ? push.status >= 400 ? "bad" : "good" : tone,
    // A step has no time of its own: that of the push is right if the step followed immediately.
    at: isAnswer || seq - push.seq <= 2 ? push.receivedAt : null,
  }
}

function connectionWords(one) { return `${one.id} from ${plain(one.remote, 60)}` }

function connectionPath(one) { return `/connections/${encodeURIComponent(one.id)}` }

/// The text of a push, or else its type, and whom it is for.
function subjectOf(push) {
  const { title, body, service, pushType, bundleId, device, token } = push
  const text = title ?? body
  const kind = { channels: "channel request", broadcast: "broadcast" }[service] ?? plain(pushType ?? "push", 30)
  const app = bundleId ? apps.words(bundleId) : "an unknown app"
  const target = service && service !== "push" ? `for ${app}`
    : device || token ? `for ${addresseeOf(push)}`
      : push.reason === "BadDeviceToken" ? "with an invalid token" : "with no token"
  return `${text ? `“${plain(text, 60)}”` : kind} ${target}`
}

function deviceWords({ id, forgotten, label, state, lowPower, stored }) {
  if (forgotten) return `Deleted: device ${id}`
  const name = label ? `@${plain(label, 60)}` : id
  const waiting = stored ? `, ${count(stored)} stored` : ""
  return `Device: ${name}, ${state}${lowPower ? ", in low power mode" : ""}${waiting}`
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
