// The dialog that lists and uploads strings tables.

import { actions, openDialog, toasts } from "../core/actions.js"
import { api, Call } from "../core/api.js"
import { counted, h, plain, problemNote, replace } from "../core/elements.js"

const SAMPLE = `"ORDER_TITLE" = "Your order";
"ORDER_SHIPPED" = "Order %1$@ is on its way, %2$@.";`

/// Opens the dialog. `onChange` is called after a change.
export function openStrings(preview, onChange) {
  const list = h("ul.tables")
  const topic = h("input", { value: preview.app.bundleId, required: true, spellcheck: "false" })
  const language = h("input", { value: preview.language ?? "en", required: true, spellcheck: "false", size: 8 })
  const text = h("textarea", { rows: 8, spellcheck: "false", placeholder: SAMPLE })
  const file = h("input", {
    type: "file",
    accept: ".strings,.json,text/plain,application/json",
    onchange: async () => {
      if (file.files[0]) text.value = await readText(file.files[0])
      const folder = /([A-Za-z-]+)\.lproj/.exec(file.files[0]?.webkitRelativePath ?? "")
      if (folder) language.value = folder[1]
    },
  })
  const refresh = () => loadTables(list, () => {
    refresh()
    onChange()
  })
  const upload = actions.button("Upload", () => uploadCall(topic, language, text), {
    kind: "primary",
    onDone: (table) => {
      toasts.show(`Uploaded ${counted(table.count, "string")} for ${table.topic} (${table.language}).`)
      text.value = ""
      refresh()
      onChange()
    },
  })
  openDialog("Strings tables",
    h("p", "Payloads can refer to the app's localized strings by key (loc-key). "
      + "Tables added here are used only for previews."),
    list,
    h("div.strings-names", h("label.field", "App or topic", topic), h("label.field", "Language", language)),
    h("label.field", "File (.strings, or a JSON object of keys and strings)", file),
    h("label.field", "Or paste its content", text),
    h("div.dialog-buttons", upload))
  refresh()
}

/// The call that uploads the form; `null` if a field is empty or the JSON is invalid.
function uploadCall(topic, language, text) {
  const missing = [topic, language, text].find((field) => field.value.trim() === "")
  for (const field of [topic, language, text]) field.toggleAttribute("aria-invalid", false)
  if (missing) {
    missing.setAttribute("aria-invalid", "true")
    missing.focus()
    return null
  }
  const path = `/strings/${encodeURIComponent(topic.value.trim())}/${encodeURIComponent(language.value.trim())}`
  if (!text.value.trimStart().startsWith("{")) return new Call("PUT", path, text.value, {}, "text/plain")
  try {
    return new Call("PUT", path, JSON.parse(text.value))
  } catch (error) {
    toasts.show(`Invalid JSON: ${error.message}`, { isProblem: true })
    return null
  }
}

async function loadTables(list, onRemoved) {
  try {
    const { tables } = await api.get("/strings")
    replace(list, tables.map(({ topic, language, count }) => h("li",
      h("span.foreign", h("strong", plain(topic, 120)), ` ${plain(language, 40)}`),
      h("span.weak", counted(count, "string")),
      actions.button("Delete", () => {
        return new Call("DELETE", `/strings/${encodeURIComponent(topic)}/${encodeURIComponent(language)}`)
      }, { kind: "small danger", onDone: onRemoved }))))
  } catch (error) {
    replace(list, h("li", problemNote(error)))
  }
}

/// The text of a file. Xcode writes UTF-8, older files are UTF-16 with a byte order mark.
async function readText(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isUTF16 = bytes[0] === 0xff && bytes[1] === 0xfe || bytes[0] === 0xfe && bytes[1] === 0xff
  return new TextDecoder(isUTF16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(bytes)
}
