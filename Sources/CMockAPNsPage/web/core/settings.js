// The form for the server's settings, with the choices, descriptions and defaults from the OpenAPI document.

import { toasts } from "./actions.js"
import { api, Call } from "./api.js"
import { chip, h, replace } from "./elements.js"
import { formDialog } from "./form-dialog.js"
import { Fields } from "./forms.js"

/// The groups of settings. Settings without a group are shown last.
const GROUPS = [
  ["Requests", ["strict", "invalidJson", "backgroundPriority", "pushTypeMismatch", "apnsIdCase", "errorContentType",
    "errorLimit"]],
  ["Devices", ["unknownTokens", "deviceRate", "uninstallDetection", "inactiveAfter", "answerTokens"]],
  ["Provider tokens and certificates", ["auth", "providerTokenLifetime", "providerTokenMinInterval",
    "tokenUpdateScope", "futureToken", "otherTeam", "environmentReason", "tokenSubject", "textIat", "tokenEs512",
    "badCertificate"]],
  ["Binary interface", ["gatewayUnregistered"]],
]

/// Opens the form. Only changed settings are sent.
export async function openSettings() {
  try {
    const [settings, { components }] = await Promise.all([api.get("/settings"), api.get("/openapi.json")])
    const schemas = components.schemas.Settings.properties
    const all = Object.entries(settings).map(([name, value]) => new Setting(name, value, schemas[name] ?? {}))
    const fields = {
      element: h("div.settings", groupsOf(all)),
      complain: (errors) => all.reduce((left, setting) => setting.fields.complain(left), errors),
      focus: () => {},
    }
    formDialog({
      title: "Settings",
      intro: [
        "Applies immediately, in this namespace. Reset restores startup values. ",
        h("a", { href: "/docs#schema-Settings", target: "_blank" }, "API reference"),
      ],
      fields,
      button: "Save",
      wide: true,
      makeCall: () => {
        const changes = Object.assign({}, ...all.map((setting) => setting.fields.value))
        return Object.keys(changes).length ? new Call("PATCH", "/settings", changes) : null
      },
      onDone: () => toasts.show("Settings saved."),
    })
  } catch (error) {
    toasts.problem(error)
  }
}

function groupsOf(settings) {
  const grouped = GROUPS.flatMap(([, names]) => names)
  const other = settings.map(({ name }) => name).filter((name) => !grouped.includes(name))
  return [...GROUPS, ["Other", other]].filter(([, names]) => names.length).map(([title, names]) => h(
    "fieldset.form-group",
    h("legend", title),
    names.map((name) => settings.find((setting) => setting.name === name)?.element)
  ))
}

/// One setting: its field, and a mark with a button if its value is not the default.
class Setting {
  #value
  #schema
  #field = h("div")
  #mark = h("div.setting-mark")

  constructor(name, value, schema) {
    this.name = name
    this.#value = value
    this.#schema = schema
    this.element = h("div.setting-field", { oninput: () => this.#showMark() }, this.#field, this.#mark)
    this.#show(value)
  }

  /// The current value is the fallback, which is not sent.
  #show(value) {
    this.fields = new Fields([fieldOf(this.name, this.#value, this.#schema)], { [this.name]: value })
    replace(this.#field, this.fields.element)
    this.#showMark()
  }

  #showMark() {
    const { [this.name]: value = this.#value } = this.fields.value
    const standard = this.#schema.default
    const isChanged = standard !== undefined && value !== standard
    this.#mark.hidden = !isChanged
    if (!isChanged || this.#mark.firstChild) return
    const onclick = () => {
      this.#show(standard)
      this.fields.focus()
    }
    replace(this.#mark, chip("Changed", "wait"), h("button.small", { type: "button", onclick,
      "aria-label": `Reset ${labelOf(this.name)} to default` }, "Reset to default"))
  }
}

function fieldOf(name, value, schema) {
  const types = [schema.type].flat()
  const isNullable = types.includes("null")
  const standard = { true: "on", false: "off", null: "none" }[schema.default] ?? schema.default
  const text = [schema.description, standard === undefined ? null : `Default: ${standard}.`].filter(Boolean).join(" ")
  const label = labelOf(name)
  const href = schema.externalDocs?.url
  const hint = [text, " ",
    href && h("a", { href, target: "_blank", "aria-label": `What APNs does: ${label}` }, "What APNs does")]
  const field = { name, label, hint, fallback: value, isNullable }
  if (typeof value === "boolean") return { ...field, kind: "check" }
  if (schema.enum) return { ...field, kind: "select", options: schema.enum.map((choice) => [choice, choice]) }
  return { ...field, kind: types.includes("integer") ? "number" : "text", placeholder: isNullable ? "none" : null }
}

/// The label of a setting: `Unknown tokens`.
function labelOf(name) {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const spelled = { apns: "APNs", es512: "ES512", id: "ID", json: "JSON" }
  return (words[0].toUpperCase() + words.slice(1)).replace(/\w+/g, (word) => spelled[word.toLowerCase()] ?? word)
}
