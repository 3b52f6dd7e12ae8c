// A row of the list.

import { shortChannel } from "../core/channels.js"
import { h, plain, replace } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { ago, timeOfDay } from "../core/time.js"

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
    : STATES[push.delivery] ?? { glyph: "more", kind: "", words: push.delivery }
  return { ...state, status, said: "Accepted:" }
}

/// Draws a row: a link to the push, or a mark. An unchanged row is not redrawn.
///
/// `path` is the path of the push. `faultNames` holds fault names by id.
export function fillRow(element, entry, path, faultNames) {
  const fault = faultNames.get(entry.data.faults?.[0]) ?? "fault"
  const drawn = `${entry.version} ${path} ${fault}`
  if (element.dataset.drawn === drawn) return
  element.dataset.drawn = drawn
  if (entry.kind === "mark") {
    const text = h("span", { class: "foreign one-line" }, plain(entry.data.text))
    replace(element, h("p", { class: "push-mark" }, icon("mark"), h("span", { class: "said" }, "Mark:"), text))
    return
  }
  // The link element is kept, because it may have the focus.
  const link = element.firstElementChild ?? element.appendChild(h("a", { class: "push", tabindex: "-1" }))
  link.href = path
  replace(link, cells(entry.data, fault))
}

/// The tooltip of a row: its time.
export function titleOf(push) {
  return `${ago(push.receivedAt)} · ${push.receivedAt}`
}

function cells(push, fault) {
  const verdict = verdictOf(push)
  const isSilent = push.title === null && push.body === null
  const isChannelRequest = push.service === "channels"
  return [
    h("span", { class: "seq mono" }, `#${push.seq}`),
    h("span", { class: "time mono" }, timeOfDay(push.receivedAt)),
    h("span", { class: `push-verdict ${verdict.kind}` },
      icon(verdict.glyph), h("span", { class: "said" }, verdict.said),
      h("span", { class: "one-line" }, h("span", { class: "status" }, verdict.status), " ", verdict.words)),
    h("span", { class: "type one-line" }, isChannelRequest ? "channels" : plain(push.pushType, 40),
      push.priority === null ? null : h("span", { class: "weak" }, ` p${push.priority}`)),
    h("span", { class: "topic one-line" }, h("bdi", {}, plain(push.topic ?? push.bundleId ?? "no topic", 120))),
    h("span", { class: "device one-line foreign" }, deviceOf(push)),
    h("span", { class: "text one-line foreign" },
      push.title ? h("strong", {}, plain(push.title, 120)) : null,
      push.title && push.body ? h("span", { class: "weak" }, " — ") : null,
      push.body ? plain(push.body, 200) : null,
      isSilent && !isChannelRequest
        ? h("span", { class: "weak" }, push.pushType === "background" ? "(silent)" : "(no text)")
        : null),
    h("span", { class: "flags" },
      push.imported ? h("span", { class: "chip" }, "imported") : null,
      push.faults?.length
        ? h("span", { class: "chip bad" }, icon("fault"), h("span", { class: "one-line" }, plain(fault, 40)))
        : null,
      push.lintCount ? h("span", { class: "chip warn" }, icon("warning"), String(push.lintCount),
        h("span", { class: "said" }, push.lintCount === 1 ? " warning" : " warnings")) : null),
  ]
}

function deviceOf(push) {
  if (push.device) return `@${plain(push.device, 40)}`
  if (push.channel) return [h("span", { class: "said" }, "Channel "), shortChannel(push.channel)]
  if (push.service !== "push") return ""
  if (!push.token) return "no token"
  return push.token.length > 12 ? `…${push.token.slice(-8)}` : push.token
}
