// The tab with the checks of a push, in their order, and its warnings.

import { h, plain, replace } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { columns, note, part, sentence } from "../core/parts.js"
import { SEVERITIES } from "./labels.js"

/// What APNs would have answered to a provider token that this server accepted, by `auth.verification`.
const REAL_ANSWERS = {
  missing: "403 MissingProviderToken",
  malformed: "403 InvalidProviderToken",
  "wrong-algorithm": "403 InvalidProviderToken",
  "missing-key-id": "403 InvalidProviderToken",
  "unknown-key": "403 InvalidProviderToken",
  "missing-issuer": "403 InvalidProviderToken",
  "wrong-team": "403 InvalidProviderToken",
  "bad-issued-at": "403 InvalidProviderToken",
  "bad-signature": "403 InvalidProviderToken",
  expired: "403 ExpiredProviderToken",
  "issued-in-future": "403 ExpiredProviderToken",
  "wrong-environment": "403 BadEnvironmentKeyInToken",
}

/// How a check is shown, by its `ok`.
const RESULTS = new Map([
  [true, { words: "Passed", tone: "good", icon: "accepted" }],
  [false, { words: "Failed", tone: "bad", icon: "rejected" }],
  [null, { words: "Not reached", tone: "weak", icon: "more" }],
])

export class ChecksTab {
  element = h("div", { class: "checks-tab" })

  constructor(app) { this.app = app }

  show(record) {
    replace(this.element, this.#real(record), this.#checks(record), this.#lints(record))
  }

  /// The answer of APNs, if this server accepted an invalid provider token.
  #real({ verdict, auth }) {
    const answer = REAL_ANSWERS[auth.verification]
    if (verdict.outcome !== "accepted" || !answer) return null
    const words = ["APNs would have answered ", h("strong", {}, answer), `. ${auth.meaning}`]
    return note("warn", "warning", [words, " This server accepts it because of the setting “auth”."])
  }

  #checks({ verdict, faults }) {
    const { checks } = verdict
    const failed = checks.find((check) => check.ok === false)
    const passed = checks.filter((check) => check.ok === true).length
    const isFault = String(verdict.decidedBy).startsWith("fault:") && faults.length > 0
    const summary = failed
      ? `${passed} passed, 1 failed`
      : passed === checks.length ? `All ${passed} passed` : `${passed} of ${checks.length} reached`
    return part(
      "Checks",
      isFault ? h("p", { class: "weak" }, "A fault decided the response. The checks ran before it.") : null,
      failed ? failure(failed) : null,
      h(
        "details",
        { open: Boolean(failed) },
        h("summary", {}, icon(failed ? "rejected" : "accepted"), summary),
        h(
          "div",
          { class: "table-frame", tabindex: "0", role: "region", "aria-label": "Checks in order" },
          h(
            "table",
            { class: "checks" },
            columns(["Result", "Check", "Seen"]),
            h("tbody", {}, checks.map(checkRow))
          )
        )
      )
    )
  }

  #lints({ lints }) {
    if (lints.length === 0) {
      return part("Warnings", h("p", { class: "weak" }, "No warnings."))
    }
    const order = Object.keys(SEVERITIES)
    const sorted = lints.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
    return part("Warnings", h("ul", { class: "lints" }, sorted.map((lint) => this.#lint(lint))))
  }

  #lint(lint) {
    const look = SEVERITIES[lint.severity] ?? SEVERITIES.info
    const { router } = this.app
    // Built here, because the link in an imported push is untrusted.
    const learn = `/docs/lints#${encodeURIComponent(lint.id)}`
    return h(
      "li",
      { class: `note ${look.tone ? `${look.tone}-note` : ""}` },
      h(
        "p",
        { class: "lint-line" },
        h("strong", {}, icon(look.icon), look.words),
        h("code", {}, lint.id),
        lint.pointer === null ? null : this.#place(lint.pointer)
      ),
      h("p", { class: "foreign lint-message" }, plain(sentence(lint.message), 600)),
      h("p", {}, h("strong", {}, "Fix: "), h("span", { class: "foreign" }, plain(lint.fix, 600))),
      h(
        "p",
        { class: "lint-links" },
        h("a", { href: learn, target: "_blank", rel: "noopener" }, "Why this matters"),
        h("a", { href: router.path("/", { q: `lint:${lint.id}` }) }, "Pushes with this warning")
      )
    )
  }

  /// The header or payload value that a warning is about, as a link to the tab that shows it.
  #place(pointer) {
    const { router } = this.app
    const isHeader = pointer.startsWith("headers/")
    const words = isHeader ? pointer.slice("headers/".length) : pointer === "" ? "the whole payload" : pointer
    const address = router.here({ tab: isHeader ? "headers" : "json", at: isHeader ? null : pointer })
    return h("a", { class: "mono foreign", href: address }, plain(words, 120))
  }
}

/// The check that rejected the push.
function failure(check) {
  const rows = [["Expected", check.expected], ["Seen", check.actual], ["Limit", check.limit]]
  return note(
    "bad",
    "rejected",
    [h("strong", {}, h("code", {}, check.id)), " failed"],
    h(
      "dl",
      { class: "failed-check" },
      rows.filter(([, value]) => value !== undefined).map(([name, value]) => {
        return h("div", {}, h("dt", {}, name), h("dd", { class: "foreign mono" }, seen(value, 400)))
      })
    )
  )
}

function checkRow(check) {
  const look = RESULTS.get(check.ok)
  return h(
    "tr",
    { class: check.ok === null ? "weak" : null },
    h("td", { class: "check-result" }, h("span", { class: look.tone }, icon(look.icon), look.words)),
    h("th", { scope: "row" }, h("code", {}, check.id)),
    h("td", { class: "mono" }, "actual" in check
      ? h("span", { class: "foreign" }, seen(check.actual, 90), check.limit ? ` of ${check.limit} bytes` : "")
      : null)
  )
}

function seen(value, limit) {
  if (value === null) return h("span", { class: "weak" }, "absent")
  return plain(value, limit)
}
