// The form for the server's settings, with the choices, descriptions and defaults from the OpenAPI document.

import { api, Call, chip, Fields, formDialog, h, replace, toasts } from "../core/core.js"

/// The groups of settings. Settings without a group are shown last.
const GROUPS = [
  ["Requests", ["strict", "invalidJson", "backgroundPriority", "pushTypeMismatch", "apnsIdCase", "errorContentType",
    "errorLimit"]],
  ["Devices", ["unknownTokens", "deviceRate", "channelRate", "uninstallDetection", "uninstallDelay",
    "uninstallSeed", "inactiveAfter", "answerTokens"]],
  ["Provider tokens and certificates", ["auth", "providerTokenLifetime", "providerTokenMinInterval",
    "tokenUpdateScope", "tokenUpdateCount", "tokenUpdateBlock", "tokenBase64", "futureToken",
    "otherTeam", "environmentReason", "tokenSubject", "tokenEs512", "badCertificate"]],
  ["Binary interface", ["gatewayUnregistered"]],
]

/// Opens the form. Only changed settings are sent.
export async function openSettings() {
  try {
    const [settings, { components }] = await Promise.all([api.get("/settings"), api.get("/openapi.json")])
    const fields = new Fields(groupsOf(settings, components.schemas.Settings.properties), settings)
    fields.element.classList.add("settings")
    for (const { inner } of fields.parts) for (const field of inner.parts) field.element.append(changedMark(field))
    formDialog({
      title: "Settings",
      intro: [
        "Applies immediately, in this namespace. Reset restores startup values. ",
        h("a", { href: "/docs#schema-Settings", target: "_blank" }, "API reference"),
      ],
      fields,
      button: "Save",
      wide: true,
      makeCall: (changes) => (Object.keys(changes).length ? new Call("PATCH", "/settings", changes) : null),
      onDone: () => toasts.show("Settings saved."),
    })
  } catch (error) {
    toasts.problem(error)
  }
}

function groupsOf(settings, schemas) {
  const grouped = GROUPS.flatMap(([, names]) => names)
  const other = Object.keys(settings).filter((name) => !grouped.includes(name))
  return [...GROUPS, ["Other", other]].filter(([, names]) => names.length).map(([label, names]) => ({
    kind: "group", label, fields: names.map((name) => fieldOf(name, settings[name], schemas[name])),
  }))
}

/// The mark of a setting that is not its default, with a button that resets it.
function changedMark(field) {
  const { label, standard, fallback } = field.row
  const onclick = () => {
    field.show(standard)
    draw()
    field.focus()
  }
  const button = { type: "button", onclick, "aria-label": `Reset ${label} to default` }
  const mark = h("div.setting-mark")
  const content = [chip("Changed", "wait"), h("button.small", button, "Reset to default")]
  const draw = () => {
    const { value = fallback } = field
    const isChanged = standard !== undefined && value !== standard
    if (isChanged !== mark.hasChildNodes()) replace(mark, isChanged ? content : null)
  }
  field.element.addEventListener("input", draw)
  draw()
  return mark
}

/// The field of a setting. The current value is the fallback, which is not sent.
function fieldOf(name, value, schema) {
  const types = [schema.type].flat()
  const isNullable = types.includes("null")
  const standard = { true: "on", false: "off", null: "none" }[schema.default] ?? schema.default
  const text = [schema.description, standard === undefined ? null : `Default: ${standard}.`].filter(Boolean).join(" ")
  const label = labelOf(name)
  const href = schema.externalDocs?.url
  const hint = [text, " ",
    href && h("a", { href, target: "_blank", "aria-label": `What APNs does: ${label}` }, "What APNs does")]
  const field = { name, label, hint, fallback: value, standard: schema.default, isNullable }
  if (typeof value === "boolean") return { ...field, kind: "check" }
  if (schema.enum) return { ...field, kind: "select", options: schema.enum.map((choice) => [choice, choice]) }
  const isNumber = types.includes("integer") || types.includes("number")
  return { ...field, kind: isNumber ? "number" : "text", placeholder: isNullable ? "none" : null }
}

/// The label of a setting: `Unknown tokens`.
function labelOf(name) {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const spelled = { apns: "APNs", es512: "ES512", id: "ID", json: "JSON" }
  return (words[0].toUpperCase() + words.slice(1)).replace(/\w+/g, (word) => spelled[word.toLowerCase()] ?? word)
}
