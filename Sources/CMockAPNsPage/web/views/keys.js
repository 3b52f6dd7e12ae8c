// The view of the keys and certificates that authenticate providers.

import { copyable, openDialog } from "../core/actions.js"
import { Call } from "../core/api.js"
import { h, plain, replace } from "../core/dom.js"
import { Fields } from "../core/forms.js"
import { emptyState, fact } from "../core/parts.js"
import { Rows, refill } from "../core/rows.js"
import { ENVIRONMENTS, environmentWords } from "../core/vocabulary.js"
import { copyIcon } from "./parts/controls.js"
import { formDialog } from "../core/form-dialog.js"
import { TableRow, cell, framedTable, rowActions, rowHead } from "./parts/table.js"
import { View } from "./parts/view.js"
import { Certificates } from "./keys/certificates.js"
import { openSecretFile } from "./keys/secret-file.js"

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

const HEADINGS = ["Key ID", "Team ID", "Topics", "Environment", "Origin", "Actions"]

export class KeysView extends View {
  constructor(app) {
    super(app, {
      name: "keys-view",
      title: "Keys",
      about: "Provider tokens must be signed with one of these keys. Providers may show a client certificate instead.",
      turn: 5_000,
    })
    this.tools.append(
      h("button", { onclick: () => this.#register() }, "Register key…"),
      h("button", { class: "primary", onclick: () => this.#generate() }, "Generate key…")
    )
    this.note = h("div", { class: "notice warn" })
    this.body = h("tbody", { role: "rowgroup" })
    this.rows = new Rows(this.body, () => new KeyRow(app, () => {
      this.refresh()
      this.heading.focus()
    }))
    this.certificates = new Certificates(app, () => this.refresh())
    this.table = framedTable("Keys for provider tokens", { headings: HEADINGS }, this.body).frame
  }

  forget() {
    this.rows.clear()
    this.certificates.clear()
  }

  /// Keys and certificates have no events, so they are loaded whenever the view is shown, and polled.
  draw() { this.refresh() }

  async load() {
    const [{ keys, auth }, certificates] = await Promise.all(
      ["/keys", "/certificates"].map((path) => this.app.api.get(path)))
    this.note.hidden = !AUTH[auth]
    refill(this.note, AUTH[auth] ?? "")
    const development = this.app.info?.developmentKey
    this.rows.set(keys.map((key) => [key.keyId, {
      ...key,
      path: key.keyId === development?.keyId ? development.path : null,
    }]))
    const content = keys.length ? this.table : emptyState(
      "No keys",
      "Without a key, every provider token is rejected with InvalidProviderToken. Generate a key for the "
        + "provider, or register the public key of its existing one."
    )
    if (content.parentElement !== this.content) {
      replace(this.content, this.note, content, this.certificates.element)
    }
    this.certificates.update(certificates)
  }

  #generate() {
    const fields = new Fields(GENERATED)
    formDialog(this.app, {
      title: "Generate key",
      intro: "Creates a key pair and registers its public key. The private key is shown only once.",
      fields,
      button: "Generate",
      makeCall: () => new Call("POST", "/keys/generate", fields.value),
      onDone: (key) => {
        this.refresh()
        showPrivateKey(key)
      },
    })
  }

  #register() {
    const fields = new Fields(REGISTERED)
    const call = () => {
      const { pem, ...others } = fields.value
      const member = /BEGIN (EC )?PRIVATE KEY/.test(pem ?? "") ? "p8" : "publicKey"
      return new Call("POST", "/keys", { ...others, [member]: pem })
    }
    // Both members share a field.
    const complain = fields.complain.bind(fields)
    fields.complain = (errors) => complain(errors.map((error) => ({
      ...error,
      path: error.path?.replace(/^\/(p8|publicKey)$/, "/pem"),
    })))
    formDialog(this.app, {
      title: "Register key",
      fields,
      button: "Register",
      makeCall: call,
      onDone: (key) => {
        this.app.toasts.show(`Registered key ${key.keyId}.`)
        this.refresh()
      },
    })
  }
}

/// Shows the private key of a new pair. It cannot be shown again.
function showPrivateKey({ keyId, teamId, p8, fileName }) {
  openSecretFile(`Key ${keyId}`, {
    intro: "Save this private key now. The server does not keep it and cannot show it again.",
    secret: copyable(p8, "Copy key"),
    facts: [fact("Key ID", h("code", {}, keyId)), fact("Team ID", h("code", {}, teamId))],
    href: `data:application/x-pem-file,${encodeURIComponent(p8)}`,
    fileName,
  })
}

function pathPart(app, path) {
  return h("div", { class: "file-path" }, h("code", {}, path), copyIcon(app, path, "the path of the key file"))
}

class KeyRow extends TableRow {
  #onRemoved

  constructor(app, onRemoved) {
    super(app)
    this.#onRemoved = onRemoved
  }

  fill(key) {
    refill(this.team, key.teamId, (text) => h("code", {}, text))
    refill(this.topics, key.topics, (topics) => (topics
      ? topics.map((topic) => h("div", { class: "foreign" }, plain(topic, 200)))
      : h("span", { class: "weak" }, "every topic")))
    refill(this.environment, environmentWords(key.environment))
    refill(this.origin, [key.origin, key.path], () => (key.path
      ? ["Development key of this server", pathPart(this.app, key.path)]
      : key.origin === "start" ? "Registered at startup" : "Added through the API"))
  }

  make(key) {
    this.team = cell("Team ID")
    this.topics = cell("Topics")
    this.environment = cell("Environment")
    this.origin = cell("Origin")
    const show = h("button", {
      class: "small",
      "aria-label": `Public key of ${key.keyId}`,
      onclick: () => openDialog(`Public key of ${key.keyId}`, copyable(key.publicKey, "Copy public key")),
    }, "Show public key")
    const search = h("a", {
      class: "button small",
      "aria-label": `Pushes signed by ${key.keyId}`,
      href: this.app.router.path("/", { q: `key:${key.keyId}` }),
    }, "View pushes")
    const call = new Call("DELETE", `/keys/${encodeURIComponent(key.keyId)}`)
    const remove = this.app.actions.button("Delete…", () => call, {
      kind: "small",
      name: `Delete key ${key.keyId}`,
      ask: {
        title: `Delete key ${key.keyId}?`,
        text: "Provider tokens that it signed are rejected with InvalidProviderToken from the next request on. "
          + "A reset restores the startup keys.",
        button: "Delete key",
      },
      onDone: () => this.#onRemoved(),
    })
    return [
      rowHead("Key ID", h("span", { class: "token" },
        h("code", {}, key.keyId), copyIcon(this.app, key.keyId, `key ID ${key.keyId}`))),
      this.team, this.topics, this.environment, this.origin,
      rowActions(show, search, remove),
    ]
  }
}
