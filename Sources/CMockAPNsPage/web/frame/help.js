// The help dialog: keyboard shortcuts and links.

import { api, h, openDialog } from "../core/core.js"

/// The keyboard shortcuts; those of the views are added.
const KEYS = [
  ["j ↓", "Next row"],
  ["k ↑", "Previous row"],
  ["Enter", "Open row and move into it"],
  ["Esc", "Back to the row, then close"],
  ["x", "Select row; Shift-click selects a range"],
  ["o", "Toggle device online"],
  ["p", "Pin or unpin the open push"],
  ["e", "Export"],
  ["/", "Search"],
  ["?", "Show this help"],
]

const LINKS = [
  { href: "/docs", label: "API documentation" },
  { href: "/docs/differences", label: "Differences from the real service" },
  { href: "/metrics", label: "Prometheus metrics" },
  { href: "/api/v1/ca.pem", label: "CA certificate (ca.pem)", download: "mock-apns-ca.pem" },
  { href: "/api/v1/openapi.json", label: "OpenAPI 3.1 document" },
]

/// The links to what the server offers beside the page.
export function linkList() {
  return h("ul.links", LINKS.map(({ label, ...link }) => h("li", h("a", link, label))))
}

/// Opens the help. `views` are the views of the header.
export function openHelp(views) {
  const rows = [...KEYS, ...views.map((view) => [`g ${view.key}`, view.label])]
  openDialog("Help",
    h("h3", "Keyboard shortcuts"),
    h("dl.keys", rows.map(([key, text]) => h("div",
      h("dt", key.split(" ").map((one) => [h("kbd", one), " "])),
      h("dd", text)))),
    h("p.weak", "Hold ⌥ (Alt) and click a button to see its command, or turn on ",
      h("strong", "Show commands"), " in the header."),
    h("h3", "Links"),
    linkList(),
    api.info
      ? h("p.weak", `mock-apns ${api.info.version}, process ${api.info.pid}, seed `, h("code", api.info.seed))
      : null)
}
