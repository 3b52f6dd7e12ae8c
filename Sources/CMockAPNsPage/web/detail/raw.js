// The tab with the body's bytes, downloads, and the command that resends the push.

import { copyable, copyButton } from "../core/actions.js"
import { api } from "../core/api.js"
import { Choice } from "../core/choice.js"
import { block, h, icon, part, plainLines, problemNote, replace } from "../core/elements.js"
import { router } from "../core/router.js"
import { bodyOf, dump, sizeOf, whyNoBytes } from "./body.js"

const FORMS = [
  { name: "utf8", label: "UTF-8" },
  { name: "hex", label: "Hex" },
]

export class RawTab {
  element = h("div.raw-tab")
  #choice = new Choice("Body format", FORMS, (name) => {
    router.go(router.here({ form: name === "utf8" ? null : name }), { instead: true })
  })
  #bytes = h("div")
  #curl = h("div")
  #record = null
  #body = null

  show(record, parameters) {
    this.#choice.value = parameters.form === "hex" ? "hex" : "utf8"
    if (this.#record?.id !== record.id) {
      this.#record = record
      this.#body = bodyOf(record)
      replace(this.element, this.#parts(`/pushes/${encodeURIComponent(record.id)}`))
      this.#loadCurl()
    }
    this.#showBytes()
  }

  #parts(path) {
    const { isWhole, text } = this.#body
    const file = (label, address) => {
      return h("a.button.small", { href: address, download: true }, icon("download"), label)
    }
    const record = { class: "button small", href: api.url(path), target: "_blank", rel: "noopener" }
    return [
      part("Body",
        h("div.bar", this.#choice.element, sizeOf(this.#body), isWhole ? copyButton(text, "Copy body") : null),
        this.#bytes),
      part("Files",
        h("div.bar",
          h("a", record, icon("terminal"), "Record as JSON"),
          isWhole ? file("Body", api.url(`${path}/raw`)) : null,
          isWhole ? file("Simulator (.apns)", api.url(`${path}/simctl.apns`)) : null)),
      part("Resend with curl", this.#curl),
    ]
  }

  #showBytes() {
    const { bytes, text } = this.#body
    const isHex = this.#choice.value === "hex"
    replace(this.#bytes,
      whyNoBytes(this.#body) ?? (isHex ? block(dump(bytes), "Body", "hex") : block(plainLines(text), "Body")))
  }

  async #loadCurl() {
    const { id } = this.#record
    try {
      const command = await api.text(`/pushes/${encodeURIComponent(id)}/curl`)
      const shown = copyable(command.trim(), "Copy command", "Resend command")
      if (this.#record.id === id) replace(this.#curl, shown)
    } catch (error) {
      if (this.#record.id === id) replace(this.#curl, problemNote(error))
    }
  }
}
