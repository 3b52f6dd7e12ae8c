// The namespace menu: select, create and delete namespaces.

import { openDialog } from "./actions.js"
import { Call } from "./api.js"
import { h, replace } from "./dom.js"
import { icon } from "./icons.js"
import { Popover } from "./popover.js"
import { count } from "./time.js"

export class NamespaceSwitch {
  #app
  #name = h("span", { class: "one-line" }, "default")
  #popover

  constructor(app) {
    this.#app = app
    const button = h("button", { class: "quiet tool namespace" },
      h("span", { class: "weak" }, "ns"), this.#name, icon("down"))
    this.#popover = new Popover(button, "Namespaces", () => this.#panel())
    this.element = h("div", {}, button, this.#popover.panel)
  }

  begin() {
    const name = this.#app.api.namespace
    replace(this.#name, name)
    this.#popover.button.setAttribute("aria-label", `Namespace ${name}`)
  }

  #panel() {
    const list = h("ul", { class: "namespaces" }, h("li", { class: "weak" }, "Loading…"))
    this.#read(list)
    return [
      h("p", { class: "weak" }, "Each namespace has its own pushes, devices, keys, faults and clock."),
      list,
      h("div", { class: "buttons" },
        h("button", { class: "small", onclick: () => this.#make() }, icon("add"), "New namespace…")),
    ]
  }

  async #read(list) {
    try {
      const { namespaces } = await this.#app.api.get("/namespaces")
      replace(list, namespaces.map((namespace) => this.#row(namespace)))
    } catch (error) {
      replace(list, h("li", { class: "bad" }, error.text ?? error.message))
    }
  }

  #row({ name, pushes, apns }) {
    const isShown = name === this.#app.api.namespace
    return h(
      "li",
      {},
      h(
        "a",
        { href: addressOf(name), "aria-current": isShown ? "true" : null, onclick: () => this.#popover.close() },
        h("span", { class: "one-line" }, name),
        h("span", { class: "weak" }, `${count(pushes)} ${pushes === 1 ? "push" : "pushes"}`),
        h("span", { class: "weak mono one-line" }, apns ? new URL(apns).host : "no separate port")
      ),
      name === "default" ? null : this.#app.actions.button(
        "",
        () => new Call("DELETE", `/namespaces/${encodeURIComponent(name)}`),
        {
          kind: "quiet small",
          iconName: "trash",
          title: `Delete ${name}`,
          ask: {
            title: "Delete the namespace?",
            text: `This deletes ${name}, its port and everything in it.`,
            button: "Delete",
          },
          onDone: () => {
            this.#app.toasts.show(`Deleted ${name}.`)
            if (isShown) this.#app.router.go(addressOf("default"))
          },
        }
      )
    )
  }

  #make() {
    this.#popover.close()
    const plain = { autocomplete: "off", spellcheck: "false" }
    const name = h("input", { id: "namespace-name", placeholder: "t-42", ...plain })
    const listener = h("input", { type: "checkbox", class: "switch", role: "switch", id: "namespace-listener" })
    const ttl = h("input", { id: "namespace-ttl", placeholder: "never", ...plain })
    listener.checked = true
    const make = this.#app.actions.button("Create", () => new Call("POST", "/namespaces", {
      name: name.value.trim(),
      listener: listener.checked,
      ttl: ttl.value.trim() || null,
    }), {
      kind: "primary",
      onDone: (answer) => {
        dialog.close()
        const { apns } = answer
        const address = apns ? ` It receives pushes at ${apns}.` : ""
        this.#app.toasts.show(`Created ${answer.name}.${address}`)
        this.#app.router.go(addressOf(answer.name))
      },
    })
    const form = h(
      "form",
      {
        class: "settings",
        onsubmit: (event) => event.preventDefault(),
      },
      h("div", { class: "settings-fields" },
        h("div", { class: "setting" }, h("label", { for: "namespace-name" }, "Name"), name),
        h("div", { class: "setting" }, h("label", { for: "namespace-listener" }, "Separate port"), listener),
        h("div", { class: "setting" },
          h("label", { for: "namespace-ttl" }, "Delete when unused for (10m, 1h)"), ttl)),
      h("div", { class: "dialog-buttons" }, make)
    )
    const dialog = openDialog("New namespace", form)
    name.focus()
  }
}

/// The path of a namespace's list of pushes.
function addressOf(name) {
  return name === "default" ? "/" : `/?ns=${encodeURIComponent(name)}`
}
