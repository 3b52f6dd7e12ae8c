// The dialog with a new private key, which is shown only once.

import { facts, h, openDialog } from "../../core/core.js"

/// The address of a PEM file.
export function pemAddress(pem) { return `data:application/x-pem-file,${encodeURIComponent(pem)}` }

/// Opens the dialog. `secret` is the part with the secret, `rows` are facts about it, and `href` is the address of
/// the file to download.
export function openSecretFile(title, { secret, rows, href, fileName }) {
  openDialog(title,
    h("p", "Save this file now. The server does not keep the private key and cannot show it again."),
    secret,
    facts(rows),
    h("div.form-foot",
      h("div.dialog-buttons", h("a.button.primary", { href, download: fileName }, `Download ${fileName}`))))
}
