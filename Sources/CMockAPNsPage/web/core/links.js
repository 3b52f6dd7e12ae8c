// Links to places of the page.

import { h } from "./dom.js"
import { router } from "./router.js"

/// The path of an open push. `id` is any push ID of the API.
export function pushPath(id) { return `/p/${encodeURIComponent(id)}` }

/// A link to a place of the page. `name` is its label for screen readers, if it says more than its content.
export function pageLink(path, content, { kind = null, name = null, title = null, ...parameters } = {}) {
  return h("a", { class: kind, href: router.path(path, parameters), "aria-label": name, title }, content)
}

/// A link to a push by its ID.
export function pushLink(id, content = "View", options = {}) { return pageLink(pushPath(id), content, options) }
