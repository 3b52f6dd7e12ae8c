// The tab with the timeline of a push and its connection.

import {
  APP_STATES, certificateChip, channelPart, chip, count, counted, eventLook, facts, foreign, h, icon, length, pageLink,
  part, plain, timeOfDay,
} from "../core/core.js"
import { faultPart } from "./banner.js"
import { checkResults, verdictWords } from "./labels.js"
import { calls } from "./previewfacts.js"

/// Why the push belongs to its namespace, by `routedBy`.
const ROUTES = { listener: "from the port", token: "from the device token" }

export function timelineTab(record) {
  return h("div", way(record), fanOutPart(record), reactionPart(record), verified(record), connectionPart(record))
}

function way(record) {
  const isTestClock = Math.abs(new Date(record.clockTime) - new Date(record.receivedAt)) > 1_000
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
    h("ol.steps", steps.map((step) => stepItem(step, record))))
}

function stepItem(step, record) {
  const look = eventLook(step.event, step.detail)
  const why = step.event === "responded" ? verdictWords(record)
    : step.event === "ignored" ? record.delivery.ignored?.text : step.why ?? look.why
  return h("li.step", { class: look.tone },
    h("span.step-sign", icon(look.icon)),
    h("div", h("strong", look.words), why
      ? h("span.step-why", step.event === "fault" ? faultPart(why, `${why} (deleted)`) : plain(why))
      : null),
    step.at ? stepTime(step, record.clockTime) : null)
}

/// The time of a step, with its date if that is not the one of the `start`.
function stepTime({ at, event }, start) {
  const isSameDay = new Date(at).toDateString() === new Date(start).toDateString()
  return h("span.step-time", { title: at },
    h("time.mono", { datetime: at }, isSameDay ? timeOfDay(at) : absolute(at)),
    h("span.weak", event === "received" ? "" : `+${span(milliseconds(at) - milliseconds(start))}`))
}

/// What became of a broadcast.
function fanOutPart({ delivery: { fanOut } }) {
  if (!fanOut) return null
  return part("Subscribers",
    facts([
      ["Channel", pageLink(`/channels/${channelPart(fanOut.channel)}`, plain(fanOut.channel, 60), { kind: "mono" })],
      ["Subscribed devices", count(fanOut.subscribers)],
      ["Delivered", count(fanOut.delivered)],
      ["Stored", count(fanOut.stored)],
      ["Discarded", count(fanOut.discarded)],
      ["Pending", fanOut.pending ? count(fanOut.pending) : null],
      ["Ignored", ignoredPart(fanOut.devices)],
    ]))
}

/// The Live Activities that ignored a broadcast, by reason.
function ignoredPart(devices) {
  const counts = Map.groupBy(devices.filter(({ ignored }) => ignored), ({ ignored }) => ignored.text)
  if (counts.size === 0) return null
  return [...counts].map(([text, all]) => h("div", `By ${counted(all.length, "Live Activity", "Live Activities")}: `,
    foreign(text)))
}

function activityLink(token, activity) {
  return token
    ? pageLink(`/devices/${encodeURIComponent(token)}`, h("code", activity), { at: "activities" })
    : h("code", activity)
}

function reactionPart({ delivery, apns: { token } }) {
  const { reaction, device, activity } = delivery
  if (!reaction) return null
  return part("On the device",
    facts([
      ["Device", foreign(device)],
      ["App", APP_STATES[reaction.appState] ?? reaction.appState],
      ["iOS", reaction.summary],
      ["Live Activity", activity ? activityLink(token, activity) : null],
      ["Calls", calls(reaction.callbacks)],
    ]))
}

function verified({ verifiedBy }) {
  if (verifiedBy.length === 0) return null
  const ids = h("span.mono", verifiedBy.join(", "))
  return part("Verified", h("p", `By ${counted(verifiedBy.length, "verification")}: `, ids))
}

function connectionPart(record) {
  const { id, remote, tls, pushesOnConnection, streamId } = record.connection
  const certificate = tls?.clientCertificate
  const route = ROUTES[record.routedBy]
  return part("Connection",
    facts([
      ["Connection", [pageLink(`/connections/${encodeURIComponent(id)}`, id, { kind: "mono" }), " · ",
        pageLink("/", "View pushes", { q: `conn:${id}` })]],
      ["Remote address", foreign(remote, "mono")],
      ["Push on connection", `No. ${pushesOnConnection}`
        + (record.protocol === "binary" ? ", binary interface" : `, stream ${streamId}`)],
      ["TLS", tls?.version ? [tls.version, tls.alpn ? `, ALPN ${plain(tls.alpn, 40)}` : ", no ALPN"] : "None"],
      ["Server name", foreign(tls?.sni, "mono")],
      ["Client certificate", certificate ? [certificateChip(certificate), " ", foreign(certificate.subject)] : null],
      ["Certificate topics", certificate?.topics?.length ? foreign(certificate.topics.join(", ")) : null],
      ["Not authenticated", foreign(certificate?.problem)],
      ["Environment", record.environment],
      ["Namespace", [foreign(record.namespace), route ? ` (${route})` : null]],
    ]))
}

/// The steps that are not in the record's timeline: the checks and a fault.
function unseenSteps(record) {
  const { failed, passed } = checkResults(record)
  const checked = { event: "checked", why: failed ? `rejected by ${failed.id}` : `${passed} checks passed` }
  return [
    ...(failed || passed > 0 ? [checked] : []),
    ...record.faults.map((fault) => ({ event: "fault", why: fault })),
  ]
}

/// The date and time.
function absolute(text) {
  return `${new Date(text).toLocaleDateString("sv")} ${timeOfDay(text)}`
}

/// A duration in milliseconds, from microseconds for a response to days for a stored notification.
function span(duration) {
  if (duration < 1_000) return `${Number(duration.toFixed(2))} ms`
  return duration < 120_000 ? `${(duration / 1_000).toFixed(1)} s` : length(duration / 1_000)
}

/// Milliseconds since 1970, with a fraction, which a `Date` does not have.
function milliseconds(text) {
  return Date.parse(`${text.slice(0, 19)}Z`) + Number(/\.\d+/.exec(text)?.[0] ?? 0) * 1_000
}
