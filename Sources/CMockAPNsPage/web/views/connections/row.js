// A row of the connection table.

import { certificateChip } from "../../core/certificate.js"
import { h, plain } from "../../core/dom.js"
import { chip } from "../../core/parts.js"
import { refill } from "../../core/rows.js"
import { count, pushCount } from "../../core/time.js"
import { timeElement } from "../../core/time-element.js"
import { TableRow, cell, rowHead } from "../parts/table.js"

export const HEADINGS = ["Connection", "State", "Remote", "Environment", "TLS", "Pushes", "GOAWAY", "Opened", "Ended"]

export class ConnectionRow extends TableRow {
  fill(one) {
    refill(this.state, [one.state, one.lints], () => [
      one.state === "open" ? chip("Open", "good") : chip("Closed"),
      (one.lints ?? []).map(({ id }) => [" ", chip(id, "warn", "warning")]),
    ])
    refill(this.tls, one.tls, (tls) => tlsPart(tls, one))
    refill(this.number, [one.pushes, one.streams], () => pushesPart(one, this.app.router))
    refill(this.goAway, [one.goAways, one.goAwayCode], () => goAwayPart(one))
    refill(this.opened, one.openedAt, timeElement)
    refill(this.ended, [one.closedAt, one.closeCode, one.closeDetail], () => endPart(one))
  }

  select(isSelected) {
    if (isSelected) this.element.setAttribute("aria-selected", "true")
    else this.element.removeAttribute("aria-selected")
  }

  focus() { this.link.focus({ preventScroll: true }) }

  make(one) {
    const { router } = this.app
    this.link = h("a", { href: router.path(`/connections/${encodeURIComponent(one.id)}`) }, h("code", {}, one.id))
    this.state = cell("State")
    this.tls = cell("TLS", "tls")
    this.number = cell("Pushes", "number")
    this.goAway = cell("GOAWAY")
    this.opened = cell("Opened")
    this.ended = cell("Ended", "ended")
    return [
      rowHead("Connection", this.link),
      this.state,
      cell("Remote", "remote", h("code", { class: "foreign" }, plain(one.remote, 60))),
      cell("Environment", null, one.environment),
      this.tls,
      this.number, this.goAway, this.opened, this.ended,
    ]
  }
}

/// The TLS version, ALPN protocol and server name.
function tlsPart(tls, one) {
  if (!tls) return h("span", { class: "weak" }, one.closeCode === "tls-failure" ? "failed" : "none")
  return [
    h("span", {}, tls.version.replace(/^TLSv/, "TLS ")),
    " ",
    h("span", { class: tls.alpn ? "chip good" : "chip warn", title: "ALPN" }, tls.alpn ?? "no ALPN"),
    tls.sni ? h("div", { class: "weak small-print foreign" }, "for ", plain(tls.sni, 80)) : null,
    tls.clientCertificate ? certificatePart(tls.clientCertificate) : null,
  ]
}

/// The client certificate, and why it did not authenticate.
function certificatePart(certificate) {
  return h(
    "div",
    { class: "small-print client-certificate" },
    h("div", { class: "weak foreign" }, "client certificate ", plain(certificate.subject, 120)),
    h("div", {}, certificateChip(certificate), " ", certificate.problem)
  )
}

/// The number of pushes, and of all streams if there were more.
function pushesPart(one, router) {
  const words = `${pushCount(one.pushes)} on ${one.id}`
  return [
    h("a", { href: router.path("/", { q: `conn:${one.id}` }), "aria-label": words }, count(one.pushes)),
    one.streams > one.pushes
      ? h("div", { class: "weak small-print", title: "Includes requests to other namespaces" },
        `of ${count(one.streams)} streams`)
      : null,
  ]
}

/// The GOAWAY frames that were sent, with the code of the last one.
function goAwayPart(one) {
  if (one.goAways === 0) return h("span", { class: "weak" }, "–")
  const isOrderly = one.goAwayCode === "NO_ERROR"
  return [
    h("span", { class: isOrderly ? "chip" : "chip warn" }, one.goAwayCode),
    one.goAways > 1 ? h("span", { class: "weak" }, ` ×${count(one.goAways)}`) : null,
  ]
}

function endPart(one) {
  if (!one.closedAt) return h("span", { class: "weak" }, "–")
  return [
    timeElement(one.closedAt),
    h("div", { class: "foreign small-print" },
      h("code", { class: "weak" }, one.closeCode), " ", plain(one.closeDetail, 200)),
  ]
}
