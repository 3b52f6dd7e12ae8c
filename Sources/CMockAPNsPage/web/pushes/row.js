// A row of the list.

import { addresseeOf, appPart, apps, h, icon, plain, replace, timeOfDay } from "../core/core.js"
import { SEVERITIES, wordsWithoutText } from "../detail/labels.js"

/// How each delivery state of an accepted push is shown.
const STATES = {
  "delivered": { glyph: "accepted", kind: "good", words: "" },
  "delivered-from-storage": { glyph: "accepted", kind: "good", words: "from storage" },
  "stored-device-offline": { glyph: "stored", kind: "wait", words: "stored" },
  "stored-power-considerations": { glyph: "stored", kind: "wait", words: "stored, saving power" },
  "discarded-expired": { glyph: "discarded", kind: "warn", words: "expired" },
  "discarded-collapsed": { glyph: "discarded", kind: "warn", words: "replaced" },
  "discarded-disabled": { glyph: "discarded", kind: "warn", words: "notifications off" },
  "discarded-token-unregistered": { glyph: "discarded", kind: "warn", words: "app uninstalled" },
  "discarded-app-not-installed": { glyph: "discarded", kind: "warn", words: "app not installed" },
  "published": { glyph: "accepted", kind: "good", words: "published" },
  "not-attempted": { glyph: "discarded", kind: "warn", words: "not delivered" },
}

/// What an accepted request to manage channels did, by the status of its response.
const CHANNEL_REQUESTS = { 200: "channels read", 201: "channel created", 204: "channel deleted" }

/// The outcome of a push: `{glyph, kind, status, words, said}`. `said` replaces the glyph for screen readers.
export function verdictOf(push) {
  const status = push.status ? String(push.status) : ""
  const hasFault = push.faults?.length > 0
  if (hasFault) {
    const words = push.reason ?? (status === "" ? "no response" : STATES[push.delivery]?.words ?? "")
    return { glyph: "fault", kind: push.status === 200 ? "warn" : "bad", status, words, said: "Fault:" }
  }
  if (push.reason || push.status >= 400) {
    return { glyph: "rejected", kind: "bad", status, words: push.reason ?? "", said: "Rejected:" }
  }
  const state = push.service === "channels"
    ? { glyph: "accepted", kind: "good", words: CHANNEL_REQUESTS[push.status] ?? "channel request" }
    : push.ignored ? { glyph: "discarded", kind: "warn", words: "ignored by device" }
      : STATES[push.delivery] ?? { glyph: "more", kind: "", words: push.delivery }
  return { ...state, status, said: "Accepted:" }
}

/// What the cells of a push show, by column; the columns are as wide as these texts.
export function cellTexts(push) {
  const { status, words } = verdictOf(push)
  const type = push.service === "channels" ? "channels" : plain(push.pushType, 40)
  return {
    seq: String(push.seq),
    result: `${status} ${words}`,
    type: push.priority === null ? type : `${type} p${push.priority}`,
    // An icon is as wide as three characters.
    topic: topicOf(push) === null ? "no topic" : apps.words(topicOf(push)) + (apps.of(topicOf(push)) ? "   " : ""),
    device: addresseeOf(push),
  }
}

/// What each row shows.
const drawn = new WeakMap()

/// Draws a row: a link to the push, or a mark. Returns whether that was necessary.
///
/// `path` is the path of the push. `faultNames` holds fault names by id.
export function fillRow(element, entry, path, faultNames) {
  const fault = faultNames.get(entry.data.faults?.[0]) ?? "fault"
  const before = drawn.get(element)
  if (before?.data === entry.data && before.path === path && before.fault === fault) return false
  drawn.set(element, { data: entry.data, path, fault })
  if (entry.kind === "mark") {
    const text = h("span.foreign.one-line", plain(entry.data.text))
    replace(element, h("p.push-mark", icon("mark"), h("span.said", "Mark:"), text))
    return true
  }
  // The elements are kept, because they may have the focus.
  if (!element.firstElementChild) {
    const name = `Select push ${entry.seq}`
    element.append(h("a.push", { tabindex: "-1" }),
      h("input.pick", { type: "checkbox", tabindex: "-1", "aria-label": name, title: `${name} (x)` }))
  }
  const link = element.firstElementChild
  link.href = path
  replace(link, cells(entry.data, fault))
  return true
}

function cells(push, fault) {
  const verdict = verdictOf(push)
  const texts = cellTexts(push)
  const time = timeOfDay(push.receivedAt)
  return [
    h("span.seq.mono", texts.seq),
    h("span.time.mono", { title: `${push.receivedAt.replace("T", " ").replace("Z", "")} UTC` },
      time.slice(0, 8), h("span.weak", time.slice(8))),
    h("span.result", { class: verdict.kind },
      icon(verdict.glyph), h("span.said", verdict.said),
      h("span.one-line", h("span.status", verdict.status), " ", verdict.words)),
    h("span.type.one-line", texts.type),
    h("span.topic.one-line", topicOf(push) === null ? h("bdi", texts.topic) : appPart(topicOf(push))),
    h("span.device.one-line.foreign", push.channel ? h("span.said", "Channel ") : null, texts.device),
    h("span.about",
      h("span.text.one-line.foreign",
        push.title ? h("strong", plain(push.title, 120)) : null,
        push.title && push.body ? h("span.weak", " — ") : null,
        push.body ? plain(push.body, 200) : null,
        push.title === null && push.body === null && push.service !== "channels"
          ? h("em.weak", push.pushType === "alert" ? "No text" : plain(wordsWithoutText(push.pushType), 60))
          : null),
      push.pinned ? h("span.pin", { title: "Pinned" }, icon("pin"), h("span.said", "Pinned")) : null,
      push.imported ? h("span.chip", "imported") : null,
      push.forward ? forwardChip(push.forward) : null,
      push.faults?.length
        ? h("span.chip", { class: verdict.kind }, icon("fault"), h("span.one-line", plain(fault, 40)))
        : null,
      push.worstLint ? warningChip(push.worstLint) : null),
    h("span.took", push.status ? `${Number(push.durationMs.toPrecision(2))} ms` : ""),
    h("span.conn.mono", push.connection),
  ]
}

const FORWARD_OUTCOMES = {
  same: ["same", "good"],
  differs: ["differs", "warn"],
  failed: ["not answered", "warn"],
  dropped: ["not forwarded", "warn"],
}

/// What the service that the push was forwarded to made of it.
function forwardChip(outcome) {
  const [words, tone] = FORWARD_OUTCOMES[outcome]
  return h("span.chip", { class: tone, title: "Forwarded to another push service" }, icon("send"), words)
}

/// The worst warning. Notes and warnings about the connection are only in the open push.
function warningChip({ id, severity }) {
  const { words, tone, icon: glyph } = SEVERITIES[severity]
  return h("span.chip", { class: tone, title: id }, icon(glyph), words)
}

function topicOf(push) { return push.topic ?? push.bundleId }
