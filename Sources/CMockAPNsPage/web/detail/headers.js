// The header fields of a push, in the order received, with what they mean; and what its provider token claims.

import { h, plain, replace } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { count, length } from "../core/time.js"
import { tokenPart } from "./body.js"
import { chip, columns, facts, foreign, part } from "./parts.js"

/// What APNs reads: a row for each field, with `meaning(value, record)` of one that is there, and what it means where
/// it is `absent`.
const FIELDS = [
  {
    name: "authorization",
    meaning: () => "The provider token; see below.",
    absent: "No provider token: only a client certificate can stand for it.",
  },
  { name: "apns-topic", meaning: topicMeaning, absent: "With a provider token it has to be there." },
  {
    name: "apns-push-type",
    meaning: (value) => PUSH_TYPES.get(value) ?? "No push type that Apple documents.",
    absent: "Derived from topic and payload; watchOS 6 and later may drop the push.",
  },
  {
    name: "apns-priority",
    meaning: (value) => PRIORITIES.get(value) ?? "Neither 10, 5 nor 1.",
    absent: "10: deliver at once.",
  },
  { name: "apns-expiration", meaning: expirationMeaning, absent: "Stored for up to 30 days." },
  {
    name: "apns-collapse-id",
    meaning: (value) => `Takes the place of what is shown with the same identifier. ${byteCount(value)} of 64 bytes.`,
    absent: "Takes the place of nothing.",
  },
  {
    name: "apns-id",
    meaning: () => "The name of this push; the answer repeats it.",
    absent: "The server made one; see the answer.",
  },
  { name: "apns-channel-id", meaning: () => "The broadcast channel." },
]

// Maps, because a header may say anything, `constructor` for one.
const PUSH_TYPES = new Map(Object.entries({
  alert: "Shows something, plays a sound or sets the badge.",
  background: "Wakes the app, and shows nothing.",
  complication: "New data for a complication of a watch.",
  controls: "Reloads the app's controls.",
  fileprovider: "Tells the File Provider extension what changed.",
  liveactivity: "Starts, updates or ends a Live Activity.",
  location: "Asks for the location.",
  mdm: "Tells the device to ask its management server.",
  pushtotalk: "Somebody speaks on a Push to Talk channel.",
  voip: "A call: the app has to report it to CallKit.",
  widgets: "Reloads the app's widgets.",
}))

const PRIORITIES = new Map(Object.entries({
  10: "Deliver at once.",
  5: "Deliver when it suits the device's power.",
  1: "Power goes first: never wake the device for it.",
}))

/// The suffixes of topics, and what they are for.
const SUFFIXES = {
  ".voip": "calls",
  ".voip-ptt": "Push to Talk",
  ".complication": "complications",
  ".location-query": "the location",
  ".pushkit.fileprovider": "the File Provider",
  ".push-type.liveactivity": "Live Activities",
  ".push-type.widgets": "widgets",
  ".push-type.controls": "controls",
}

/// From when to when a provider token may be renewed, and how old it may be, in seconds.
const RENEWAL = 20 * 60
const LIFETIME = 60 * 60

export class HeadersTab {
  element = h("div", { class: "headers-tab" })

  show(record) {
    const fields = record.request.headers.map(([name, value], position) => ({ name, value, position: position + 1 }))
    const isOwn = ({ name }) => name === "authorization" || name.startsWith("apns-")
    const own = fields.filter(isOwn)
    const others = fields.filter((field) => !isOwn(field))
    const absent = FIELDS.filter((row) => row.absent && !own.some((field) => field.name === row.name))
    replace(
      this.element,
      h("p", { class: "mono request-line foreign" }, plain(`${record.request.method} ${record.request.path}`, 400)),
      size(record.request),
      part(
        "For APNs",
        table("Header fields for APNs", own, record, fields),
        absent.length === 0 ? null : absentList(absent)
      ),
      others.length === 0 ? null : part("Others", table("Other header fields", others, record, fields)),
      token(record),
      answer(record)
    )
  }
}

/// How many header fields there are, and what HPACK made of them.
function size({ headers, headerBlockSize }) {
  const wire = headerBlockSize ? `; ${count(headerBlockSize)} bytes on the wire, compressed by HPACK` : ""
  return h("p", { class: "weak" }, `${count(headers.length)} header fields${wire}.`)
}

/// `all`: every field of the request, to see which come twice.
function table(name, fields, record, all = []) {
  if (fields.length === 0) return h("p", { class: "weak" }, "None.")
  const isOwn = fields.some((field) => FIELDS.some((row) => row.name === field.name))
  return h(
    "div",
    { class: "table-frame" },
    h(
      "table",
      { class: "header-fields", "aria-label": name },
      columns(["Position", "Name", "Value"], { class: "said" }),
      h("tbody", {}, fields.map((field) => {
        const times = all.filter((other) => other.name === field.name).length
        const meaning = isOwn ? FIELDS.find((row) => row.name === field.name)?.meaning(field.value, record) : null
        return h(
          "tr",
          {},
          h("td", { class: "number weak" }, field.position),
          h("th", { scope: "row" }, foreign(field.name, { class: "mono" }),
            times > 1 ? chip(times === 2 ? "twice" : `${times} times`, "bad", "warning") : null),
          h(
            "td",
            {},
            h("span", { class: "mono foreign" }, field.value === "" ? "(empty)" : plain(field.value, 1_200)),
            meaning ? h("span", { class: "meaning" }, meaning) : null
          )
        )
      }))
    )
  )
}

