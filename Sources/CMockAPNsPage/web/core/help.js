// The help: what the keys do, and where everything else is written.

import { openDialog } from "./actions.js"
import { h } from "./dom.js"
import { KEYS } from "./keyboard.js"

/// Opens the help. `views` are those of the header.
export function openHelp(app, views) {
  const rows = [...KEYS, ...views.map((view) => [`g ${view.key}`, view.label])]
  openDialog(
    "Help",
    h("h3", {}, "Keys"),
    h("dl", { class: "keys" }, rows.map(([key, text]) => h(
      "div",
      {},
      h("dt", {}, key.split(" ").map((one) => [h("kbd", {}, one), " "])),
      h("dd", {}, text)
    ))),
    h("p", { class: "weak" }, "Hold ⌥ (Alt) while you press a button to see its command, or switch on ",
      h("strong", {}, "Show commands"), " in the header."),
    h("h3", {}, "Elsewhere"),
    h("ul", { class: "links" },
      h("li", {}, h("a", { href: "/docs" }, "The API, with every operation")),
      h("li", {}, h("a", { href: "/metrics" }, "Metrics for Prometheus")),
      h("li", {},
        h("a", { href: "/api/v1/ca.pem", download: "mock-apns-ca.pem" }, "The certificate to trust (ca.pem)")),
      h("li", {}, h("a", { href: "/api/v1/openapi.json" }, "The API as OpenAPI 3.1"))),
    app.info
      ? h("p", { class: "weak" },
        `mock-apns ${app.info.version}, process ${app.info.pid}, seed `, h("code", {}, app.info.seed))
      : null
  )
}
