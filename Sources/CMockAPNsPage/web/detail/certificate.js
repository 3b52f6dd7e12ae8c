// The client certificate of a push, in the tab with its headers.

import { certificateChip, facts, foreign, h, part, plain } from "../core/core.js"

/// Whether the topic of a push is that of its certificate.
export function isTopicOfCertificate({ apns, auth, request }) {
  return auth.kind === "certificate" && apns.topic !== null
    && !request.headers.some(([name]) => name === "apns-topic")
}

/// What replaces the explanations of missing header fields, by name, for a push with a certificate.
export function absentWithCertificate({ auth, connection: { tls } }) {
  const certificate = tls?.clientCertificate
  if (auth.kind !== "certificate" || !certificate) return {}
  return {
    authorization: "Not needed: the client certificate authenticates the push.",
    "apns-topic": certificate.onlyTopic === null
      ? "Required: the client certificate is for several topics."
      : ["The only topic of the client certificate: ", foreign(certificate.onlyTopic, "mono"), "."],
  }
}

/// The section about the certificate; `null` if the client showed none.
export function certificateSection({ connection: { tls } }) {
  const certificate = tls?.clientCertificate
  if (!certificate) return null
  const { topics = [], environments = [], problem, notBefore, notAfter } = certificate
  return part("Client certificate",
    h("p", certificateChip(certificate), " ", problem
      ? h("span.foreign", plain(problem, 300))
      : "It authenticates this push; a provider token is ignored."),
    facts([
      ["Subject", foreign(certificate.subject)],
      ["Issuer", foreign(certificate.issuer)],
      ["Serial", foreign(certificate.serial, "mono")],
      ["Topics", topics.length ? topics.map((topic) => h("div.foreign.mono", plain(topic, 200))) : "None"],
      ["Environments", environments.length ? foreign(environments.join(", ")) : null],
      ["Valid", notBefore && notAfter ? foreign(`${day(notBefore)} to ${day(notAfter)}`) : null],
    ]))
}

function day(time) { return String(time).slice(0, 10) }
