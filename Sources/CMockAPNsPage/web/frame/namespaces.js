// The namespace menu: select, create and delete namespaces.

import {
  actions, api, Call, formDialog, h, icon, Popover, pushCount, replace, router, showLoaded, toasts,
} from "../core/core.js"

const NAMESPACE = [
  { name: "name", label: "Name", kind: "text", placeholder: "t-42", isRequired: true },
  { name: "listener", label: "Separate port", kind: "check" },
  { name: "ttl", label: "Delete when unused for", kind: "text", placeholder: "never", hint: "10m, 1h, 2d" },
]

export class NamespaceSwitch {
  #name = h("span.one-line", "default")
  #popover

  constructor() {
    const button = h("button.quiet.tool.namespace", h("span.weak", "ns"), this.#name, icon("down"))
    this.#popover = new Popover(button, "Namespaces", () => this.#panel())
    this.element = h("div", button, this.#popover.panel)
  }

  begin() {
    const name = api.namespace
    replace(this.#name, name)
    this.#popover.button.setAttribute("aria-label", `Namespace ${name}`)
  }

  #panel() {
    const list = h("div", h("p.weak", "Loading…"))
    showLoaded(list, () => api.get("/namespaces"), ({ namespaces }) =>
      h("ul.namespaces", namespaces.map((one) => this.#row(one))))
    return [
      h("p.weak", "Each namespace has its own pushes, devices, keys, faults and clock."),
      list,
      h("div.buttons", h("button.small", { onclick: () => this.#make() }, icon("add"), "New namespace…")),
    ]
  }

  #row({ name, pushes, apns }) {
    const isShown = name === api.namespace
    const makeCall = () => new Call("DELETE", `/namespaces/${encodeURIComponent(name)}`)
    return h("li",
      h("a", { href: addressOf(name), "aria-current": isShown ? "true" : null, onclick: () => this.#popover.close() },
        h("span.one-line", name),
        h("span.weak", pushCount(pushes)),
        h("span.weak.mono.one-line", apns ? new URL(apns).host : "no separate port")),
      name === "default" ? null : actions.button("", makeCall, {
        kind: "quiet small",
        iconName: "trash",
        title: `Delete ${name}`,
        ask: {
          title: "Delete the namespace?",
          text: `This deletes ${name}, its port and everything in it.`,
          button: "Delete",
        },
        onDone: () => {
          toasts.show(`Deleted ${name}.`)
          if (isShown) router.go(addressOf("default"))
        },
      }))
  }

  #make() {
    formDialog({
      title: "New namespace",
      fields: NAMESPACE,
      value: { listener: true },
      button: "Create",
      makeCall: (value) => new Call("POST", "/namespaces", value),
      onDone: ({ name, apns }) => {
        toasts.show(`Created ${name}.${apns ? ` It receives pushes at ${apns}.` : ""}`)
        router.go(addressOf(name))
      },
    })
  }
}

/// The path of a namespace's list of pushes.
function addressOf(name) {
  return name === "default" ? "/" : `/?ns=${encodeURIComponent(name)}`
}
