// The empty state of the list: how to send the first push.

import { actions, copyable } from "../core/actions.js"
import { api, Call } from "../core/api.js"
import { h, replace } from "../core/dom.js"
import { Tabs } from "../core/tabs.js"
import { CLIENTS } from "./snippets.js"

/// The facts that a provider needs.
const FACTS = [
  ["Host and port", (server) => `${server.host}:${server.port}`],
  ["CA certificate", (server) => server.caFile ?? "the issuer of your --tls-cert"],
  ["Key file", (server) => server.keyFile],
  ["Key ID", (server) => server.keyId],
  ["Team ID", (server) => server.teamId],
]

/// A topic and a token that work without preparation: an unknown token creates a device.
const TOPIC = "com.example.app"
const TOKEN = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

export class Welcome {
  element = h("div.welcome")
  #shown = CLIENTS[0].name

  /// Shows the empty state with the server's current values.
  async show() {
    const server = await this.#server()
    const tabs = new Tabs("Client libraries", CLIENTS.map(({ name, label }) => ({ name, label })), (name) => {
      this.#shown = name
      tabs.show(name)
    })
    for (const { name, label, lines, note } of CLIENTS) {
      const words = note ? h("p.weak", note) : null
      replace(tabs.panel(name), copyable(lines(server), "Copy", `Code for ${label}`), words)
    }
    tabs.show(this.#shown)
    replace(this.element,
      h("h2", "No pushes yet"),
      h("p.weak", "Connect a provider to this server. Each push appears here as it arrives."),
      h("div.buttons", actions.button(
        "Send test push",
        () => new Call("POST", "/pushes/send", {}),
        { kind: "primary", iconName: "send" }
      )),
      server.note ? h("p.warn", server.note) : null,
      h("dl.server-facts", FACTS.map(([name, value]) => h("div",
        h("dt", name),
        h("dd", h("code", value(server) ?? "—"))))),
      tabs.element)
  }

  /// The address for pushes to the selected namespace, and the key to sign them with.
  async #server() {
    const { info } = api
    let listeners = info.listeners
    let note = null
    if (api.namespace !== "default") {
      const own = await api.get(`/namespaces/${encodeURIComponent(api.namespace)}`).catch(() => null)
      if (own?.listeners?.length) listeners = own.listeners
      else note = "This namespace has no separate port. It receives pushes to device tokens that are registered in it."
    }
    const listener = listeners.find(({ secure }) => secure) ?? listeners[0]
    const url = listener ? new URL(listener.url) : null
    const isAny = url && ["0.0.0.0", "[::]"].includes(url.hostname)
    const known = await api.get("/devices", { limit: 1 }).catch(() => null)
    const registration = known?.devices[0]?.registrations.find((one) => one.state === "registered")
    return {
      note,
      host: isAny ? location.hostname : url?.hostname ?? "—",
      port: url?.port || "443",
      caFile: info.caFile,
      ca: info.caFile ?? "ca.pem",
      keyFile: info.developmentKey?.path ?? "AuthKey.p8",
      keyId: info.developmentKey?.keyId ?? "KEYID",
      teamId: info.developmentKey?.teamId ?? "TEAMID",
      topic: registration?.topic ?? TOPIC,
      token: registration?.token ?? TOKEN,
    }
  }
}