function absentList(rows) {
  return h(
    "details",
    {},
    h("summary", {}, `Not sent: ${rows.length}`),
    facts(rows.map((row) => [h("code", {}, row.name), row.absent]))
  )
}

function topicMeaning(value) {
  const suffix = Object.keys(SUFFIXES).find((one) => value.endsWith(one))
  if (!suffix) return "The app's bundle identifier."
  return `The app ${plain(value.slice(0, -suffix.length), 200)}, for ${SUFFIXES[suffix]}.`
}

function expirationMeaning(value, record) {
  if (!/^\d{1,15}$/.test(value)) return "No UNIX time."
  const seconds = Number(value)
  if (seconds === 0) return "Deliver once or drop: nothing is stored."
  if (seconds >= 1e12) return "Milliseconds? APNs reads seconds, and this is far in the future."
  const distance = seconds - new Date(record.clockTime).getTime() / 1_000
  const words = distance > 0
    ? `stored until then, ${length(distance)} after it came`
    : `${length(-distance)} before it came: nothing is stored`
  return `${new Date(seconds * 1_000).toISOString().replace(".000Z", "Z")}: ${words}.`
}

function byteCount(text) { return new TextEncoder().encode(text).length }

// The provider token.

/// How the states of `auth.verification` look that are not bad.
const VERIFICATIONS = { verified: ["good", "accepted"], "not-checked": ["", null] }

function token(record) {
  const { auth } = record
  if (auth.kind === "none") return null
  const value = record.request.headers.find(([name]) => name === "authorization")?.[1] ?? ""
  const [head, claims] = value.replace(/^bearer +/i, "").split(".").map(tokenPart)
  const [tone, iconName] = VERIFICATIONS[auth.verification] ?? ["bad", "rejected"]
  const known = ["alg", "kid", "iss", "iat"]
  const others = Object.entries({ ...head, ...claims }).filter(([name]) => !known.includes(name))
  const iat = claims?.iat
  return part(
    "Provider token",
    h("p", {}, chip(auth.verification.replaceAll("-", " "), tone, iconName), " ", auth.meaning),
    auth.ageSeconds === null ? null : age(auth.ageSeconds),
    facts([
      ["alg", head?.alg === undefined ? null : claim(head.alg)],
      ["kid, the key", head?.kid === undefined ? null : claim(head.kid)],
      ["iss, the team", claims?.iss === undefined ? null : claim(claims.iss)],
      ["iat, issued", iat === undefined ? null : [claim(iat), auth.issuedAt ? h("span", { class: "meaning" },
        h("time", { datetime: auth.issuedAt }, auth.issuedAt.replace(/\.\d+Z$/, "Z"))) : null]],
      ...others.map(([name, one]) => [foreign(name), claim(one)]),
    ])
  )
}

function claim(value) { return foreign(typeof value === "string" ? value : JSON.stringify(value), { class: "mono" }) }

/// How old the token was when the push came, on the hour that it is good for.
function age(seconds) {
  const distance = length(Math.abs(seconds))
  const words = seconds < 0 ? `Issued ${distance} after the push came` : `${distance} old when the push came`
  const advice = seconds > LIFETIME
    ? "APNs takes tokens for an hour."
    : seconds > RENEWAL
      ? "It may be renewed, and has to be before it is an hour old."
      : "Too young to be renewed: that is for the time from 20 to 60 minutes."
  const share = Math.min(Math.max(seconds / LIFETIME, 0), 1)
  const tone = seconds > LIFETIME || seconds < -60 ? "bad" : seconds > 55 * 60 ? "warn" : "good"
  return h(
    "div",
    { class: "age" },
    h(
      "div",
      { class: "age-bar", "aria-hidden": "true" },
      h("div", { class: "age-window" }),
      h("div", { class: `age-mark ${tone}`, style: { "inset-inline-start": `${share * 100}%` } })
    ),
    h(
      "div",
      { class: "age-scale weak", "aria-hidden": "true" },
      ["0", "20 min", "60 min"].map((label) => h("span", {}, label))
    ),
    h("p", {}, h("strong", { class: tone === "good" ? null : tone }, words, "."), ` ${advice}`)
  )
}

// What was answered.

function answer({ response }) {
  const fields = response.headers.map(([name, value], position) => ({ name, value, position: position + 1 }))
  return part(
    "Answer",
    h("p", {}, response.status === 0
      ? [icon("fault"), " There was none."]
      : [h("strong", { class: response.status === 200 ? "good" : "bad" }, `:status ${response.status}`),
        h("span", { class: "weak" }, ` after ${response.durationMs} ms`)]),
    fields.length === 0 ? null : table("Header fields of the answer", fields, null),
    response.body === "" ? null : h("pre", { class: "block foreign" }, plain(response.body, 2_000))
  )
}
