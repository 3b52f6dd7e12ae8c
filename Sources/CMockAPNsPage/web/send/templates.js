// A template for each push type: its payload, the headers that belong to it, and fields for parts of the payload.

import { clock, pushType } from "../core/core.js"

const TITLE = { name: "title", at: ["aps", "alert", "title"], label: "Title", kind: "text" }
const BODY = { name: "body", at: ["aps", "alert", "body"], label: "Body", kind: "text" }
const CHANGED = { aps: { "content-changed": true } }

const LEVELS = [["", "active, the default"], ...["passive", "time-sensitive", "critical"].map((name) => [name, name])]
const EVENTS = ["start", "update", "end"].map((name) => [name, name])

const isStart = (payload) => payload.aps?.event === "start"
const isEnd = (payload) => payload.aps?.event === "end"

/// The templates by push type.
///
/// `topic`, `priority` and `expiration` are recommended headers. `payload()` returns the payload. `fields`
/// are form fields for values `at` a path in the payload; one with `isFor(payload)` is only shown if that holds.
const TEMPLATES = {
  alert: {
    payload: () => ({ aps: { alert: { title: "Test push", body: "Sent by mock-apns itself." }, sound: "default" } }),
    fields: [
      TITLE,
      BODY,
      { name: "subtitle", at: ["aps", "alert", "subtitle"], label: "Subtitle", kind: "text" },
      { name: "badge", at: ["aps", "badge"], label: "Badge", kind: "number", placeholder: "unchanged" },
      { name: "sound", at: ["aps", "sound"], label: "Sound", kind: "text", placeholder: "none" },
      { name: "category", at: ["aps", "category"], label: "Category", kind: "text", placeholder: "none" },
      { name: "thread", at: ["aps", "thread-id"], label: "Thread", kind: "text", placeholder: "none" },
      { name: "level", at: ["aps", "interruption-level"], label: "Interruption level", kind: "select",
        options: LEVELS },
    ],
  },
  background: { priority: 5, payload: () => ({ aps: { "content-available": 1 } }) },
  voip: {
    priority: 10,
    expiration: 0,
    payload: () => ({ caller: "Alice", callId: crypto.randomUUID() }),
    fields: [{ name: "caller", at: ["caller"], label: "Caller", kind: "text" }],
  },
  liveactivity: {
    priority: 10,
    payload: () => {
      const timestamp = Math.floor(clock.now / 1_000)
      return { aps: { timestamp, event: "update", "content-state": { progress: 0.5 } } }
    },
    fields: [
      { name: "event", at: ["aps", "event"], label: "Event", kind: "select", options: EVENTS },
      { name: "state", at: ["aps", "content-state"], label: "Content state", kind: "json", rows: 3 },
      { name: "attributesType", at: ["aps", "attributes-type"], label: "Attributes type", kind: "text",
        placeholder: "DeliveryAttributes", isFor: isStart },
      { name: "attributes", at: ["aps", "attributes"], label: "Attributes", kind: "json", rows: 3,
        placeholder: '{"order": 17}', isFor: isStart },
      TITLE,
      BODY,
      { name: "staleDate", at: ["aps", "stale-date"], label: "Stale date", kind: "number", placeholder: "none",
        hint: "In UNIX seconds." },
      { name: "dismissalDate", at: ["aps", "dismissal-date"], label: "Dismissal date", kind: "number",
        placeholder: "up to four hours later", hint: "In UNIX seconds.", isFor: isEnd },
    ],
  },
  location: { payload: () => ({ aps: {} }) },
  complication: { payload: () => ({ aps: { "content-available": 1 }, temperature: 21 }) },
  fileprovider: {
    payload: () => ({ "container-identifier": "NSFileProviderWorkingSetContainerItemIdentifier", domain: "main" }),
    fields: [
      { name: "container", at: ["container-identifier"], label: "Container identifier", kind: "text" },
      { name: "domain", at: ["domain"], label: "Domain", kind: "text" },
    ],
  },
  mdm: {
    topic: "com.apple.mgmt.External.00000000-0000-0000-0000-000000000000",
    payload: () => ({ mdm: "00000000-0000-0000-0000-000000000000" }),
    fields: [{ name: "magic", at: ["mdm"], label: "Push magic", kind: "text" }],
  },
  pushtotalk: {
    priority: 10,
    expiration: 0,
    payload: () => ({ aps: {}, activeSpeaker: "Alice" }),
    fields: [{ name: "speaker", at: ["activeSpeaker"], label: "Active speaker", kind: "text" }],
  },
  widgets: { payload: () => CHANGED },
  controls: { priority: 10, payload: () => CHANGED },
  accessory: {
    payload: () => ({
      aps: {
        encryptedData: btoa("encrypted by the accessory"),
        sessionIdentifier: crypto.randomUUID(),
        keyID: btoa("key 1"),
        messageIndex: "1",
      },
    }),
    fields: [
      { name: "data", at: ["aps", "encryptedData"], label: "Encrypted data", kind: "text", hint: "Base64." },
      { name: "session", at: ["aps", "sessionIdentifier"], label: "Session identifier", kind: "text" },
      { name: "key", at: ["aps", "keyID"], label: "Key ID", kind: "text", hint: "Base64." },
      { name: "index", at: ["aps", "messageIndex"], label: "Message index", kind: "text" },
    ],
  },
}

/// The template of a push type, which may be unknown.
export function templateOf(type) {
  const own = Object.hasOwn(TEMPLATES, type) ? TEMPLATES[type] : {}
  return { suffix: "", fields: [], payload: () => ({}), ...pushType(type), ...own }
}

/// A payload as text.
export function written(payload) { return JSON.stringify(payload, null, 2) }
