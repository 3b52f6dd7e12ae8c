// The tab with the checks of a push, in their order, and its warnings.

import { columns, count, foreign, h, icon, note, pageLink, part, plain, router, sentence } from "../core/core.js"
import { seen } from "./banner.js"
import { SEVERITIES, checkResults, deliveryLook, isByFault, severityLook } from "./labels.js"

/// How a check is shown, by its `ok`: its label, and the class of its row.
const RESULTS = new Map([
  [true, { words: "Passed", tone: "good", icon: "accepted", row: null }],
  [false, { words: "Failed", tone: "bad", icon: "rejected", row: "failed" }],
  [null, { words: "Not reached", tone: "weak", icon: "more", row: "weak" }],
])

export function checksTab(record) { return h("div", realAnswer(record), checksPart(record), lintsPart(record)) }

/// The answer of APNs, if this server accepted an invalid provider token.
function realAnswer({ verdict, auth }) {
  if (verdict.outcome !== "accepted" || !auth.reason) return null
  const words = ["APNs would have answered ", h("strong", "403 ", plain(auth.reason)), `. ${auth.meaning}`]
  return note("warn", "warning", [words, " This server accepts it because of the setting “auth”."])
}

function checksPart(record) {
  const { checks } = record.verdict
  return part("Checks",
    outcome(record),
    became(record),
    h("details", { open: Boolean(checkResults(record).failed) },
      h("summary", `${checks.length} checks in order`),
      h("div.table-frame", { tabindex: "0", role: "region", "aria-label": "Checks in order" },
        h("table.checks", columns(["Result", "Check", "Seen"]), h("tbody", checks.map(checkRow))))))
}

/// What the checks decided.
function outcome(record) {
  const { checks, outcome } = record.verdict
  const { failed, passed } = checkResults(record)
  if (isByFault(record)) {
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

function checkRow({ ok, id, actual, expected, limit }) {
  const look = RESULTS.get(ok)
  return h("tr", { class: look.row },
    h("td.check-result", h("span", { class: look.tone }, icon(look.icon), look.words)),
    h("th", { scope: "row" }, h("code", id)),
    h("td", actual === undefined ? null : [seen(actual, 90), limit ? ` of ${count(limit)}` : null],
      ok === false ? h("span.meaning", "expected ", foreign(expected)) : null))
}

function lintsPart({ lints }) {
  if (lints.length === 0) return part("Warnings", h("p.weak", "No warnings."))
  const order = Object.keys(SEVERITIES)
  const sorted = lints.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
  return part("Warnings", h("ul.lints", sorted.map(lintItem)))
}

function lintItem(lint) {
  const { id, pointer, message, hint } = lint
  const look = severityLook(lint)
  // Built here, because the link in an imported push is untrusted.
  const learn = `/docs/lints#${encodeURIComponent(id)}`
  return h("li.note", { class: look.tone },
    h("p.lint-line",
      h("strong", icon(look.icon), look.words),
      h("code", id),
      pointer === null ? null : place(pointer)),
    h("p.foreign.lint-message", plain(sentence(message), 600)),
    h("p", h("strong", "Hint: "), h("span.foreign", plain(hint, 600))),
    h("p.lint-links",
      h("a", { href: learn, target: "_blank", rel: "noopener" }, "Why this matters"),
      pageLink("/", "Pushes with this warning", { q: `lint:${id}` })))
}

/// The header or payload value that a warning is about, as a link to the tab that shows it.
function place(pointer) {
  const isHeader = pointer.startsWith("headers/")
  const words = isHeader ? pointer.slice("headers/".length) : pointer === "" ? "the whole payload" : pointer
  const address = router.here({ tab: isHeader ? "headers" : "json", at: isHeader ? null : pointer })
  return h("a.mono.foreign", { href: address }, plain(words, 120))
}
