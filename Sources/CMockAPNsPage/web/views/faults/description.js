// The description of a fault: which pushes it matches, when it fires and what it does.

import { plain } from "../../core/dom.js"
import { count, counted, timesCount } from "../../core/time.js"

/// The labels of the members of `match`. Others are shown by their names.
const MEMBERS = {
  topic: "topic", token: "token", device: "device", pushType: "type", priority: "priority", q: "search",
  collapseId: "collapse ID",
  environment: "environment", connection: "connection", keyId: "key ID", teamId: "team ID", apnsId: "apns-id",
}

const BREAKS = {
  rst: "reset the connection",
  fin: "end the connection without GOAWAY or close_notify",
  stall: "stop reading and sending",
  blackhole: "discard all input and send nothing",
}

const BODIES = {
  empty: "no body", truncated: "half of the body", malformed: "HTML as the body", huge: "a body of 1 MiB",
}

const CLOSES = {
  never: "keep the connection open", drain: "close when all streams have ended", now: "close immediately",
}

const THENS = {
  refuse: "refuse later requests", stall: "do not read later requests", blackhole: "do not answer later requests",
}

const HANDSHAKES = {
  refuse: () => "refuse the connection",
  delay: (time) => `delay the TLS handshake by ${time}`,
  "expired-cert": () => "show an expired certificate",
  "wrong-host": () => "show a certificate for another host",
  "no-alpn": () => "negotiate no ALPN protocol",
  alert: (number) => `end the TLS handshake with alert ${number}`,
}

/// The descriptions of actions, by their names in `do`.
const ACTIONS = {
  respond: (value) => `respond ${answerWords(value)}`,
  delay: ({ for: time, jitter, distribution }) => {
    const spread = jitter && !/^0\D/.test(jitter) ? ` ± ${jitter}${distribution === "normal" ? " (normal)" : ""}` : ""
    return `delay the response by ${time}${spread}`
  },
  stream: ({ reset }) => `reset the stream with ${reset}`,
  goaway: (value) => `${value.respond ? `respond ${answerWords(value.respond)}, then ` : ""}${goawayWords(value)}`,
  connection: (value) => BREAKS[value] ?? value,
  settings: (value) => [
    value.maxConcurrentStreams === undefined ? null : `allow ${counted(value.maxConcurrentStreams, "stream")} at a time`,
    value.initialWindow === undefined ? null : `set the initial window to ${count(value.initialWindow)} bytes`,
    value.delay ? `send nothing for ${value.delay}` : null,
    value.replaceWithGoaway ? `${goawayWords(value.replaceWithGoaway)} instead of SETTINGS` : null,
  ].filter(Boolean).join(", "),
  handshake: (value) => {
    const [kind, argument] = value.split(":")
    return HANDSHAKES[kind]?.(argument) ?? value
  },
  body: (value) => `respond with ${BODIES[value] ?? value}`,
  lose: () => "respond 200 and lose the notification",
  duplicate: () => "deliver twice",
  slow: ({ bytesPerSecond }) => `respond at ${count(bytesPerSecond)} bytes per second`,
}

/// Describes the action in `do`.
export function actionWords(action) {
  const [name, value] = Object.entries(action)[0] ?? []
  return plain(ACTIONS[name]?.(value) ?? JSON.stringify(action), 300)
}

/// Whether the action happens when a connection opens, before any push.
function isOnConnection(action) { return "settings" in action || "handshake" in action }

/// Describes the pushes that `match` selects.
export function matchWords(match, action) {
  const { connection, headers = {}, ...members } = match
  const parts = Object.entries(members).map(([name, value]) => `${MEMBERS[name] ?? name} ${valueWords(value)}`)
  parts.push(...Object.entries(headers).map(([name, value]) => `${name} ${valueWords(value)}`))
  if (typeof connection === "string" || Array.isArray(connection)) parts.push(`connection ${valueWords(connection)}`)
  else if (connection) {
    if (connection.id) parts.push(`connection ${valueWords(connection.id)}`)
    if (connection.remote) parts.push(`from ${valueWords(connection.remote)}`)
    if (connection.environment) parts.push(`in ${connection.environment}`)
  }
  const all = isOnConnection(action) ? "Every connection" : "Every push"
  return parts.length ? plain(parts.join(", "), 300) : all
}

export function whenWords(when) {
  const parts = []
  if (when.afterIdle) parts.push(`after ${when.afterIdle} without requests`)
  if (when.afterRequests) parts.push(`after ${count(when.afterRequests)} requests on the connection`)
  if (when.skip) parts.push(`skip first ${count(when.skip)}`)
  if (when.every > 1) parts.push(`every ${ordinal(when.every)}`)
  if (when.times) parts.push(when.times === 1 ? "once" : `at most ${count(when.times)} times`)
  const { probability = 1 } = when
  if (probability !== 1) parts.push(`with ${percent(probability)} probability`)
  if (when.from) parts.push(`from ${moment(when.from)}`)
  if (when.until) parts.push(`until ${moment(when.until)}`)
  return parts.length ? parts.join(", ") : "every time"
}

/// The name of a fault: its own name, its preset's, or its id.
export function faultName(fault) { return plain(fault.name ?? fault.preset ?? fault.id, 100) }

/// How often a fault has fired: `Fired 1 of 2`.
export function firedWords({ stats, when }) {
  if (when.times) return `Fired ${count(stats.fired)} of ${count(when.times)}`
  return stats.fired === 0 ? "Never fired" : `Fired ${timesCount(stats.fired)}`
}

/// The members of a fault that the API accepts.
export function draftOf({ name, enabled, match, when, do: action }) {
  return { ...(name === null ? {} : { name }), enabled, match, when, do: action }
}

function answerWords({ status, reason, headers, body }) {
  const extras = [
    headers ? `with ${Object.keys(headers).join(", ")}` : null,
    body ? `with ${BODIES[body] ?? body}` : null,
  ].filter(Boolean)
  return [status, reason, ...extras].filter(Boolean).join(" ")
}

function goawayWords({ code, debug, lastStream, close, then }) {
  const stream = lastStream && lastStream !== "answered" ? ` (last stream: ${lastStream})` : ""
  const parts = [`send GOAWAY ${code ?? "NO_ERROR"}${debug ? ` ${debug}` : ""}${stream}`, CLOSES[close], THENS[then]]
  return parts.filter(Boolean).join(", ")
}

function valueWords(value) {
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) return value.join(" or ")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

function percent(fraction) { return `${Number((fraction * 100).toPrecision(4))} %` }

function moment(text) { return text.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC") }

function ordinal(number) {
  const rule = new Intl.PluralRules("en", { type: "ordinal" }).select(number)
  return `${count(number)}${{ one: "st", two: "nd", few: "rd", other: "th" }[rule]}`
}
