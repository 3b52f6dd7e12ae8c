// The dialog with a new private key, which is shown only once.

import { openDialog } from "../../core/actions.js"
import { facts, h } from "../../core/elements.js"

/// Opens the dialog. `secret` is the part with the secret, `rows` are facts about it, and `href` is the address of
/// the file to download.
export function openSecretFile(title, { intro, secret, rows, href, fileName }) {
  openDialog(title,
    h("p", intro),
    secret,
    facts(rows),
    h("div.form-foot",
      h("div.dialog-buttons", h("a.button.primary", { href, download: fileName }, `Download ${fileName}`))))
}
