// Failed connections that the user should know about, grouped by cause.

import { h, plain } from "../../core/dom.js"
import { icon } from "../../core/icons.js"
import { sentence } from "../../core/parts.js"
import { refill } from "../../core/rows.js"
import { timesCount } from "../../core/time.js"
import { timeElement } from "../../core/time-element.js"
import { copyIcon } from "../parts/controls.js"

/// Endings that are normal or intended.
const HARMLESS = new Set(["closed-by-peer", "complete", "io-error", "idle-timeout", "shutdown", "fault"])

/// The titles of the endings, by the API's codes.
const TITLES = {
  "tls-failure": "TLS handshake failed",
  "handshake-timeout": "TLS handshake timed out",
  "not-http2": "Not HTTP/2",
  "protocol-error": "Protocol error",
  rejected: "Notification rejected",
  "too-many-connections": "Too many connections",
  "too-many-errors": "Too many errors in a row",
  "settings-timeout": "SETTINGS were not acknowledged",
  "stream-limit": "Out of stream IDs",
  flood: "Too many frames",
  unsaved: "The world could not be saved",
  stalled: "The client stopped reading",
  "internal-error": "Internal server error",
  "bad-certificate": "Client certificate refused",
}

/// The failures, the most recent first: `{key, code, detail, hint, times, last}`.
export function failuresOf(connections) {
  const failures = new Map()
  for (const one of connections) {
    if (one.state !== "closed" || HARMLESS.has(one.closeCode)) continue
    const key = `${one.closeCode} ${one.closeDetail}`
    const { closeCode: code, closeDetail: detail, closeHint: hint } = one
    const known = failures.get(key) ?? { key, code, detail, hint, times: 0 }
    // Moves it to the end: it is the most recent one.
    failures.delete(key)
    failures.set(key, { ...known, times: known.times + 1, last: one })
  }
  return [...failures.values()].reverse().slice(0, 8)
}

/// The failures with one cause.
export class Failure {
  element = h("article", { class: "connection-failure" })
  #app

  constructor(app) { this.#app = app }

  update(failure) {
    refill(this.element, failure, () => [
      h("div", { class: "failure-head" },
        icon("warning"),
        h("h3", {}, TITLES[failure.code] ?? failure.code),
        h("span", { class: "chip bad" }, timesCount(failure.times)),
        h("span", { class: "weak" }, "last ", timeElement(failure.last.closedAt), " from ",
          h("code", { class: "foreign" }, plain(failure.last.remote, 60)))),
      h("p", { class: "foreign" }, plain(failure.detail, 300)),
      failure.hint ? h("p", {}, h("strong", {}, "Fix: "), sentence(failure.hint)) : null,
      failure.hint?.includes("ca.pem") ? this.#certificate() : null,
    ])
  }

  /// The CA certificate that the client has to trust, as a path and as a download.
  #certificate() {
    const { caFile } = this.#app.info ?? {}
    return h("p", { class: "failure-ca" },
      caFile ? [h("code", {}, caFile), copyIcon(this.#app, caFile, "the path of ca.pem"), " "] : null,
      h("a", { class: "button small", href: "/api/v1/ca.pem", download: "ca.pem" }, "Download ca.pem"))
  }
}
