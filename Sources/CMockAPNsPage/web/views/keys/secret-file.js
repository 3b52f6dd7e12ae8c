// The dialog with a new private key, which is shown only once.

import { openDialog } from "../../core/actions.js"
import { h } from "../../core/dom.js"

/// Opens the dialog. `secret` is the part with the secret, `href` the address of the file to download.
export function openSecretFile(title, { intro, secret, facts, href, fileName }) {
  openDialog(title,
    h("p", intro),
    secret,
    h("dl.fact-list", facts),
    h("div.dialog-buttons", h("a.button.primary", { href, download: fileName }, `Download ${fileName}`)))
}
