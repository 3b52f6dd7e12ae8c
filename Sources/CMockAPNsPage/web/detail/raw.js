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
  #choice = new Choice("Body format", FORMS, (name) => {
    router.go(router.here({ form: name === "utf8" ? null : name }), { instead: true })
  })
  element = h("div.raw-tab")
  #curl = h("div")
  #id = null

  show(record, { form }) {
    const body = bodyOf(record)
    const { bytes, text, isWhole } = body
    const path = `/pushes/${encodeURIComponent(record.id)}`
    const file = (label, part) => {
      return h("a.button.small", { href: api.url(`${path}/${part}`), download: true }, icon("download"), label)
    }
    const isHex = form === "hex"
    this.#choice.value = isHex ? "hex" : "utf8"
    replace(this.element,
      part("Body",
        h("div.bar", this.#choice.element, sizeOf(body), isWhole ? copyButton(text, "Copy body") : null),
        whyNoBytes(body) ?? (isHex ? block(dump(bytes), "Body", "hex") : block(plainLines(text), "Body"))),
      part("Files",
        h("div.bar",
          h("a.button.small", { href: api.url(path), target: "_blank", rel: "noopener" }, icon("terminal"), "Record as JSON"),
          isWhole ? file("Body", "raw") : null,
          isWhole ? file("Simulator (.apns)", "simctl.apns") : null)),
      part("Resend with curl", this.#curl))
    if (this.#id !== record.id) this.#loadCurl(record.id, path)
  }

  async #loadCurl(id, path) {
    this.#id = id
    replace(this.#curl)
    try {
      const command = await api.text(`${path}/curl`)
      if (this.#id === id) replace(this.#curl, copyable(command.trim(), "Copy command", "Resend command"))
    } catch (error) {
      if (this.#id === id) replace(this.#curl, problemNote(error))
    }
  }
}
