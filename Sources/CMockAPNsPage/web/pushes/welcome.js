// What stands where no push has come yet: how to send the first one.

import { copyable } from "../core/actions.js"
import { Call } from "../core/api.js"
import { h, replace } from "../core/dom.js"
import { Tabs } from "../core/tabs.js"
import { CLIENTS } from "./snippets.js"

/// What a provider needs to know; one row each.
const FACTS = [
  ["Host and port", (server) => `${server.host}:${server.port}`],
  ["Certificate to trust", (server) => server.caFile ?? "what issued the server's own (--tls-cert)"],
  ["Key file", (server) => server.keyFile],
  ["Key id", (server) => server.keyId],
  ["Team id", (server) => server.teamId],
]

/// A topic and a token that need nobody's consent: an unknown token is a new phone.
const TOPIC = "com.example.app"
const TOKEN = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

export class Welcome {
  element = h("div", { class: "welcome" })
  #app
  #shown = CLIENTS[0].name

  constructor(app) { this.#app = app }

  /// Shows it, with what the server says of itself now.
  async show() {
    const server = await this.#server()
    const tabs = new Tabs("Client libraries", CLIENTS.map(({ name, label }) => ({ name, label })), (name) => {
      this.#shown = name
      tabs.show(name)
    })
    for (const { name, label, lines, note } of CLIENTS) {
      const words = note ? h("p", { class: "weak" }, note) : null
      replace(tabs.panel(name), copyable(lines(server), "Copy", `Lines for ${label}`), words)
    }
    tabs.show(this.#shown)
    replace(
      this.element,
      h("h2", {}, "No pushes yet"),
      h("p", { class: "weak" }, "Point a provider here, and every push shows up on this page as it comes."),
      h("div", { class: "buttons" }, this.#app.actions.button(
        "Send test push",
        () => new Call("POST", "/pushes/send", {}),
        { kind: "primary", iconName: "send" }
      )),
      server.note ? h("p", { class: "warn" }, server.note) : null,
      h("dl", { class: "server-facts" }, FACTS.map(([name, value]) => h(
        "div",
        {},
        h("dt", {}, name),
        h("dd", {}, h("code", {}, value(server) ?? "—"))
      ))),
      tabs.element
    )
  }

  /// Where pushes to the namespace that is shown go, and what they have to be signed with.
  async #server() {
    const { info, api } = this.#app
    let listeners = info.listeners
    let note = null
    if (api.namespace !== "default") {
      const own = await api.get(`/namespaces/${encodeURIComponent(api.namespace)}`).catch(() => null)
      if (own?.listeners?.length) listeners = own.listeners
      else note = "This namespace has no port of its own: it gets pushes to device tokens that are registered here."
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
