// The saved pushes of the send form: a list that fills in the form, and buttons that save, delete, export and import.

import { actions, api, Call, counted, fileButton, formDialog, h, live, plain, replace, toasts } from "../core/core.js"

const NAME = { name: "name", label: "Name", kind: "text", placeholder: "Order shipped" }

export class SavedPushes {
  #form
  #pushes = new Map()
  #select = h("select.foreign", { "aria-label": "Saved pushes", onchange: () => this.#fillIn() })
  #delete = actions.button("Delete", () => this.#call("DELETE", this.#select.value), {
    kind: "small",
    onDone: () => this.read(),
    ask: {
      title: "Delete saved push?",
      text: "Pushes that were sent stay in the journal.",
      button: "Delete saved push",
    },
  })
  #export = h("a.button.small", { href: api.url("/saved-pushes"), download: "saved-pushes.json" }, "Export")
  element = h("div.saved-pushes",
    this.#select,
    h("button.small", { type: "button", onclick: () => this.#save() }, "Save as…"),
    this.#delete,
    this.#export,
    fileButton("Import…", ".json", (file) => this.#import(file)))

  /// `form` is the form to fill in, and whose push is saved.
  constructor(form) {
    this.#form = form
    this.#show("")
    const heard = ({ detail }) => {
      if (!this.element.isConnected) live.removeEventListener("message", heard)
      else if (detail.type === "saved-pushes.changed") this.read()
    }
    live.addEventListener("message", heard)
  }

  /// Reads the list, and selects a name, or the one that is selected. Shows the error if that fails.
  async read(selected = null) {
    try {
      const { savedPushes } = await api.get("/saved-pushes")
      this.#pushes = new Map(savedPushes.map(({ name, push }) => [name, push]))
      this.#show(selected ?? this.#select.value)
    } catch (error) {
      toasts.problem(error)
    }
  }

  #show(selected) {
    const names = [...this.#pushes.keys()]
    const words = names.length ? "Saved pushes" : "No saved pushes"
    replace(this.#select, h("option", { value: "" }, words),
      names.map((name) => h("option", { value: name }, plain(name, 60))))
    this.#select.value = this.#pushes.has(selected) ? selected : ""
    this.#select.disabled = this.#export.hidden = names.length === 0
    this.#delete.hidden = this.#select.value === ""
  }

  #fillIn() {
    const push = this.#pushes.get(this.#select.value)
    this.#delete.hidden = !push
    if (push) this.#form.show(push)
  }

  #save() {
    formDialog({
      title: "Save push",
      intro: "Saved on the server. A push with the same name is replaced.",
      fields: [NAME],
      value: { name: this.#select.value || undefined },
      button: "Save",
      makeCall: ({ name = "" }) => this.#call("PUT", name, this.#form.value),
      onDone: ({ name }) => this.read(name),
    })
  }

  #import(file) {
    const replaced = counted(this.#pushes.size, "saved push", "saved pushes")
    const text = `The pushes in ${plain(file.name, 80)} replace ${replaced}.`
    actions.run(new Call("PUT", "/saved-pushes", file), {
      ask: this.#pushes.size ? { title: "Replace saved pushes?", text, button: "Replace saved pushes" } : null,
      onDone: ({ savedPushes }) => {
        toasts.show(`Imported ${counted(savedPushes.length, "saved push", "saved pushes")}.`)
        this.read()
      },
    })
  }

  #call(method, name, body) { return new Call(method, `/saved-pushes/${encodeURIComponent(name)}`, body) }
}
