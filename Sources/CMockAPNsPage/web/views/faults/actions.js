// The actions of faults, as rows of the form.

const BODIES = [
  ["empty", "Empty"], ["truncated", "Truncated"], ["malformed", "HTML instead of JSON"], ["huge", "1 MiB"],
]
const FAILURES = [
  ["rst", "TCP reset"], ["fin", "TCP FIN, without GOAWAY or close_notify"], ["stall", "Stop reading and sending"],
  ["blackhole", "Read and discard everything"],
]
const HANDSHAKES = [
  ["refuse", "Refuse the connection"], ["delay", "Delay the handshake"], ["expired-cert", "Expired certificate"],
  ["wrong-host", "Certificate for another host"], ["no-alpn", "No ALPN protocol"], ["alert", "TLS alert"],
]
const LAST_STREAMS = [
  ["answered", "Highest answered stream"], ["current", "This request's stream"], ["previous", "Previous stream"],
  ["zero", "0"], ["max", "2³¹ − 1"],
]
const CLOSES = [["never", "Keep open"], ["drain", "Close when all streams have ended"], ["now", "Close immediately"]]
const THENS = [
  ["", "Respond"], ["refuse", "Refuse (REFUSED_STREAM)"], ["stall", "Do not read"],
  ["blackhole", "Read, do not respond"],
]
const DISTRIBUTIONS = [["uniform", "Uniform, ± jitter"], ["normal", "Normal, jitter is the standard deviation"]]

/// The rows of the actions, by their names in `do`. Those with `isOnConnection` happen when a connection opens, before
/// any push. The schemas of the OpenAPI document have the reasons and the HTTP/2 codes.
export function actionRows({ FaultActionDraft: { properties }, HTTP2ErrorCode }) {
  const reasons = properties.respond.properties.reason.enum.filter((reason) => reason !== null)
  const codes = HTTP2ErrorCode.enum.map((code) => [code, code])
  const response = [
    select("reason", "Reason", [["", "–"], ...reasons.map((reason) => [reason, reason])]),
    { name: "status", label: "Status", kind: "number", placeholder: "from the reason",
      hint: "200–599; inferred from the reason if empty." },
    select("body", "Body", [["", "Unchanged"], ...BODIES]),
    { name: "headers", label: "Headers", kind: "headers", placeholder: "retry-after: 2", hint: "One per line." },
  ]
  const goaway = [
    select("code", "Code", codes, { fallback: "NO_ERROR" }),
    select("lastStream", "Last stream", LAST_STREAMS, { fallback: "answered" }),
    { name: "debug", label: "Debug data", kind: "text", placeholder: '{"reason":"Shutdown"}' },
    select("close", "Connection", CLOSES, { fallback: "drain" }),
    select("then", "Later requests, if kept open", THENS),
  ]
  return [
    { name: "respond", option: "Replace the response", meaning: "Sends another status and reason.",
      kind: "group", standard: { reason: "ServiceUnavailable" }, fields: response },
    { name: "delay", option: "Delay the response", meaning: "Processes the push immediately; the response waits.",
      kind: "group", standard: { for: "1s" }, fields: [
        { name: "for", label: "Duration", kind: "text", placeholder: "1s", hint: "500ms, 5s, 2m", isRequired: true },
        { name: "jitter", label: "Jitter", kind: "text", placeholder: "0s", fallback: "0s" },
        select("distribution", "Distribution", DISTRIBUTIONS, { fallback: "uniform" }),
      ] },
    { name: "stream", option: "Reset the stream",
      meaning: "Sends RST_STREAM instead of a response. The push is not delivered.",
      kind: "group", standard: { reset: "REFUSED_STREAM" }, fields: [select("reset", "Code", codes)] },
    { name: "goaway", option: "Send GOAWAY", meaning: "Sends GOAWAY after the response.",
      kind: "group", fields: [...goaway,
        { name: "respond", label: "Replace the response before it", kind: "group", isOptional: true,
          fields: response }] },
    select("connection", "Failure", FAILURES, { option: "Break the connection", standard: "rst",
      meaning: "Sends no response. The push is not delivered." }),
    select("body", "Body", BODIES, { option: "Break the response body", standard: "truncated",
      meaning: "Keeps the status and replaces the body." }),
    { name: "slow", option: "Slow down the response", meaning: "Sends the response at a limited rate.",
      kind: "group", standard: { bytesPerSecond: 100 },
      fields: [{ name: "bytesPerSecond", label: "Bytes per second", kind: "number", isRequired: true }] },
    { name: "lose", option: "Lose the notification", meaning: "Responds 200 but does not deliver.",
      kind: "group", read: () => true, fields: [] },
    { name: "duplicate", option: "Deliver twice", meaning: "The device gets the notification twice.",
      kind: "group", read: () => true, fields: [] },
    { name: "settings", option: "Change SETTINGS", meaning: "Applies when a connection opens, before any push.",
      isOnConnection: true, kind: "group", standard: { maxConcurrentStreams: 1 }, fields: [
        { name: "maxConcurrentStreams", label: "Concurrent streams", kind: "number" },
        { name: "initialWindow", label: "Initial window, in bytes", kind: "number" },
        { name: "delay", label: "Send nothing for", kind: "text", placeholder: "5s" },
        { name: "replaceWithGoaway", label: "GOAWAY instead of SETTINGS", kind: "group", isOptional: true,
          fields: goaway },
      ] },
    { name: "handshake", option: "Break the TLS handshake",
      meaning: "Applies when a connection opens, before any push.", isOnConnection: true,
      kind: "group", standard: "expired-cert", read: handshakeOf, write: handshakeParts, fields: [
        select("kind", "Failure", HANDSHAKES),
        { name: "argument", label: "Delay or alert number", kind: "text", placeholder: "5s, or 40",
          hint: "Only for a delay or an alert." },
      ] },
  ]
}

function select(name, label, options, more = {}) { return { name, label, kind: "select", options, ...more } }

function handshakeOf({ kind, argument }) {
  const standard = { delay: "5s", alert: 40 }[kind]
  return standard ? `${kind}:${argument ?? standard}` : kind
}

function handshakeParts(text) {
  const [kind, argument] = text.split(":")
  return { kind, argument }
}
