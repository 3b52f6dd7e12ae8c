// The labels, icons and colors of a push's states.

import { pushType, stateLook } from "../core/core.js"

/// The icon and tone of the response: `{icon, tone}`. A fault is a warning if the response is still 200.
export function verdictLook(record) {
  if (record.faults.length > 0) return { icon: "fault", tone: record.response.status === 200 ? "warn" : "bad" }
  return record.verdict.outcome === "accepted" ? { icon: "accepted", tone: "good" } : { icon: "rejected", tone: "bad" }
}

/// The response as text: `400 MissingTopic`, `200 Accepted`, `GOAWAY BadCertificate` (a refused client certificate).
export function verdictWords({ verdict, response, faults }) {
  if (response.status === 0) {
    return verdict.reason && faults.length === 0 ? `GOAWAY ${verdict.reason}` : "No response"
  }
  return `${response.status} ${verdict.reason ?? (verdict.outcome === "accepted" ? "Accepted" : "Rejected")}`
}

/// The check that rejected the push, if one did, and how many passed.
export function checkResults({ verdict: { checks } }) {
  return { failed: checks.find(({ ok }) => ok === false), passed: checks.filter(({ ok }) => ok).length }
}

/// Whether a fault decided the response.
export function isByFault({ verdict, faults }) {
  return faults.length > 0 && verdict.decidedBy === `fault:${faults[0]}`
}

/// How a delivery is shown: `{tone, icon, words}`; `null` if there was nothing to deliver.
export function deliveryLook({ delivery, verdict, faults }) {
  if (delivery.ignored) return { tone: "warn", icon: "warning", words: "Delivered, ignored by the device" }
  if (delivery.state !== "not-attempted") return stateLook(delivery.state, delivery.detail)
  const isLost = verdict.outcome === "accepted" && faults.length > 0
  return isLost ? { tone: "warn", icon: "fault", words: "Accepted, lost by a fault" } : null
}

/// The severities of warnings, the most severe first.
export const SEVERITIES = {
  error: { words: "Error", tone: "bad", icon: "rejected" },
  warning: { words: "Warning", tone: "warn", icon: "warning" },
  info: { words: "Note", tone: "", icon: "help" },
}

/// How a warning looks. In an imported push, it may lack its severity.
export function severityLook({ severity }) { return SEVERITIES[severity] ?? SEVERITIES.info }

/// A one-line title of a push, and whether the text comes from the push.
export function headline(record) {
  const aps = record.request.payload?.aps
  const alert = aps?.alert
  const texts = typeof alert === "string" ? [alert] : [alert?.title, alert?.subtitle, alert?.body]
  const text = texts.find((one) => typeof one === "string" && one.trim() !== "")
  if (text) return { text, isOwn: true }
  const key = [alert?.["title-loc-key"], alert?.["loc-key"]].find((one) => typeof one === "string" && one !== "")
  if (key) return { text: `⟨${key}⟩`, isOwn: true }
  if (record.service === "channels") return { text: channelRequest(record.request), isOwn: false }
  const { payload, bodyKept, bodySize } = record.request
  if (bodySize === 0) return { text: "No payload", isOwn: false }
  if (!bodyKept) return { text: "Payload too large to keep", isOwn: false }
  if (payload === null) return { text: "Payload is not JSON", isOwn: false }
  return { text: wordsWithoutText(record.apns.pushType, aps?.event), isOwn: false }
}

/// What a push without an alert is called, by its type, and the event of a Live Activity if that is known.
export function wordsWithoutText(type, event) {
  const { untitled, events } = pushType(type)
  return events?.get(event) ?? untitled ?? `Push of type ${type}`
}

/// What a request to manage channels asks for, by its method; a list has its own path.
const CHANNEL_REQUESTS = { POST: "Create channel", DELETE: "Delete channel", GET: "Read channel" }

function channelRequest({ method, path }) {
  return path.endsWith("/all-channels") ? "List channels" : CHANNEL_REQUESTS[method] ?? "Channel request"
}
