// What the states of a push are called, and how they look; one row each.

/// The answer in a glyph and a tone: `{icon, tone}`.
export function verdictLook(record) {
  const { response } = record
  if (record.faults.length > 0) return { icon: "fault", tone: "warn" }
  return response.status === 200 ? { icon: "accepted", tone: "good" } : { icon: "rejected", tone: "bad" }
}

/// The answer in words: `400 MissingTopic`, `200 Accepted`.
export function verdictWords({ verdict, response }) {
  if (response.status === 0) return "No answer"
  return `${response.status} ${verdict.reason ?? (response.status === 200 ? "Accepted" : "Refused")}`
}

/// The states of a delivery: their tone and icon.
const DELIVERIES = {
  delivered: { tone: "good", icon: "device" },
  "delivered-from-storage": { tone: "good", icon: "device" },
  "stored-device-offline": { tone: "wait", icon: "stored" },
  "stored-power-considerations": { tone: "wait", icon: "stored" },
}

/// How a delivery looks: `{tone, icon, words}`; `null` where nothing was to be delivered.
export function deliveryLook({ delivery, verdict, faults }) {
  if (delivery.state === "not-attempted") {
    const isLost = verdict.outcome === "accepted" && faults.length > 0
    return isLost ? { tone: "warn", icon: "fault", words: "Accepted, and lost on purpose" } : null
  }
  const look = DELIVERIES[delivery.state] ?? { tone: "bad", icon: "rejected" }
  return { ...look, words: delivery.status ?? delivery.state }
}

/// How bad a lint is: `error`, `warning`, `info`, in this order.
export const SEVERITIES = {
  error: { words: "Error", tone: "bad", icon: "rejected" },
  warning: { words: "Warning", tone: "warn", icon: "warning" },
  info: { words: "Note", tone: "", icon: "help" },
}

/// What a push is about, in one line, and whether these are its own words.
export function headline(record) {
  const aps = record.request.payload?.aps
  const alert = aps?.alert
  const texts = typeof alert === "string" ? [alert] : [alert?.title, alert?.subtitle, alert?.body]
  const text = texts.find((one) => typeof one === "string" && one.trim() !== "")
  if (text) return { text, isOwn: true }
  const key = [alert?.["title-loc-key"], alert?.["loc-key"]].find((one) => typeof one === "string" && one !== "")
  if (key) return { text: `⟨${key}⟩`, isOwn: true }
  const { payload, bodyKept, bodySize } = record.request
  if (bodySize === 0) return { text: "No payload", isOwn: false }
  if (!bodyKept) return { text: "A payload too large to keep", isOwn: false }
  if (payload === null) return { text: "A payload that is not JSON", isOwn: false }
  const type = record.apns.pushType
  return { text: WITHOUT_ALERT[type] ?? `A push of the type ${type}`, isOwn: false }
}

const WITHOUT_ALERT = {
  alert: "An alert without text",
  background: "A background push",
  liveactivity: "An update of a Live Activity",
  voip: "A call",
  widgets: "A reload of widgets",
  controls: "A reload of controls",
  complication: "Data for a complication",
  location: "A question for the location",
  fileprovider: "A change for the File Provider",
  mdm: "A call from device management",
  pushtotalk: "Somebody speaks",
}
