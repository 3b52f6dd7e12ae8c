// The client certificates that authenticate providers, in the view of the keys.

import {
  actions, Call, certificateChip, copyable, emptyState, ENVIRONMENTS, environmentWords, formDialog, h, pageLink, plain,
  refill, shortToken, timeElement,
} from "../../core/core.js"
import { copyIcon, topicsPart } from "../parts/controls.js"
import { Table } from "../parts/table.js"
import { openSecretFile, pemAddress } from "./secret-file.js"

const ISSUED = [
  { name: "topic", label: "App", kind: "text", placeholder: "com.example.app", isRequired: true,
    hint: "Bundle identifier." },
  { name: "environment", label: "Environment", kind: "select", options: ENVIRONMENTS, fallback: "both" },
  { name: "format", label: "Format", kind: "select", fallback: "pem", options: [
    ["pem", "PEM"], ["p12", "PKCS#12"], ["p12-legacy", "PKCS#12 for old clients (RC2)"],
  ] },
  { name: "expires", label: "Expires in", kind: "text", placeholder: "365d", hint: "-1d for an expired certificate." },
]

/// The notes for the modes that do not check who issued a certificate.
const MODES = {
  any: "Every valid certificate for an app authenticates, from any issuer (--client-certificates any).",
  ignore: "Client certificates do not authenticate (--client-certificates ignore): providers need provider tokens.",
}

const columns = (onRevoked) => [
  { label: "Serial", isHead: true, show: ({ serial }) => h("span.token",
    h("code", { title: serial }, shortToken(serial)), copyIcon(serial, `serial ${serial}`)) },
  { label: "Topics", show: ({ topics }) => topicsPart(topics) },
  { label: "Environment", show: ({ environments }) => environmentWords(
    environments.length > 1 ? "both" : environments[0]) },
  { label: "Valid until", show: ({ notAfter }) => timeElement(notAfter) },
  { label: "Standing", show: certificateChip },
  { label: "Actions", kind: "row-actions", isBare: true, show: ({ serial, standing, onlyTopic, topics }) => {
    // The app of a certificate is its shortest topic; see `cert:` of the search.
    const topic = onlyTopic ?? topics.toSorted((left, right) => left.length - right.length)[0]
    const name = `Pushes with a certificate for ${plain(topic, 200)}`
    return [
      pageLink("/", "View pushes", { kind: "button small", name, q: `cert:${topic}` }),
      standing === "revoked" ? null : actions.button("Revoke…", () => new Call("DELETE", `/certificates/${serial}`), {
        name: `Revoke certificate ${serial}`,
        kind: "small",
        ask: {
          title: `Revoke certificate ${shortToken(serial)}?`,
          text: "New connections with it are refused with BadCertificate; open ones continue. This cannot be undone.",
          button: "Revoke certificate",
        },
        onDone: onRevoked,
      }),
    ]
  } },
]

export class Certificates {
  #view
  #note = h("div.notice.warn")
  #authorities = h("div.authorities")
  #table

  /// `view` is the `KeysView`.
  constructor(view) {
    this.#view = view
    const heading = h("h2", { tabindex: "-1" }, "Client certificates")
    const onRevoked = () => {
      view.refresh()
      heading.focus()
    }
    this.#table = new Table("Issued client certificates", columns(onRevoked), {
      key: ({ serial }) => serial,
      empty: () => emptyState("No certificates",
        "Issue a certificate for a provider that authenticates with one instead of a key."),
    })
    this.element = h("section.certificates",
      h("header.page-head",
        h("div", heading,
          h("p.weak.page-about", "A provider that shows one of these certificates needs no provider token.")),
        h("div.page-tools", h("button", { onclick: () => this.#issue() }, "Issue certificate…"))),
      this.#note,
      this.#table.element,
      this.#authorities)
  }

  /// Shows the response of `GET /certificates`, the newest certificate first.
  update({ mode, certificates, authorities }) {
    refill(this.#note, MODES[mode] ?? "")
    this.#table.show(certificates.toReversed())
    refill(this.#authorities, authorities, (list) => (list.length ? authoritiesPart(list) : null))
  }

  #issue() {
    formDialog({
      title: "Issue certificate",
      intro: "Creates a client certificate with its private key, which is shown only once.",
      fields: ISSUED,
      makeCall: (value) => new Call("POST", "/certificates/issue", value),
      onDone: (issued) => {
        this.#view.refresh()
        showIssued(issued)
      },
    })
  }
}

/// The authorities whose certificates authenticate.
function authoritiesPart(authorities) {
  return h("details",
    h("summary", `Trusted authorities: ${authorities.length}`),
    h("ul", authorities.map((one) => h("li",
      h("span.foreign", plain(one.subject, 200)),
      h("div.weak.small-print", one.own ? "Issues this server's certificates" : "From --client-ca",
        ", valid until ", one.notAfter.slice(0, 10)),
      h("div.file-path.small-print", h("code", one.fingerprint),
        copyIcon(one.fingerprint, "the SHA-256 fingerprint"))))))
}

/// Shows the file of a new certificate. Its private key cannot be shown again.
function showIssued({ certificate, fileName, key, p12, password, serial, topics }) {
  const pem = certificate + key
  openSecretFile(`Certificate for ${plain(topics[0], 80)}`, {
    secret: p12 === null ? copyable(pem, "Copy certificate and key") : copyable(password, "Copy password", "Password"),
    rows: [["Serial", h("code", serial)], ["Topics", topicsPart(topics)]],
    href: p12 === null ? pemAddress(pem) : `data:application/x-pkcs12;base64,${p12}`,
    fileName,
  })
}
