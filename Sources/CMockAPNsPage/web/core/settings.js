// The form for the server's settings, with the choices from the OpenAPI document.

import { openDialog } from "./actions.js"
import { Call } from "./api.js"
import { h, replace } from "./dom.js"

/// Opens the form. Only changed settings are sent.
export async function openSettings(app) {
  const form = h("form", { class: "settings" }, h("p", { class: "weak" }, "Loading settings…"))
  openDialog("Settings", form)
  try {
    const [settings, schemas] = await Promise.all([app.api.get("/settings"), choices(app)])
    fillForm(app, form, settings, schemas)
  } catch (error) {
    replace(form, h("p", { class: "bad", role: "alert" }, error.text ?? error.message))
  }
}

/// The schema of each setting, by name.
async function choices(app) {
  const { components } = await app.api.get("/openapi.json")
  return components.schemas.Settings.properties
}

function fillForm(app, form, settings, schemas) {
  const fields = Object.entries(settings).map(([name, value]) => new Field(name, value, schemas[name] ?? {}))
  const save = app.actions.button("Save", () => {
    const changed = fields.filter((field) => field.isChanged)
    const body = Object.fromEntries(changed.map((field) => [field.name, field.value]))
    if (Object.keys(body).length) return new Call("PATCH", "/settings", body)
    app.toasts.show("No settings changed.")
    return null
  }, {
    kind: "primary",
    onDone: (answer) => {
      app.toasts.show("Settings saved.")
      fillForm(app, form, answer, schemas)
      form.querySelector("button.primary").focus()
    },
  })
  form.onsubmit = (event) => event.preventDefault()
  replace(
    form,
    h("p", { class: "weak" },
      "Applies immediately. Reset restores startup values. ",
      h("a", { href: "/docs", target: "_blank" }, "What each setting does")),
    h("div", { class: "settings-fields" }, fields.map((field) => field.element)),
    h("div", { class: "dialog-buttons" }, save)
  )
}

/// One setting: a switch, a menu, a number or a text. An empty field is `null` if the setting may be `null`.
class Field {
  #was
  #control
  #types

  constructor(name, value, schema) {
    this.name = name
    this.#types = [schema.type].flat()
    const id = `setting-${name}`
    if (typeof value === "boolean") {
      this.#control = h("input", { type: "checkbox", class: "switch", id, role: "switch" })
      this.#control.checked = value
    } else if (schema.enum) {
      this.#control = h("select", { id }, schema.enum.map((choice) => h("option", { value: choice }, choice)))
      this.#control.value = value
    } else {
      const isNumber = this.#types.includes("integer")
      const placeholder = this.#types.includes("null") ? "none" : null
      const type = isNumber ? "number" : "text"
      this.#control = h("input", { type, id, value: value ?? "", placeholder, spellcheck: "false" })
    }
    this.#was = value
    this.element = h("div", { class: "setting" }, h("label", { for: id }, inWords(name)), this.#control)
  }

  get value() {
    if (this.#control.type === "checkbox") return this.#control.checked
    const text = this.#control.value
    if (text === "" && this.#types.includes("null")) return null
    return this.#control.type === "number" ? Number(text) : text
  }

  get isChanged() { return this.value !== this.#was }
}

/// The label of a setting: `Unknown tokens`.
function inWords(name) {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return (words[0].toUpperCase() + words.slice(1)).replace(/\b(json|id)\b/g, (word) => word.toUpperCase())
}
