// What stands where no push has come yet: how to send the first one.

import { copyable } from "../core/actions.js"
import { Call } from "../core/api.js"
import { h, replace } from "../core/dom.js"
import { CLIENTS } from "./snippets.js"

/// What a provider needs to know; one row each.
const FACTS = [
  ["Host and port", (server) => `${server.host}:${server.port}`],
  ["Certificate to trust", (server) => server.ca],
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
  #shown = CLIENTS[0]

  constructor(app) { this.#app = app }

  /// Shows it, with what the server says of itself now.
  async show() {
    const server = await this.#server()
    const tabs = CLIENTS.map((client) => this.#tab(client))
    this.#snippet = h("div", { role: "tabpanel", id: "snippet", tabindex: "0" })
    replace(
      this.element,
      h("h2", {}, "No push has arrived yet"),
      h("p", { class: "weak" }, "Point a provider here, and every push shows up on this page as it comes."),
      h("div", { class: "buttons" }, this.#app.actions.button(
        "Send test push",
        () => new Call("POST", "/pushes/send", {}),
        { kind: "primary", iconName: "send" }
      )),
      server.note ? h("p", { class: "warn" }, server.note) : null,
      h("dl", { class: "facts" }, FACTS.map(([name, value]) => h(
        "div",
        {},
        h("dt", {}, name),
        h("dd", {}, h("code", {}, value(server) ?? "—"))
      ))),
      h("div", { class: "tabs", role: "tablist", "aria-label": "Client libraries", onkeydown: (event) => this.#move(event, tabs) }, tabs),
      this.#snippet
    )
    this.#choose(this.#shown, tabs, server)
    for (const [index, tab] of tabs.entries()) tab.onclick = () => this.#choose(CLIENTS[index], tabs, server)
  }

  #snippet

  /// Where pushes to the namespace that is shown go, and what they have to be signed with.
  async #server() {
    const { info, api } = this.#app
    let listeners = info.listeners
    let note = null
    if (api.namespace !== "default") {
      const own = await api.get(`/namespaces/${encodeURIComponent(api.namespace)}`).catch(() => null)
      if (own?.listeners?.length) listeners = own.listeners
      else note = "This namespace has no port of its own: pushes come here when their device token is registered here."
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
      ca: info.caFile,
      keyFile: info.developmentKey?.path ?? "AuthKey.p8",
      keyId: info.developmentKey?.keyId ?? "KEYID",
      teamId: info.developmentKey?.teamId ?? "TEAMID",
      topic: registration?.topic ?? TOPIC,
      token: registration?.token ?? TOKEN,
    }
  }

  #tab(client) {
    return h("button", { role: "tab", id: `client-${CLIENTS.indexOf(client)}`, "aria-controls": "snippet" }, client.name)
  }

  #choose(client, tabs, server) {
    this.#shown = client
    for (const [index, tab] of tabs.entries()) {
      const isShown = CLIENTS[index] === client
      tab.setAttribute("aria-selected", String(isShown))
      tab.tabIndex = isShown ? 0 : -1
      if (isShown) this.#snippet.setAttribute("aria-labelledby", tab.id)
    }
    replace(this.#snippet, copyable(client.lines(server)), client.note ? h("p", { class: "weak" }, client.note) : null)
  }

  #move(event, tabs) {
    const steps = { ArrowRight: 1, ArrowLeft: -1 }
    if (!(event.key in steps)) return
    event.preventDefault()
    const next = tabs[(tabs.indexOf(document.activeElement) + steps[event.key] + tabs.length) % tabs.length]
    next.focus()
    next.click()
  }
}
