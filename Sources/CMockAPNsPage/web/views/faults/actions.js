// The actions of faults: their labels, the fields of the form, and their descriptions.

import { api } from "../../core/api.js"
import { count, counted } from "../../core/elements.js"

/// Choices as `[value, label, words]`: the label is for the form, the words are for descriptions.
const BODIES = [
  ["empty", "Empty", "no body"], ["truncated", "Truncated", "half of the body"],
  ["malformed", "HTML instead of JSON", "HTML as the body"], ["huge", "1 MiB", "a body of 1 MiB"],
]
const BREAKS = [
  ["rst", "TCP reset", "reset the connection"],
  ["fin", "TCP FIN, without GOAWAY or close_notify", "end the connection without GOAWAY or close_notify"],
  ["stall", "Stop reading and sending", "stop reading and sending"],
  ["blackhole", "Read and discard everything", "discard all input and send nothing"],
]
const CLOSES = [
  ["never", "Keep open", "keep the connection open"],
  ["drain", "Close when all streams have ended", "close when all streams have ended"],
  ["now", "Close immediately", "close immediately"],
]
const THENS = [
  ["", "Answer"], ["refuse", "Refuse (REFUSED_STREAM)", "refuse later requests"],
  ["stall", "Do not read", "do not read later requests"],
  ["blackhole", "Read, do not answer", "do not answer later requests"],
]
/// The words contain `…` for the argument.
const HANDSHAKES = [
  ["refuse", "Refuse the connection", "refuse the connection"],
  ["delay", "Delay the handshake", "delay the TLS handshake by …"],
  ["expired-cert", "Expired certificate", "show an expired certificate"],
  ["wrong-host", "Certificate for another host", "show a certificate for another host"],
  ["no-alpn", "No ALPN protocol", "negotiate no ALPN protocol"],
  ["alert", "TLS alert", "end the TLS handshake with alert …"],
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

/// The actions, by their names in `do`: `{label, meaning, fields, standard, say, onConnection, scalar, read, write}`.
///
/// `standard` is the value at first, and `say(value)` describes a value. If the value is not an object, the field
/// `scalar` holds it, or `read` and `write` convert it. `onConnection` actions happen when a connection opens, before any
/// push.
export const ACTIONS = {
  respond: { label: "Replace the response", meaning: "Sends another status and reason.",
    fields: RESPONSE, standard: { reason: "ServiceUnavailable" },
    say: (value) => `respond ${answerWords(value)}` },
  delay: { label: "Delay the response", meaning: "Processes the push immediately; the response waits.",
    standard: { for: "1s" },
    fields: [
      { name: "for", label: "Duration", kind: "text", placeholder: "1s", hint: "500ms, 5s, 2m", isRequired: true },
      { name: "jitter", label: "Jitter", kind: "text", placeholder: "0s", fallback: "0s" },
      { name: "distribution", label: "Distribution", kind: "select", fallback: "uniform",
        options: [["uniform", "Uniform, ± jitter"], ["normal", "Normal, jitter is the standard deviation"]] },
    ],
    say: ({ for: time, jitter, distribution }) => {
      const spread = jitter && !/^0\D/.test(jitter) ? ` ± ${jitter}${distribution === "normal" ? " (normal)" : ""}` : ""
      return `delay the response by ${time}${spread}`
    } },
  stream: { label: "Reset the stream", meaning: "Sends RST_STREAM instead of a response. The push is not delivered.",
    standard: { reset: "REFUSED_STREAM" }, fields: [{ name: "reset", label: "Code", kind: "select", options: CODES }],
    say: ({ reset }) => `reset the stream with ${reset}` },
  goaway: { label: "Send GOAWAY", meaning: "Sends GOAWAY after the response.", standard: {},
    fields: [...GOAWAY, { name: "respond", label: "Replace the response before it", kind: "group", isOptional: true,
      fields: RESPONSE }],
    say: (value) => `${value.respond ? `respond ${answerWords(value.respond)}, then ` : ""}${goawayWords(value)}` },
  connection: { label: "Break the connection", meaning: "Sends no response. The push is not delivered.",
    scalar: "kind", standard: "rst", fields: [{ name: "kind", label: "Type", kind: "select", options: BREAKS }],
    say: (value) => said(BREAKS, value) },
  body: { label: "Break the response body", meaning: "Keeps the status and replaces the body.",
    scalar: "kind", standard: "truncated", fields: [{ name: "kind", label: "Body", kind: "select", options: BODIES }],
    say: (value) => `respond with ${said(BODIES, value)}` },
  slow: { label: "Slow down the response", meaning: "Sends the response at a limited rate.",
    standard: { bytesPerSecond: 100 },
    fields: [{ name: "bytesPerSecond", label: "Bytes per second", kind: "number", isRequired: true }],
    say: ({ bytesPerSecond }) => `respond at ${count(bytesPerSecond)} bytes per second` },
  lose: { label: "Lose the notification", meaning: "Responds 200 but does not deliver.",
    fields: [], read: () => true, write: () => ({}), standard: true,
    say: () => "respond 200 and lose the notification" },
  duplicate: { label: "Deliver twice", meaning: "The device gets the notification twice.",
    fields: [], read: () => true, write: () => ({}), standard: true,
    say: () => "deliver twice" },
  settings: { label: "Change SETTINGS", meaning: "Applies when a connection opens, before any push.",
    onConnection: true, standard: { maxConcurrentStreams: 1 },
    fields: [
      { name: "maxConcurrentStreams", label: "Concurrent streams", kind: "number" },
      { name: "initialWindow", label: "Initial window, in bytes", kind: "number" },
      { name: "delay", label: "Send nothing for", kind: "text", placeholder: "5s" },
      { name: "replaceWithGoaway", label: "GOAWAY instead of SETTINGS", kind: "group", isOptional: true,
        fields: GOAWAY },
    ],
    say: (value) => [
      value.maxConcurrentStreams === undefined ? null : `allow ${counted(value.maxConcurrentStreams, "stream")} at a time`,
      value.initialWindow === undefined ? null : `set the initial window to ${count(value.initialWindow)} bytes`,
      value.delay ? `send nothing for ${value.delay}` : null,
      value.replaceWithGoaway ? `${goawayWords(value.replaceWithGoaway)} instead of SETTINGS` : null,
    ].filter(Boolean).join(", ") },
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
    },
    say: (value) => {
      const [kind, argument] = value.split(":")
      return said(HANDSHAKES, kind, value).replace("…", argument)
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

/// The words of a choice, for a description.
function said(choices, value, otherwise = value) { return choices.find(([one]) => one === value)?.[2] ?? otherwise }

function answerWords({ status, reason, headers, body }) {
  const extras = [
    headers ? `with ${Object.keys(headers).join(", ")}` : null,
    body ? `with ${said(BODIES, body)}` : null,
  ].filter(Boolean)
  return [status, reason, ...extras].filter(Boolean).join(" ")
}

function goawayWords({ code, debug, lastStream, close, then }) {
  const stream = lastStream && lastStream !== "answered" ? ` (last stream: ${lastStream})` : ""
  const sent = `send GOAWAY ${code ?? "NO_ERROR"}${debug ? ` ${debug}` : ""}${stream}`
  return [sent, said(CLOSES, close, null), said(THENS, then, null)].filter(Boolean).join(", ")
}
