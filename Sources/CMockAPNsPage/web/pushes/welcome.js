// The empty state of the list: how to send the first push.

import { actions, api, Call, copyable, h, replace, showLoaded, Tabs } from "../core/core.js"
import { clients } from "./clients.js"

/// The facts that a provider needs, in the variables of `mock-apns exec`.
const FACTS = [
  ["Host and port", ({ MOCK_APNS_URL }) => new URL(MOCK_APNS_URL).host],
  ["CA certificate", () => api.info.caFile ?? "the issuer of your --tls-cert"],
  ["Key file", ({ MOCK_APNS_KEY_FILE }) => MOCK_APNS_KEY_FILE],
  ["Key ID", ({ MOCK_APNS_KEY_ID }) => MOCK_APNS_KEY_ID],
  ["Team ID", ({ MOCK_APNS_TEAM_ID }) => MOCK_APNS_TEAM_ID],
]

export class Welcome {
  element = h("div.welcome")
  #shown = null

  /// Shows the empty state with the server's current values.
  show() {
    const read = async () => {
      const { values, note } = await connection()
      return { values, note, all: await clients(values) }
    }
    showLoaded(this.element, read, (answer) => this.#content(answer))
  }

  #content({ values, note, all }) {
    const tabs = new Tabs("Client libraries", all.map(({ name }) => ({ name, label: name })), (name) => {
      this.#shown = name
      tabs.show(name)
    })
    for (const { name, code, note } of all) {
      replace(tabs.panel(name), copyable(code, "Copy", `Code for ${name}`), h("p.weak.foreign", note))
    }
    tabs.show(this.#shown ?? all[0].name)
    return [
      h("h2", "No pushes yet"),
      h("p.weak", "Connect a provider to this server. Each push appears here as it arrives."),
      h("div.buttons", actions.button(
        "Send test push",
        () => new Call("POST", "/pushes/send", {}),
        { kind: "primary", iconName: "send" }
      )),
      note ? h("p.warn", note) : null,
      h("dl.values.server-facts",
        FACTS.map(([name, value]) => h("div", h("dt", name), h("dd", h("code", value(values)))))),
      tabs.element,
    ]
  }
}

/// How a provider connects to the selected namespace: `{values, note}`, with the variables of `mock-apns exec`.
async function connection() {
  const { listeners: usual, caFile, developmentKey: key } = api.info
  const own = api.namespace === "default" ? null
    : await api.get(`/namespaces/${encodeURIComponent(api.namespace)}`).catch(() => null)
  const listeners = own?.listeners?.length ? own.listeners : usual
  const url = new URL((listeners.find(({ secure }) => secure) ?? listeners[0]).url)
  if (["0.0.0.0", "[::]"].includes(url.hostname)) url.hostname = location.hostname
  return {
    values: {
      MOCK_APNS_URL: url.origin,
      MOCK_APNS_HOST: url.hostname,
      MOCK_APNS_APNS_PORT: url.port || "443",
      MOCK_APNS_CA_FILE: caFile ?? "ca.pem",
      MOCK_APNS_KEY_FILE: key?.path ?? "AuthKey.p8",
      MOCK_APNS_KEY_ID: key?.keyId ?? "KEYID",
      MOCK_APNS_TEAM_ID: key?.teamId ?? "TEAMID",
    },
    note: api.namespace === "default" || listeners !== usual ? null
      : "This namespace has no separate port. It receives pushes to device tokens that are registered in it.",
  }
}
