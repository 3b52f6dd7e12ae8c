// What the user should know about connections, each once: why some failed, and warnings.

import { api, chip, h, icon, plain, sentence, timeElement, timesCount } from "../../core/core.js"
import { copyIcon } from "../parts/controls.js"

/// Endings that are normal or intended.
const HARMLESS = new Set(["closed-by-peer", "complete", "io-error", "idle-timeout", "shutdown", "fault"])

/// The most findings that are shown.
const MOST = 8

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
  unsaved: "Pushes could not be saved",
  stalled: "The client stopped reading",
  "internal-error": "Internal server error",
  "bad-certificate": "Client certificate refused",
}

/// The failures and the warnings about connections as a whole, the most recent first.
///
/// Each is `{key, tone, title, detail, hint, learn, times, last}`; `last` is the newest connection that has it.
export function findingsOf(connections) {
  const findings = new Map()
  const add = (finding, last) => {
    const times = (findings.get(finding.key)?.times ?? 0) + 1
    // Moves it to the end: it is the most recent one.
    findings.delete(finding.key)
    findings.set(finding.key, { ...finding, times, last })
  }
  for (const one of connections) {
    if (one.state === "closed" && !HARMLESS.has(one.closeCode)) add(failureOf(one), one)
    for (const lint of one.lints) add(warningOf(lint), one)
  }
  return [...findings.values()].reverse().slice(0, MOST)
}

function failureOf({ closeCode, closeDetail, closeHint }) {
  const title = TITLES[closeCode] ?? closeCode
  return { key: `${closeCode} ${closeDetail}`, tone: "bad", title, detail: closeDetail, hint: closeHint }
}

function warningOf({ id, severity, message, hint, learn }) {
  return { key: id, tone: severity === "error" ? "bad" : "warn", title: id, detail: message, hint, learn }
}

/// The content of a failure or a warning, and how to fix it.
export function findingPart({ tone, title, detail, hint, learn, times, last }) {
  return [
    h("div.finding-head",
      icon("warning"),
      h("h3", title),
      chip(timesCount(times), tone),
      h("span.weak", "last ", timeElement(last.closedAt ?? last.openedAt), " from ",
        h("code.foreign", plain(last.remote, 60)))),
    h("p.foreign", plain(sentence(detail), 300)),
    hint ? h("p", h("strong", "Hint: "), sentence(hint)) : null,
    learn ? h("p", h("a", { href: learn, target: "_blank" }, "Why this matters")) : null,
    hint?.includes("ca.pem") ? certificatePart() : null,
  ]
}

/// The CA certificate that the client has to trust, as a path and as a download.
function certificatePart() {
  const { caFile } = api.info
  return h("p.finding-ca",
    caFile ? [h("code", caFile), copyIcon(caFile, "the path of ca.pem"), " "] : null,
    h("a.button.small", { href: "/api/v1/ca.pem", download: "ca.pem" }, "Download ca.pem"))
}
