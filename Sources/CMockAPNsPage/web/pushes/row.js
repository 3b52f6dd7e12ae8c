// A line of the list.

import { h, plain, replace } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { ago, timeOfDay } from "../core/time.js"

/// How what became of an accepted push is shown; one row for each state of delivery.
const STATES = {
  "delivered": { glyph: "accepted", kind: "good", words: "" },
  "delivered-from-storage": { glyph: "accepted", kind: "good", words: "from storage" },
  "stored-device-offline": { glyph: "stored", kind: "wait", words: "stored" },
  "stored-power-considerations": { glyph: "stored", kind: "wait", words: "stored, saving power" },
  "discarded-expired": { glyph: "discarded", kind: "warn", words: "expired" },
  "discarded-collapsed": { glyph: "discarded", kind: "warn", words: "replaced" },
  "discarded-disabled": { glyph: "discarded", kind: "warn", words: "not allowed" },
  "discarded-token-unregistered": { glyph: "discarded", kind: "warn", words: "app is gone" },
  "not-attempted": { glyph: "discarded", kind: "warn", words: "not delivered" },
}

/// What became of a push: `{glyph, kind, status, words, said}`; `said` is for those who do not see the glyph.
export function verdictOf(push) {
  const status = push.status ? String(push.status) : ""
  const hasFault = push.faults?.length > 0
  if (hasFault) {
    const words = push.reason ?? (status === "" ? "no answer" : STATES[push.delivery]?.words ?? "")
    return { glyph: "fault", kind: push.status === 200 ? "warn" : "bad", status, words, said: "By a fault:" }
  }
  if (push.reason || push.status >= 400) {
    return { glyph: "rejected", kind: "bad", status, words: push.reason ?? "", said: "Rejected:" }
  }
  const state = STATES[push.delivery] ?? { glyph: "more", kind: "", words: push.delivery }
  return { ...state, status, said: "Accepted:" }
}

/// Draws a line: a link to the push, or a mark. What was drawn already is not drawn again.
///
/// `query` stands behind the address of each push: what is searched for, and the like. `faultNames` has the names of
/// faults by their ids.
export function fillRow(element, entry, query, faultNames) {
  const fault = faultNames.get(entry.data.faults?.[0]) ?? "fault"
  const drawn = `${entry.version} ${query} ${fault}`
  if (element.dataset.drawn === drawn) return
  element.dataset.drawn = drawn
  if (entry.kind === "mark") {
    const text = h("span", { class: "foreign one-line" }, plain(entry.data.text))
    replace(element, h("p", { class: "push-mark" }, icon("mark"), h("span", { class: "said" }, "Mark:"), text))
    return
  }
  // The link stays where it is: it may have the focus.
  const link = element.firstElementChild ?? element.appendChild(h("a", { class: "push", tabindex: "-1" }))
  link.href = `/p/${encodeURIComponent(entry.data.id)}${query}`
  replace(link, cells(entry.data, fault))
}

/// The line's time in words, for when somebody points at it.
export function titleOf(push) {
  return `${ago(push.receivedAt)} · ${push.receivedAt}`
}

function cells(push, fault) {
  const verdict = verdictOf(push)
  const isSilent = push.title === null && push.body === null
  return [
    h("span", { class: "seq mono" }, `#${push.seq}`),
    h("span", { class: "time mono" }, timeOfDay(push.receivedAt)),
    h("span", { class: `push-verdict ${verdict.kind}` },
      icon(verdict.glyph), h("span", { class: "said" }, verdict.said),
      h("span", { class: "one-line" }, h("span", { class: "status" }, verdict.status), " ", verdict.words)),
    h("span", { class: "type one-line" }, plain(push.pushType, 40),
      push.priority === null ? null : h("span", { class: "weak" }, ` p${push.priority}`)),
    h("span", { class: "topic one-line" }, h("bdi", {}, plain(push.topic ?? "no topic", 120))),
    h("span", { class: "device one-line foreign" }, deviceOf(push)),
    h("span", { class: "text one-line foreign" },
      push.title ? h("strong", {}, plain(push.title, 120)) : null,
      push.title && push.body ? h("span", { class: "weak" }, " — ") : null,
      push.body ? plain(push.body, 200) : null,
      isSilent ? h("span", { class: "weak" }, push.pushType === "background" ? "(silent)" : "(no text)") : null),
    h("span", { class: "flags" },
      push.imported ? h("span", { class: "chip" }, "imported") : null,
      push.faults?.length
        ? h("span", { class: "chip bad" }, icon("fault"), h("span", { class: "one-line" }, plain(fault, 40)))
        : null,
      push.lintCount ? h("span", { class: "chip warn" }, icon("warning"), String(push.lintCount),
        h("span", { class: "said" }, push.lintCount === 1 ? " lint" : " lints")) : null),
  ]
}

function deviceOf(push) {
  if (push.device) return `@${plain(push.device, 40)}`
  if (!push.token) return "no token"
  return push.token.length > 12 ? `…${push.token.slice(-8)}` : push.token
}
