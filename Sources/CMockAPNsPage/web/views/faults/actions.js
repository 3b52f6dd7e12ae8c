// The actions of faults: their labels and the fields of the form.

import { api } from "../../core/api.js"

/// Choices as `[value, label]`.
const BODIES = [
  ["empty", "Empty"], ["truncated", "Truncated"], ["malformed", "HTML instead of JSON"], ["huge", "1 MiB"],
]
const BREAKS = [
  ["rst", "TCP reset"], ["fin", "TCP FIN, without GOAWAY or close_notify"], ["stall", "Stop reading and sending"],
  ["blackhole", "Read and discard everything"],
]
const CLOSES = [["never", "Keep open"], ["drain", "Close when all streams have ended"], ["now", "Close immediately"]]
const THENS = [
  ["", "Answer"], ["refuse", "Refuse (REFUSED_STREAM)"], ["stall", "Do not read"], ["blackhole", "Read, do not answer"],
]
const HANDSHAKES = [
  ["refuse", "Refuse the connection"], ["delay", "Delay the handshake"], ["expired-cert", "Expired certificate"],
  ["wrong-host", "Certificate for another host"], ["no-alpn", "No ALPN protocol"], ["alert", "TLS alert"],
]
/// Filled by `loadChoices`.
const REASONS = [["", "–"]]
const CODES = []

const RESPONSE = [
  { name: "reason", label: "Reason", kind: "select", options: REASONS },
  { name: "status", label: "Status", kind: "number", placeholder: "from the reason",
    hint: "200–599; inferred from the reason if empty." },
  { name: "body", label: "Body", kind: "select", options: [["", "Unchanged"], ...BODIES] },
  { name: "headers", label: "Headers", kind: "headers", placeholder: "retry-after: 2", hint: "One per line." },
]

const GOAWAY = [
  { name: "code", label: "Code", kind: "select", options: CODES, fallback: "NO_ERROR" },
  { name: "lastStream", label: "Last stream", kind: "select", fallback: "answered", options: [
    ["answered", "Highest answered stream"], ["current", "This request's stream"], ["previous", "Previous stream"],
    ["zero", "0"], ["max", "2³¹ − 1"],
  ] },
  { name: "debug", label: "Debug data", kind: "text", placeholder: '{"reason":"Shutdown"}' },
  { name: "close", label: "Connection", kind: "select", fallback: "drain", options: CLOSES },
  { name: "then", label: "Later requests, if kept open", kind: "select", options: THENS },
]

/// The actions, by their names in `do`: `{label, meaning, fields, standard, onConnection, scalar, read, write}`.
///
/// `standard` is the value at first. If the value is not an object, the field `scalar` holds it, or `read` and `write`
/// convert it. `onConnection` actions happen when a connection opens, before any push.
export const ACTIONS = {
  respond: { label: "Replace the response", meaning: "Sends another status and reason.",
    fields: RESPONSE, standard: { reason: "ServiceUnavailable" } },
  delay: { label: "Delay the response", meaning: "Processes the push immediately; the response waits.",
    standard: { for: "1s" },
    fields: [
      { name: "for", label: "Duration", kind: "text", placeholder: "1s", hint: "500ms, 5s, 2m", isRequired: true },
      { name: "jitter", label: "Jitter", kind: "text", placeholder: "0s", fallback: "0s" },
      { name: "distribution", label: "Distribution", kind: "select", fallback: "uniform",
        options: [["uniform", "Uniform, ± jitter"], ["normal", "Normal, jitter is the standard deviation"]] },
    ] },
  stream: { label: "Reset the stream", meaning: "Sends RST_STREAM instead of a response. The push is not delivered.",
    standard: { reset: "REFUSED_STREAM" }, fields: [{ name: "reset", label: "Code", kind: "select", options: CODES }] },
  goaway: { label: "Send GOAWAY", meaning: "Sends GOAWAY after the response.", standard: {},
    fields: [...GOAWAY, { name: "respond", label: "Replace the response before it", kind: "group", isOptional: true,
      fields: RESPONSE }] },
  connection: { label: "Break the connection", meaning: "Sends no response. The push is not delivered.",
    scalar: "kind", standard: "rst", fields: [{ name: "kind", label: "Type", kind: "select", options: BREAKS }] },
  body: { label: "Break the response body", meaning: "Keeps the status and replaces the body.",
    scalar: "kind", standard: "truncated", fields: [{ name: "kind", label: "Body", kind: "select", options: BODIES }] },
  slow: { label: "Slow down the response", meaning: "Sends the response at a limited rate.",
    standard: { bytesPerSecond: 100 },
    fields: [{ name: "bytesPerSecond", label: "Bytes per second", kind: "number", isRequired: true }] },
  lose: { label: "Lose the notification", meaning: "Responds 200 but does not deliver.",
    fields: [], read: () => true, write: () => ({}), standard: true },
  duplicate: { label: "Deliver twice", meaning: "The device gets the notification twice.",
    fields: [], read: () => true, write: () => ({}), standard: true },
  settings: { label: "Change SETTINGS", meaning: "Applies when a connection opens, before any push.",
    onConnection: true, standard: { maxConcurrentStreams: 1 },
    fields: [
      { name: "maxConcurrentStreams", label: "Concurrent streams", kind: "number" },
      { name: "initialWindow", label: "Initial window, in bytes", kind: "number" },
      { name: "delay", label: "Send nothing for", kind: "text", placeholder: "5s" },
      { name: "replaceWithGoaway", label: "GOAWAY instead of SETTINGS", kind: "group", isOptional: true,
        fields: GOAWAY },
    ] },
  handshake: { label: "Break the TLS handshake", meaning: "Applies when a connection opens, before any push.",
    onConnection: true, standard: "expired-cert",
    fields: [
      { name: "kind", label: "Type", kind: "select", options: HANDSHAKES },
      { name: "argument", label: "Delay or alert number", kind: "text", placeholder: "5s, or 40",
        hint: "Only for a delay or an alert." },
    ],
    read: ({ kind, argument }) => {
      if (kind === "delay") return `delay:${argument ?? "5s"}`
      return kind === "alert" ? `alert:${argument ?? 40}` : kind
    },
    write: (value) => {
      const [kind, argument] = value.split(":")
      return { kind, argument }
    } },
}

/// Loads the API's reasons and HTTP/2 codes from the OpenAPI document, once.
export async function loadChoices() {
  if (CODES.length) return
  const { FaultActionDraft: actions, HTTP2ErrorCode: codes } = (await api.get("/openapi.json")).components.schemas
  const choices = (words) => words.filter((word) => word !== null).map((word) => [word, word])
  if (CODES.length) return
  REASONS.push(...choices(actions.properties.respond.properties.reason.enum))
  CODES.push(...choices(codes.enum))
}
