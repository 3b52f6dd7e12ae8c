// The help dialog: keyboard shortcuts and links.

import { openDialog } from "./actions.js"
import { h } from "./dom.js"
import { KEYS } from "./keyboard.js"

/// Opens the help. `views` are the views of the header.
export function openHelp(app, views) {
  const rows = [...KEYS, ...views.map((view) => [`g ${view.key}`, view.label])]
  openDialog(
    "Help",
    h("h3", {}, "Keyboard shortcuts"),
    h("dl", { class: "keys" }, rows.map(([key, text]) => h(
      "div",
      {},
      h("dt", {}, key.split(" ").map((one) => [h("kbd", {}, one), " "])),
      h("dd", {}, text)
    ))),
    h("p", { class: "weak" }, "Hold ⌥ (Alt) and click a button to see its command, or turn on ",
      h("strong", {}, "Show commands"), " in the header."),
    h("h3", {}, "Links"),
    h("ul", { class: "links" },
      h("li", {}, h("a", { href: "/docs" }, "API documentation")),
      h("li", {}, h("a", { href: "/docs/differences" }, "Differences from the real service")),
      h("li", {}, h("a", { href: "/metrics" }, "Prometheus metrics")),
      h("li", {},
        h("a", { href: "/api/v1/ca.pem", download: "mock-apns-ca.pem" }, "CA certificate (ca.pem)")),
      h("li", {}, h("a", { href: "/api/v1/openapi.json" }, "OpenAPI 3.1 document"))),
    app.info
      ? h("p", { class: "weak" },
        `mock-apns ${app.info.version}, process ${app.info.pid}, seed `, h("code", {}, app.info.seed))
      : null
  )
}
