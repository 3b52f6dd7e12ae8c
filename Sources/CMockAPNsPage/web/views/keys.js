// The view of the keys and certificates that authenticate providers.

import {
  actions, api, Call, copyable, emptyState, ENVIRONMENTS, environmentWords, Fields, formDialog, h, openDialog, pageLink,
  refill, toasts,
} from "../core/core.js"
import { Certificates } from "./keys/certificates.js"
import { openSecretFile, pemAddress } from "./keys/secret-file.js"
import { copyIcon, topicsPart } from "./parts/controls.js"
import { Table } from "./parts/table.js"
import { View } from "./parts/view.js"

const SCOPE = [
  { name: "topics", label: "Topics", kind: "words", placeholder: "every topic",
    hint: "Bundle identifiers, separated by commas." },
  { name: "environment", label: "Environment", kind: "select", options: ENVIRONMENTS, fallback: "both" },
]

const GENERATED = [
  { name: "keyId", label: "Key ID", kind: "text", placeholder: "generated",
    hint: "Ten uppercase letters and digits." },
  { name: "teamId", label: "Team ID", kind: "text", placeholder: "team of the development key" },
  ...SCOPE,
]

const REGISTERED = [
  { name: "keyId", label: "Key ID", kind: "text", placeholder: "ABC123DEFG", isRequired: true },
  { name: "teamId", label: "Team ID", kind: "text", placeholder: "DEF123GHIJ", isRequired: true },
  { name: "pem", label: "Public key or .p8 file", kind: "long", rows: 6, isRequired: true,
    placeholder: "-----BEGIN PUBLIC KEY-----", hint: "Only the public key of a .p8 file is kept." },
  ...SCOPE,
]

/// The notes for the settings of `auth` that do not verify signatures.
const AUTH = {
  wellformed: "Signatures are not verified (auth is wellformed), so a token signed with another key is accepted.",
  any: "Provider tokens are not checked (auth is any), so these keys are not used.",
}

const columns = (onRemoved) => [
  { label: "Key ID", isHead: true, show: ({ keyId }) => h("span.token",
    h("code", keyId), copyIcon(keyId, `key ID ${keyId}`)) },
  { label: "Team ID", show: ({ teamId }) => h("code", teamId) },
  { label: "Topics", show: ({ topics }) => (topics ? topicsPart(topics) : h("span.weak", "every topic")) },
  { label: "Environment", show: ({ environment }) => environmentWords(environment) },
  { label: "Origin", show: originPart },
  { label: "Actions", kind: "row-actions", isBare: true, show: ({ keyId, publicKey }) => [
    h("button.small", {
      "aria-label": `Public key of ${keyId}`,
      onclick: () => openDialog(`Public key of ${keyId}`, copyable(publicKey, "Copy public key")),
    }, "Show public key"),
    pageLink("/", "View pushes", { kind: "button small", name: `Pushes signed by ${keyId}`, q: `key:${keyId}` }),
    actions.button("Delete…", () => new Call("DELETE", `/keys/${encodeURIComponent(keyId)}`), {
      kind: "small",
      name: `Delete key ${keyId}`,
      ask: {
        title: `Delete key ${keyId}?`,
        text: "Provider tokens that it signed are rejected with InvalidProviderToken from the next request on. "
          + "A reset restores the startup keys.",
        button: "Delete key",
      },
      onDone: onRemoved,
    })] },
]

export class KeysView extends View {
  constructor() {
    super({
      name: "keys-view",
      title: "Keys",
      about: "Provider tokens must be signed with one of these keys. Providers may show a client certificate instead.",
      turn: 5_000,
    })
    this.tools.append(
      h("button", { onclick: () => this.#register() }, "Register key…"),
      h("button.primary", { onclick: () => this.#generate() }, "Generate key…")
    )
    this.note = h("div.notice.warn")
    this.table = new Table("Keys for provider tokens", columns(() => this.removed()), {
      key: ({ keyId }) => keyId,
      empty: () => emptyState("No keys",
        "Without a key, every provider token is rejected with InvalidProviderToken. Generate a key for the provider, "
          + "or register the public key of its existing one."),
    })
    this.certificates = new Certificates(this)
  }

  /// Keys and certificates have no events, so they are loaded whenever the view is shown, and polled.
  draw() { this.refresh() }

  async load() {
    const [{ keys, auth }, certificates] = await Promise.all(
      ["/keys", "/certificates"].map((path) => api.get(path)))
    refill(this.note, AUTH[auth] ?? "")
    this.table.show(keys)
    this.place(this.note, this.table.element, this.certificates.element)
    this.certificates.update(certificates)
  }

  #generate() {
    formDialog({
      title: "Generate key",
      intro: "Creates a key pair and registers its public key. The private key is shown only once.",
      fields: GENERATED,
      makeCall: (value) => new Call("POST", "/keys/generate", value),
      onDone: (key) => {
        this.refresh()
        showPrivateKey(key)
      },
    })
  }

  #register() {
    const fields = new Fields(REGISTERED)
    // Both members share a field.
    const complain = fields.complain.bind(fields)
    fields.complain = (errors) => complain(errors.map((error) => ({
      ...error,
      path: error.path?.replace(/^\/(p8|publicKey)$/, "/pem"),
    })))
    formDialog({
      title: "Register key",
      fields,
      makeCall: ({ pem, ...others }) => {
        const member = /BEGIN (EC )?PRIVATE KEY/.test(pem ?? "") ? "p8" : "publicKey"
        return new Call("POST", "/keys", { ...others, [member]: pem })
      },
      onDone: (key) => {
        toasts.show(`Registered key ${key.keyId}.`)
        this.refresh()
      },
    })
  }
}

function originPart({ keyId, origin }) {
  const { developmentKey: own } = api.info
  if (keyId !== own?.keyId) return origin === "start" ? "Registered at startup" : "Added through the API"
  const file = h("div.file-path", h("code", own.path), copyIcon(own.path, "the path of the key file"))
  return ["Development key of this server", file]
}

/// Shows the private key of a new pair. It cannot be shown again.
function showPrivateKey({ keyId, teamId, p8, fileName }) {
  openSecretFile(`Key ${keyId}`, {
    secret: copyable(p8, "Copy key"),
    rows: [["Key ID", h("code", keyId)], ["Team ID", h("code", teamId)]],
    href: pemAddress(p8),
    fileName,
  })
}
