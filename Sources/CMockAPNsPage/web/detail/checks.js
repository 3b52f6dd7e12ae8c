// The tab with the checks of a push, in their order, and its warnings.

import { columns, count, foreign, h, icon, note, part, plain, sentence } from "../core/elements.js"
import { router } from "../core/router.js"
import { seen } from "./banner.js"
import { SEVERITIES, deliveryLook } from "./labels.js"

/// The reason with which APNs would have rejected a provider token that this server accepted, by `auth.verification`,
/// if that alone tells it.
const REAL_REASONS = new Map([
  ["missing", "MissingProviderToken"], ["expired", "ExpiredProviderToken"], ["issued-in-future", "ExpiredProviderToken"],
  ["wrong-environment", "BadEnvironmentKeyInToken"],
  ...[
    "malformed", "wrong-algorithm", "missing-key-id", "unknown-key", "missing-issuer", "wrong-team", "bad-issued-at",
    "bad-signature",
  ].map((verification) => [verification, "InvalidProviderToken"]),
])

/// How a check is shown, by its `ok`.
const RESULTS = new Map([
  [true, { words: "Passed", tone: "good", icon: "accepted" }],
  [false, { words: "Failed", tone: "bad", icon: "rejected" }],
  [null, { words: "Not reached", tone: "weak", icon: "more" }],
])

export function checksContent(record) { return [real(record), checksPart(record), lintsPart(record)] }

/// The answer of APNs, if this server accepted an invalid provider token.
function real({ verdict, auth }) {
  const reason = REAL_REASONS.get(auth.verification)
  if (verdict.outcome !== "accepted" || !reason) return null
  const words = ["APNs would have answered ", h("strong", `403 ${reason}`), `. ${auth.meaning}`]
  return note("warn", "warning", [words, " This server accepts it because of the setting “auth”."])
}

function checksPart(record) {
  const { checks } = record.verdict
  const failed = checks.find((check) => check.ok === false)
  return part("Checks",
    outcome(record, failed),
    became(record),
    h("details", { open: Boolean(failed) },
      h("summary", `${checks.length} checks in order`),
      h("div.table-frame", { tabindex: "0", role: "region", "aria-label": "Checks in order" },
        h("table.checks", columns(["Result", "Check", "Seen"]), h("tbody", checks.map(checkRow))))))
}

function lintsPart({ lints }) {
  if (lints.length === 0) return part("Warnings", h("p.weak", "No warnings."))
  const order = Object.keys(SEVERITIES)
  const sorted = lints.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
  return part("Warnings", h("ul.lints", sorted.map((lint) => lintPart(lint))))
}

function lintPart(lint) {
  const look = SEVERITIES[lint.severity] ?? SEVERITIES.info
  // Built here, because the link in an imported push is untrusted.
  const learn = `/docs/lints#${encodeURIComponent(lint.id)}`
  return h("li.note", { class: look.tone ?? "" },
    h("p.lint-line",
      h("strong", icon(look.icon), look.words),
      h("code", lint.id),
      lint.pointer === null ? null : place(lint.pointer)),
    h("p.foreign.lint-message", plain(sentence(lint.message), 600)),
    h("p", h("strong", "Fix: "), h("span.foreign", plain(lint.fix, 600))),
    h("p.lint-links",
      h("a", { href: learn, target: "_blank", rel: "noopener" }, "Why this matters"),
      h("a", { href: router.path("/", { q: `lint:${lint.id}` }) }, "Pushes with this warning")))
}

/// The header or payload value that a warning is about, as a link to the tab that shows it.
function place(pointer) {
  const isHeader = pointer.startsWith("headers/")
  const words = isHeader ? pointer.slice("headers/".length) : pointer === "" ? "the whole payload" : pointer
  const address = router.here({ tab: isHeader ? "headers" : "json", at: isHeader ? null : pointer })
  return h("a.mono.foreign", { href: address }, plain(words, 120))
}

/// What the checks decided.
function outcome({ verdict: { checks, outcome, decidedBy }, faults }, failed) {
  const passed = checks.filter((check) => check.ok === true).length
  if (faults.length > 0 && decidedBy.startsWith("fault:")) {
    return statement("fault", `A fault decided the response. Before it, ${passed} of ${checks.length} checks passed.`)
  }
  if (failed) return statement("rejected", "Rejected: ", h("code", failed.id), ` failed after ${passed} passed.`)
  if (outcome !== "accepted") return statement("rejected", `Rejected after ${passed} of ${checks.length} checks.`)
  return statement("accepted", `Accepted: all ${passed} checks passed.`)
}

/// What became of an accepted push, which the checks say nothing about.
function became(record) {
  const look = deliveryLook(record)
  if (!look) return null
  const { reaction } = record.delivery
  return statement(look.icon, foreign(`${look.words}.${reaction ? ` ${sentence(reaction.summary)}` : ""}`))
}

function statement(iconName, ...words) { return h("p.statement", icon(iconName), h("span", words)) }

function checkRow(check) {
  const look = RESULTS.get(check.ok)
  const { ok, id, actual, expected, limit } = check
  return h("tr", { class: ok === null ? "weak" : ok ? null : "failed" },
    h("td.check-result", h("span", { class: look.tone }, icon(look.icon), look.words)),
    h("th", { scope: "row" }, h("code", id)),
    h("td", actual === undefined ? null : [seen(actual, 90), limit ? ` of ${count(limit)}` : null],
      ok === false ? h("span.meaning", "expected ", foreign(expected)) : null))
}
