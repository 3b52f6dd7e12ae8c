// What a fault can do: one row for each action, with its fields and its words.

const BODIES = [
  ["empty", "Empty"],
  ["truncated", "Cut off in the middle"],
  ["malformed", "HTML instead of JSON"],
  ["huge", "1 MiB long"],
]

/// The actions, as the API names them in `do`: `{name, label, meaning, fields, onConnection, scalar, read, write}`.
///
/// `vocabulary` has the API's `reasons` and `codes`. An action whose value is no object has its value in the field
/// `scalar`, or turns it from and into fields by `read` and `write`. `onConnection` happens before there is a push.
export function actionsOf({ reasons, codes }) {
  const reasonOptions = [["", "–"], ...reasons.map((reason) => [reason, reason])]
  const codeOptions = codes.map((code) => [code, code])
  const response = [
    { name: "reason", label: "Reason", kind: "select", options: reasonOptions },
    { name: "status", label: "Status", kind: "number", placeholder: "as the reason has it",
      hint: "200 to 599; it gives the reason, or the reason it." },
    { name: "body", label: "Body", kind: "select", options: [["", "As usual"], ...BODIES] },
    { name: "headers", label: "Headers", kind: "headers", placeholder: "retry-after: 2", hint: "One to a line." },
  ]
  const goaway = [
    { name: "code", label: "Code", kind: "select", options: codeOptions, fallback: "NO_ERROR" },
    { name: "lastStream", label: "Last stream", kind: "select", fallback: "answered", options: [
      ["answered", "The highest that is answered"], ["current", "This request's"], ["previous", "The one before it"], ["zero", "0"], ["max", "2³¹ − 1"],
    ] },
    { name: "debug", label: "Debug data", kind: "text", placeholder: '{"reason":"Shutdown"}' },
    { name: "close", label: "The connection", kind: "select", fallback: "drain", options: [
      ["never", "Stays open"], ["drain", "Closes when its streams have ended"], ["now", "Closes at once"],
    ] },
    { name: "then", label: "Later requests, where it stays open", kind: "select", options: [
      ["", "Are answered"], ["refuse", "Are refused (REFUSED_STREAM)"], ["stall", "Are not read"],
      ["blackhole", "Are read and not answered"],
    ] },
  ]
  const goawayAfterAnswer = [
    ...goaway,
    { name: "respond", label: "With another answer before it", kind: "group", isOptional: true, fields: response },
  ]
  return [
    { name: "respond", label: "Answer something else",
      meaning: "Another status and reason, instead of the rules' answer.",
      fields: response, standard: { reason: "ServiceUnavailable" } },
    { name: "delay", label: "Delay the answer", meaning: "The push is judged at once; its answer waits.",
      standard: { for: "1s" },
      fields: [
        { name: "for", label: "For", kind: "text", placeholder: "1s", hint: "500ms, 5s, 2m", isRequired: true },
        { name: "jitter", label: "Jitter", kind: "text", placeholder: "0s", fallback: "0s" },
        { name: "distribution", label: "Distribution", kind: "select", fallback: "uniform",
          options: [["uniform", "Uniform, ± jitter"], ["normal", "Normal, jitter is the standard deviation"]] },
      ] },
    { name: "stream", label: "Reset the stream",
      meaning: "RST_STREAM instead of an answer; the push is not delivered.",
      standard: { reset: "REFUSED_STREAM" },
      fields: [{ name: "reset", label: "Code", kind: "select", options: codeOptions }] },
    { name: "goaway", label: "Send GOAWAY", meaning: "A GOAWAY behind the answer.",
      fields: goawayAfterAnswer, standard: {} },
    { name: "connection", label: "Break the connection", meaning: "Instead of an answer; the push is not delivered.",
      scalar: "kind", standard: "rst",
      fields: [{ name: "kind", label: "How", kind: "select", options: [
        ["rst", "TCP reset"], ["fin", "TCP end, without a goodbye"], ["stall", "Nothing is read or sent any more"],
        ["blackhole", "What comes is read and thrown away"],
      ] }] },
    { name: "body", label: "Break the answer's body", meaning: "The status is as judged; the body is not.",
      scalar: "kind", standard: "truncated",
      fields: [{ name: "kind", label: "Body", kind: "select", options: BODIES }] },
    { name: "slow", label: "Answer slowly", meaning: "The answer trickles.", standard: { bytesPerSecond: 100 },
      fields: [{ name: "bytesPerSecond", label: "Bytes per second", kind: "number", isRequired: true }] },
    { name: "lose", label: "Lose the notification", meaning: "Answered 200, and never delivered.",
      fields: [], read: () => true, write: () => ({}), standard: true },
    { name: "duplicate", label: "Deliver twice", meaning: "The device gets the notification two times.",
      fields: [], read: () => true, write: () => ({}), standard: true },
    { name: "settings", label: "Begin with other SETTINGS",
      meaning: "When a connection begins, before there is a push.",
      onConnection: true, standard: { maxConcurrentStreams: 1 },
      fields: [
        { name: "maxConcurrentStreams", label: "Concurrent streams", kind: "number" },
        { name: "initialWindow", label: "Initial window, in bytes", kind: "number" },
        { name: "delay", label: "Nothing leaves before", kind: "text", placeholder: "5s" },
        { name: "replaceWithGoaway", label: "GOAWAY in place of SETTINGS", kind: "group", isOptional: true,
          fields: goaway },
      ] },
    { name: "handshake", label: "Break the TLS handshake",
      meaning: "When a connection begins, before there is a push.",
      onConnection: true, standard: "expired-cert",
      fields: [
        { name: "kind", label: "How", kind: "select", options: [
          ["refuse", "Refuse the connection"], ["delay", "Delay it"], ["expired-cert", "An expired certificate"],
          ["wrong-host", "A certificate for another host"], ["no-alpn", "No protocol by ALPN"],
          ["alert", "A TLS alert"],
        ] },
        { name: "argument", label: "Time, or number of the alert", kind: "text", placeholder: "5s, or 40",
          hint: "For a delay, and for an alert." },
      ],
      read: ({ kind, argument }) => {
        if (kind === "delay") return `delay:${argument ?? "5s"}`
        return kind === "alert" ? `alert:${argument ?? 40}` : kind
      },
      write: (value) => {
        const [kind, argument] = value.split(":")
        return { kind, argument }
      } },
  ]
}

let known = null

/// The API's words for reasons and HTTP/2 codes, from its own description; asked for once.
export async function readVocabulary(api) {
  if (known) return known
  const document = await api.get("/openapi.json")
  const { respond, stream } = document.components.schemas.FaultActionDraft.properties
  const words = (schema) => (schema.enum ?? []).filter((word) => word !== null)
  known = { reasons: words(respond.properties.reason), codes: words(stream.properties.reset) }
  return known
}
