// The client certificate of a push, in the tab with its headers.

import { facts, foreign, h, part, plain } from "../core/elements.js"
import { certificateChip } from "../core/certificate.js"

/// Whether the topic of a push is that of its certificate.
export function isTopicOfCertificate({ apns, auth, request }) {
  return auth.kind === "certificate" && apns.topic !== null
    && !request.headers.some(([name]) => name === "apns-topic")
}

/// What replaces the explanations of missing header fields, by name, for a push with a certificate.
export function absentWithCertificate(record) {
  const certificate = certificateOf(record)
  if (record.auth.kind !== "certificate" || !certificate) return {}
  return {
    authorization: "Not needed: the client certificate authenticates the push.",
    "apns-topic": certificate.onlyTopic === null
      ? "Required: the client certificate is for several topics."
      : ["The only topic of the client certificate: ", foreign(certificate.onlyTopic, { class: "mono" }), "."],
  }
}

/// The section about the certificate; `null` if the client showed none.
export function certificateSection(record) {
  const certificate = certificateOf(record)
  if (!certificate) return null
  const { topics = [], environments = [] } = certificate
  return part("Client certificate",
    h("p", certificateChip(certificate), " ", certificate.problem
      ? h("span.foreign", plain(certificate.problem, 300))
      : "It authenticates this push; a provider token is ignored."),
    facts([
      ["Subject", foreign(certificate.subject)],
      ["Issuer", foreign(certificate.issuer)],
      ["Serial", certificate.serial ? foreign(certificate.serial, { class: "mono" }) : null],
      ["Topics", topics.length ? topics.map((topic) => h("div.foreign.mono", plain(topic, 200))) : "None"],
      ["Environments", environments.length ? environments.map((name) => plain(name, 40)).join(", ") : null],
      ["Valid", certificate.notBefore && certificate.notAfter
        ? foreign(`${day(certificate.notBefore)} to ${day(certificate.notAfter)}`) : null],
    ]))
}

function certificateOf(record) { return record.connection.tls?.clientCertificate ?? null }

function day(time) { return String(time).slice(0, 10) }
