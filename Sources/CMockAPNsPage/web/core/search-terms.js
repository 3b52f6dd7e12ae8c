// The search syntax: the keys, shown in the help and completed, and what can be completed at the caret.

import { api } from "./api.js"
import { counted } from "./time.js"

/// The keys. Without `values`, the values of the recorded pushes are completed; a `closed` key has no others, or only
/// those of one list.
export const TERMS = [
  { name: "is", text: "outcome, delivery, fault or verification", closed: true, values: [
    "accepted", "rejected", "delivered", "stored", "discarded", "linted", "faulted", "verified", "unverified",
    "pinned",
  ] },
  { name: "has", text: "parts of the push", closed: true, values: [
    "alert", "title", "body", "badge", "sound", "category", "thread", "payload", "collapse", "expiration", "device",
    "reason", "lint", "warning",
  ] },
  { name: "type", text: "push type" },
  { name: "topic", text: "topic" },
  { name: "token", text: "part of the device token" },
  { name: "device", text: "device label" },
  { name: "title", text: "part of the alert's title" },
  { name: "body", text: "part of the alert's body" },
  { name: "status", text: "response status: status:410, status:4xx, status:>=500" },
  { name: "reason", text: "response reason", closed: true },
  { name: "delivery", text: "delivery state", closed: true },
  { name: "lint", text: "warning ID", closed: true },
  { name: "payload", text: "JSON Pointer and value: payload:/aps/badge=3", values: ["/aps/"] },
  { name: "header", text: "header: header:apns-priority=10" },
  { name: "priority", text: "apns-priority: priority:10, priority:<10" },
  { name: "collapse", text: "apns-collapse-id" },
  { name: "expiration", text: "apns-expiration" },
  { name: "size", text: "bytes of the body: size:>4000", values: [">", "<"] },
  { name: "latency", text: "time to the response: latency:>50ms", values: [">", "<"] },
  { name: "seq", text: "push number: seq:>=1800", values: [">", "<"] },
  { name: "age", text: "time since it arrived: age:<5m", values: ["<5m", "<1h", ">1h"] },
  { name: "time", text: "when it arrived: time:>2026-01-05T10:11:12Z", values: [">", "<"] },
  { name: "after", text: "later than: after:-5m, after:seq:1800", values: ["-5m", "-1h", "seq:"] },
  { name: "before", text: "earlier than", values: ["-5m", "-1h", "seq:"] },
  { name: "apns", text: "apns-id of the response" },
  { name: "service", text: "push, broadcast or channels (channel management)", closed: true },
  { name: "channel", text: "apns-channel-id" },
  { name: "conn", text: "connection" },
  { name: "protocol", text: "http2 or binary", closed: true },
  { name: "env", text: "environment of the listener", closed: true },
  { name: "auth", text: "provider token verification", closed: true },
  { name: "cert", text: "app of the client certificate" },
  { name: "key", text: "key ID of the provider token" },
  { name: "team", text: "team ID of the provider token" },
  { name: "outcome", text: "accepted or rejected", closed: true },
  { name: "text", text: "same as a word without a key", values: [] },
]

/// The other parts of the syntax, with what they match.
export const SYNTAX = [
  ["type:alert is:rejected", "pushes that match both, also with AND"],
  ["4xx OR device:alice", "pushes that match one of them"],
  ["NOT is:delivered", "pushes that do not match, also !is:delivered"],
  ["type:alert (4xx OR is:stored)", "a group; without parentheses, AND applies before OR"],
  ["BadTopic", "a word: in the payload, headers, reason, type, topic, device or token"],
  ["410, 4xx, #40", "a status, a class of statuses, the number of a push"],
  ["\"order 17\"", "quotes: for spaces, and for AND, OR, NOT, ( and : as text"],
]

/// How many completions are offered.
const MOST = 8

/// Whether an error in the search would only mean that it is still being typed.
export function isUnfinished(text) {
  const rest = text.replaceAll(/"(\\.|[^"\\])*"/g, "x")
  const count = (mark) => rest.split(mark).length
  return rest.includes("\"") || count("(") > count(")") || /(^|[\s(])(AND|OR|NOT|[!-]|[^\s:]+:[<>]?=?)\s*$/.test(rest)
}

/// Returns what is written before and in the term that ends at `caret`: `{from, mark, word, value}`. `value` is `null`
/// in front of the colon.
function termAt(text, caret) {
  const from = text.slice(0, caret).search(/\S*$/)
  const [, mark, word, value = null] = /^([(!-]*)([^:]*)(?::(.*))?$/.exec(text.slice(from, caret))
  return { from, mark, word: word.toLowerCase(), value }
}

/// Returns the completions of the term that ends at `caret`: `{from, to, offers: [{text, about}], isOpen}`. `isOpen`
/// means that the term is not complete yet.
export async function completions(text, caret) {
  const { from, mark, word, value } = termAt(text, caret)
  const found = { from, to: caret, offers: [], isOpen: false }
  if (word === "" || word.includes("\"") || value?.includes("\"")) return found
  if (value === null) {
    const keys = TERMS.filter(({ name }) => name.startsWith(word)).slice(0, MOST)
    const offers = keys.map(({ name, text: about }) => ({ text: `${mark}${name}:`, about }))
    return { ...found, offers, isOpen: keys.length > 0 }
  }
  const row = TERMS.find(({ name }) => name === word)
  if (!row) return found
  const begun = value.toLowerCase()
  const all = row.values?.map((own) => ({ value: own })) ?? await existing(word, value)
  const fitting = all.filter((one) => one.value.toLowerCase().startsWith(begun))
  const isWhole = fitting.some((one) => one.value.toLowerCase() === begun)
  const offers = fitting.filter((one) => one.value !== value).slice(0, MOST).map((one) => ({
    text: `${mark}${word}:${quoted(one.value)}`,
    about: one.count ? counted(one.count, "push", "pushes") : "",
  }))
  return { ...found, offers, isOpen: begun === "" || Boolean(row.closed) && !isWhole && offers.length > 0 }
}

/// The values of the recorded pushes that begin like this.
async function existing(field, prefix) {
  try {
    return (await api.get("/pushes/values", { field, prefix, limit: MOST + 1 })).values
  } catch {
    // Without completions, the search still works.
    return []
  }
}

function quoted(value) { return /[\s"()]/.test(value) ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : value }
