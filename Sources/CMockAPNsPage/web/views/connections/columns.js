// The columns of the connection table.

import { certificateChip, chip, count, h, pageLink, plain, pushCount, timeElement } from "../../core/core.js"

export const COLUMNS = [
  { label: "Connection", isHead: true, show: ({ id }) => pageLink(
    `/connections/${encodeURIComponent(id)}`, h("code", id)) },
  { label: "State", show: ({ state, lints }) => [
    state === "open" ? chip("Open", "good") : chip("Closed"),
    lints.map(({ id }) => [" ", chip(id, "warn", "warning")])] },
  { label: "Remote", kind: "remote", show: ({ remote }) => h("code.foreign", plain(remote, 60)) },
  { label: "Environment", show: ({ environment }) => environment },
  { label: "TLS", kind: "tls", show: tlsPart },
  { label: "Pushes", kind: "number", show: pushesPart },
  { label: "GOAWAY", show: goAwayPart },
  { label: "Opened", show: ({ openedAt }) => timeElement(openedAt) },
  { label: "Ended", kind: "ended", show: endPart },
]

/// The TLS version, ALPN protocol and server name.
function tlsPart({ tls, closeCode }) {
  if (!tls) return h("span.weak", closeCode === "tls-failure" ? "failed" : "none")
  return [
    h("span", tls.version.replace(/^TLSv/, "TLS ")),
    " ",
    h("span", { class: tls.alpn ? "chip good" : "chip warn", title: "ALPN" }, tls.alpn ?? "no ALPN"),
    tls.sni ? h("div.weak.small-print.foreign", "for ", plain(tls.sni, 80)) : null,
    tls.clientCertificate ? certificatePart(tls.clientCertificate) : null,
  ]
}

/// The client certificate, and why it did not authenticate.
function certificatePart(certificate) {
  return h("div.small-print.client-certificate",
    h("div.weak.foreign", "client certificate ", plain(certificate.subject, 120)),
    h("div", certificateChip(certificate), " ", certificate.problem))
}

/// The number of pushes, and of all streams if there were more.
function pushesPart({ id, pushes, streams }) {
  return [
    pageLink("/", count(pushes), { name: `${pushCount(pushes)} on ${id}`, q: `conn:${id}` }),
    streams > pushes
      ? h("div.weak.small-print", { title: "Includes requests to other namespaces" }, `of ${count(streams)} streams`)
      : null,
  ]
}

/// The GOAWAY frames that were sent, with the code of the last one.
function goAwayPart({ goAways, goAwayCode }) {
  if (goAways === 0) return h("span.weak", "–")
  return [
    chip(goAwayCode, goAwayCode === "NO_ERROR" ? "" : "warn"),
    goAways > 1 ? h("span.weak", ` ×${count(goAways)}`) : null,
  ]
}

function endPart({ closedAt, closeCode, closeDetail }) {
  if (!closedAt) return h("span.weak", "–")
  return [
    timeElement(closedAt),
    h("div.foreign.small-print", h("code.weak", closeCode), " ", plain(closeDetail, 200)),
  ]
}
