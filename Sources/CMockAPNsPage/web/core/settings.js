// The form for the server's settings, with the choices from the OpenAPI document.

import { Call } from "./api.js"
import { h } from "./dom.js"
import { formDialog } from "./form-dialog.js"
import { Fields } from "./forms.js"

/// Opens the form. Only changed settings are sent.
export async function openSettings(app) {
  try {
    const [settings, { components }] = await Promise.all([app.api.get("/settings"), app.api.get("/openapi.json")])
    const schemas = components.schemas.Settings.properties
    const fields = new Fields(Object.entries(settings).map(([name, value]) => fieldOf(name, value, schemas[name] ?? {})))
    formDialog(app, {
      title: "Settings",
      intro: [
        "Applies immediately. Reset restores startup values. ",
        h("a", { href: "/docs", target: "_blank" }, "What each setting does"),
      ],
      fields,
      button: "Save",
      makeCall: () => (Object.keys(fields.value).length ? new Call("PATCH", "/settings", fields.value) : null),
      onDone: () => app.toasts.show("Settings saved."),
    })
  } catch (error) {
    app.toasts.problem(error)
  }
}

/// The field of a setting. Its current value is the fallback, which is not sent.
function fieldOf(name, value, schema) {
  const types = [schema.type].flat()
  const field = { name, label: labelOf(name), fallback: value, isNullable: types.includes("null") }
  if (typeof value === "boolean") return { ...field, kind: "check" }
  if (schema.enum) return { ...field, kind: "select", options: schema.enum.map((choice) => [choice, choice]) }
  return { ...field, kind: types.includes("integer") ? "number" : "text", placeholder: field.isNullable ? "none" : null }
}

/// The label of a setting: `Unknown tokens`.
function labelOf(name) {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return (words[0].toUpperCase() + words.slice(1)).replace(/\b(json|id)\b/g, (word) => word.toUpperCase())
}
