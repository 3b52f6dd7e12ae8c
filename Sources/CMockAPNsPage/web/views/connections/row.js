// A connection in the table.

import { h, plain, replace } from "../../core/dom.js"
import { refill } from "../../core/rows.js"
import { count } from "../../core/time.js"
import { when } from "../../core/when.js"

export const HEADINGS = ["Connection", "State", "Remote", "Environment", "TLS", "Pushes", "Opened", "Ended"]

export class ConnectionRow {
  /// Whether the number of its pushes is known, and stays so.
  isCounted = false
  isOpen = true
  #app
  #made = false

  constructor(app) {
    this.#app = app
    this.element = h("tr", { role: "row" })
  }

  update(one) {
    if (!this.#made) this.#make(one)
    this.isOpen = one.state === "open"
    refill(this.state, one.state, () => {
      return this.isOpen ? h("span", { class: "chip good" }, "Open") : h("span", { class: "chip" }, "Closed")
    })
    refill(this.tls, one.tls, (tls) => tlsPart(tls, one))
    refill(this.opened, one.openedAt, when)
    refill(this.ended, [one.closedAt, one.closeCode, one.closeDetail], () => endPart(one))
  }

  /// Says how many pushes came over it; `null` with why that is not known.
  count(pushes, trouble = null) {
    this.isCounted = !this.isOpen && pushes !== null
    const id = this.link.textContent
    refill(this.number, pushes === null ? "?" : count(pushes))
    this.number.setAttribute("aria-label", `${this.number.textContent} ${pushes === 1 ? "push" : "pushes"} on ${id}`)
    this.number.title = trouble ?? ""
  }

  select(isSelected) {
    if (isSelected) this.element.setAttribute("aria-selected", "true")
    else this.element.removeAttribute("aria-selected")
  }

  focus() { this.link.focus({ preventScroll: true }) }

  #make(one) {
    this.#made = true
    const { router } = this.#app
    const cell = (label, kind = null) => h("td", { role: "cell", class: kind, "data-label": label })
    this.link = h("a", { href: router.path(`/connections/${encodeURIComponent(one.id)}`) }, h("code", {}, one.id))
    this.state = cell("State")
    const remote = cell("Remote", "remote")
    remote.append(h("code", { class: "foreign" }, plain(one.remote, 60)))
    this.tls = cell("TLS", "tls")
    this.number = h("a", {
      href: router.path("/", { q: `conn:${one.id}` }),
      "aria-label": `Pushes on ${one.id}`,
    }, "…")
    this.opened = cell("Opened")
    this.ended = cell("Ended", "ended")
    replace(
      this.element,
      h("th", { scope: "row", role: "rowheader", "data-label": "Connection" }, this.link),
      this.state,
      remote,
      h("td", { role: "cell", "data-label": "Environment" }, one.environment),
      this.tls,
      h("td", { role: "cell", class: "number", "data-label": "Pushes" }, this.number),
      this.opened, this.ended
    )
  }
}

/// What TLS agreed on: the version, ALPN, and the name that the client asked for.
function tlsPart(tls, one) {
  if (!tls) return h("span", { class: "weak" }, one.closeCode === "tls-failure" ? "failed" : "none")
  return [
    h("span", {}, tls.version.replace(/^TLSv/, "TLS ")),
    " ",
    h("span", { class: tls.alpn ? "chip good" : "chip warn", title: "ALPN" }, tls.alpn ?? "no ALPN"),
    tls.sni ? h("div", { class: "weak small-print foreign" }, "for ", plain(tls.sni, 80)) : null,
    tls.clientCertificate ? h("div", { class: "weak small-print foreign" }, plain(tls.clientCertificate, 120)) : null,
  ]
}

function endPart(one) {
  if (!one.closedAt) return h("span", { class: "weak" }, "–")
  return [
    when(one.closedAt),
    h("div", { class: "foreign small-print" },
      h("code", { class: "weak" }, one.closeCode), " ", plain(one.closeDetail, 200)),
  ]
}
