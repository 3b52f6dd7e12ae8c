// The banner that shows on every view that pushes leave this server.

import { h, icon, plain, replace } from "../core/core.js"

export class ForwardBanner {
  element = h("div.banner", { role: "status", "aria-label": "Forwarding", hidden: true })

  /// Shows where pushes are forwarded to, by the settings of the server.
  show({ config }) {
    const target = config.forward?.value
    this.element.hidden = !target
    if (!target) return
    const topics = plain(config["forward-topic"]?.value ?? "", 120)
    const namespaces = config["forward-namespaces"]?.value === "true" ? "" : " in the default namespace"
    const answers = config["forward-answer"]?.value === "real" ? ", and clients get its answers" : ""
    const where = plain(target, 80)
    replace(this.element, icon("send"),
      h("span.banner-text", h("strong", "Forwarding: "),
        `pushes of ${topics}${namespaces} also go to ${where}${answers}.`))
  }
}
