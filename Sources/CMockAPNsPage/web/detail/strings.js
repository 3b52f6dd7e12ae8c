// The dialog that lists and uploads strings tables.

import { actions, api, Call, counted, Fields, formDialog, h, plain, showLoaded, toasts } from "../core/core.js"

const FIELDS = [
  { name: "topic", label: "App or topic", kind: "text", isRequired: true },
  { name: "language", label: "Language", kind: "text", isRequired: true },
  { name: "strings", label: "Strings", kind: "json", rows: 8, isRequired: true,
    hint: "The content of a .strings file, or a JSON object of keys and strings. For a whole app, run "
      + "mock-apns apps strings com.example.app Resources/: it reads .xcstrings, .strings and .stringsdict.",
    placeholder: '"ORDER_TITLE" = "Your order";\n"ORDER_SHIPPED" = "Order %1$@ is on its way, %2$@.";' },
]

/// Opens the dialog. `onChange` is called after a change.
export function openStrings({ app, language }, onChange) {
  const fields = new Fields(FIELDS, { topic: app.bundleId, language: language ?? "en" })
  const list = h("div")
  const file = h("input", {
    type: "file",
    accept: ".strings,.json,text/plain,application/json",
    onchange: async () => {
      if (file.files[0]) fields.element.querySelector("textarea").value = await readText(file.files[0])
    },
  })
  fields.element.prepend(list)
  fields.element.append(h("label.field", "Or read a file", file))
  formDialog({
    title: "Strings tables",
    intro: "Payloads can refer to the app's localized strings by key (loc-key). "
      + "Tables added here are used only for previews.",
    fields,
    button: "Upload",
    makeCall: ({ topic = "", language = "", strings }) => {
      // What is not JSON is a .strings file.
      const type = typeof strings === "string" ? "text/plain" : undefined
      return new Call("PUT", pathOf({ topic, language }), strings, {}, type)
    },
    onDone: ({ count, topic, language }) => {
      toasts.show(`Uploaded ${counted(count, "string")} for ${topic} (${language}).`)
      onChange()
    },
  })
  showTables(list, onChange)
}

function showTables(list, onChange) {
  const onDone = () => {
    showTables(list, onChange)
    onChange()
  }
  showLoaded(list, () => api.get("/strings"), ({ tables }) => (tables.length === 0
    ? h("p.weak", "No strings tables yet: previews and inboxes show keys instead of texts.")
    : h("ul.tables", tables.map((table) => h("li",
    h("span.foreign", h("strong", plain(table.topic, 120)), ` ${plain(table.language, 40)}`),
    h("span.weak", counted(table.count, "string")),
    actions.button("Delete", () => new Call("DELETE", pathOf(table)), { kind: "small danger", onDone }))))))
}

function pathOf({ topic, language }) { return `/strings/${encodeURIComponent(topic)}/${encodeURIComponent(language)}` }

/// The text of a file. Xcode writes UTF-8, older files are UTF-16 with a byte order mark.
async function readText(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const encoding = { "255,254": "utf-16le", "254,255": "utf-16be" }[bytes.subarray(0, 2).join()] ?? "utf-8"
  return new TextDecoder(encoding).decode(bytes)
}
