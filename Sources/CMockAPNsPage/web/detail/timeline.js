// The tab with the timeline of a push and its connection.

import { certificateChip } from "../core/certificate.js"
import { channelPart } from "../core/channels.js"
import { router } from "../core/router.js"
import { APP_STATES } from "../core/vocabulary.js"
import { chip, count, counted, facts, foreign, h, icon, length, part, plain, timeOfDay } from "../core/elements.js"
import { eventLook } from "../core/push-events.js"
import { calls } from "./previewfacts.js"
import { faultPart } from "./banner.js"
import { verdictWords } from "./labels.js"

/// Why the push belongs to its namespace, by `routedBy`.
const ROUTES = { listener: "from the port", token: "from the device token" }

export function timelineContent(record) {
  const fanOut = fanOutPart(record)
  return [way(record), fanOut, reactionPart(record), verified(record), connectionPart(record)]
}

function way(record) {
  const isTestClock = Math.abs(new Date(record.clockTime) - new Date(record.receivedAt)) > 1_000
  const start = microseconds(record.clockTime)
  const [received, ...later] = record.delivery.timeline
  const steps = [received, ...unseenSteps(record), ...later].filter(Boolean)
  return part("Timeline",
    isTestClock
      ? h("p.weak",
        chip("Test clock", "wait", "clock"),
        " Times are in the test clock. The push arrived in real time at ",
        h("time", { datetime: record.receivedAt }, absolute(record.receivedAt)),
        ".")
      : null,
    h("ol.steps", steps.map((step) => stepItem(step, record, start))))
}

function stepItem(step, record, start) {
  const look = eventLook(step.event, step.detail)
  const why = step.event === "responded" ? verdictWords(record) : step.why ?? look.why
  const time = step.at && (isSameDay(step.at, record.clockTime) ? timeOfDay(step.at) : absolute(step.at))
  return h("li.step", { class: look.tone },
    h("span.step-sign", icon(look.icon)),
    h("div", h("strong", look.words), why
      ? h("span.step-why", step.event === "fault" ? faultPart(why, `${why} (deleted)`) : plain(why))
      : null),
    step.at
      ? h("span.step-time", { title: step.at },
        h("time.mono", { datetime: step.at }, time),
        h("span.weak", step.event === "received" ? "" : `+${span(step.at, start)}`))
      : null)
}

/// What became of a broadcast.
function fanOutPart({ delivery: { fanOut } }) {
  if (!fanOut) return null
  return part("Subscribers",
    facts([
      ["Channel", h("a.mono", { href: router.path(`/channels/${channelPart(fanOut.channel)}`) },
        plain(fanOut.channel, 60))],
      ["Subscribed devices", count(fanOut.subscribers)],
      ["Delivered", count(fanOut.delivered)],
      ["Stored", count(fanOut.stored)],
      ["Discarded", count(fanOut.discarded)],
      ["Pending", fanOut.pending ? count(fanOut.pending) : null],
    ]))
}

function reactionPart({ delivery }) {
  const { reaction, device } = delivery
  if (!reaction) return null
  return part("On the device",
    facts([
      ["Device", device ? foreign(device) : null],
      ["App", APP_STATES[reaction.appState] ?? reaction.appState],
      ["iOS", reaction.summary],
      ["Calls", calls(reaction.callbacks)],
    ]))
}

function verified({ verifiedBy }) {
  if (verifiedBy.length === 0) return null
  const ids = h("span.mono", verifiedBy.join(", "))
  return part("Verified", h("p", `By ${counted(verifiedBy.length, "verification")}: `, ids))
}

function connectionPart(record) {
  const { connection } = record
  const tls = connection.tls
  const certificate = tls?.clientCertificate
  const address = router.path(`/connections/${encodeURIComponent(connection.id)}`)
  return part("Connection",
    facts([
      ["Connection", [h("a.mono", { href: address }, connection.id), " · ",
        h("a", { href: router.path("/", { q: `conn:${connection.id}` }) }, "View pushes")]],
      ["Remote address", connection.remote ? foreign(connection.remote, { class: "mono" }) : null],
      ["Push on connection", `No. ${connection.pushesOnConnection}`
        + (record.protocol === "binary" ? ", binary interface" : `, stream ${connection.streamId}`)],
      ["TLS", tls?.version ? [tls.version, tls.alpn ? `, ALPN ${plain(tls.alpn, 40)}` : ", no ALPN"] : "None"],
      ["Server name", tls?.sni ? foreign(tls.sni, { class: "mono" }) : null],
      ["Client certificate", certificate ? [certificateChip(certificate), " ", foreign(certificate.subject)] : null],
      ["Certificate topics", certificate?.topics?.length ? foreign(certificate.topics.join(", ")) : null],
      ["Not authenticated", certificate?.problem ? foreign(certificate.problem) : null],
      ["Environment", record.environment],
      ["Namespace", [foreign(record.namespace), ROUTES[record.routedBy] ? ` (${ROUTES[record.routedBy]})` : null]],
    ]))
}

/// The steps that are not in the record's timeline: the checks and a fault.
function unseenSteps({ verdict, faults }) {
  const { checks } = verdict
  const failed = checks.find((check) => check.ok === false)
  const passed = checks.filter((check) => check.ok === true).length
  const steps = []
  if (passed > 0 || failed) {
    steps.push({ event: "checked", why: failed ? `rejected by ${failed.id}` : `${passed} checks passed` })
  }
  for (const fault of faults) steps.push({ event: "fault", why: fault })
  return steps
}

function isSameDay(one, other) {
  return new Date(one).toDateString() === new Date(other).toDateString()
}

/// The date and time.
function absolute(text) {
  return `${new Date(text).toLocaleDateString("sv")} ${timeOfDay(text)}`
}

/// The time since the start, from microseconds for a response to days for a stored notification.
function span(text, start) {
  const milliseconds = (microseconds(text) - start) / 1_000
  if (milliseconds < 1_000) return `${Number(milliseconds.toFixed(2))} ms`
  return milliseconds < 120_000 ? `${(milliseconds / 1_000).toFixed(1)} s` : length(milliseconds / 1_000)
}

/// Microseconds since 1970. A `Date` has only milliseconds.
function microseconds(text) {
  const fraction = /\.(\d{1,6})/.exec(text)?.[1] ?? ""
  return Date.parse(`${text.slice(0, 19)}Z`) * 1_000 + Number(fraction.padEnd(6, "0"))
}
