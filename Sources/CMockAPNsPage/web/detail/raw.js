// The tab with the body's bytes, downloads, and the command that resends the push.

import { api, block, copyable, copyButton, h, icon, part, showLoaded } from "../core/core.js"
import { bodyOf, dump, sizeOf, whyNoBytes } from "./body.js"

export function rawTab(record) {
  const body = bodyOf(record)
  const path = `/pushes/${encodeURIComponent(record.id)}`
  const file = (label, name) => {
    return h("a.button.small", { href: api.url(`${path}/${name}`), download: true }, icon("download"), label)
  }
  const json = { href: api.url(path), target: "_blank", rel: "noopener" }
  const curl = h("div")
  showLoaded(curl, () => api.text(`${path}/curl`), (command) => {
    return copyable(command.trim(), "Copy command", "Resend command")
  })
  return h("div.raw-tab",
    part("Body",
      h("div.bar", sizeOf(body), body.isWhole ? copyButton(body.text, "Copy body") : null),
      whyNoBytes(body) ?? block(dump(body.bytes), "Body", "hex")),
    part("Files",
      h("div.bar",
        h("a.button.small", json, icon("terminal"), "Record as JSON"),
        body.isWhole ? [file("Body", "raw"), file("Simulator (.apns)", "simctl.apns")] : null)),
    part("Resend with curl", curl))
}
