// What is shown instead of the list when it has no rows.

import { api, count, emptyState, h, plain, pushCount, refill, router } from "../core/core.js"
import { Welcome } from "./welcome.js"

export class Instead {
  element = h("div.push-instead", { role: "status", hidden: true })
  /// Why the list has no rows: `failed`, `nothing` (no push matches) or `welcome`; `null` if it has some.
  kind = null
  #welcome = new Welcome()
  #feed

  constructor(feed) { this.#feed = feed }

  draw() {
    const { error, q, after, pages } = this.#feed
    this.kind = kindOf(this.#feed)
    this.element.hidden = this.kind === null
    refill(this.element, [this.kind, error?.message, q, after, pages.suggestions, api.namespace], ([kind]) => {
      if (kind === "failed") return failure(this.#feed)
      if (kind === "nothing") return nothingFound(this.#feed)
      if (kind === "welcome") this.#welcome.show()
      return kind && this.#welcome.element
    })
  }
}

function kindOf({ model, error, q, after }) {
  // A search without matches is reported even if there are marks.
  if (q && !error ? model.pushes > 0 : model.length > 0) return null
  return error ? "failed" : q || after !== null ? "nothing" : "welcome"
}

function failure(feed) {
  const isOfSearch = feed.error.status === 400 && feed.q
  return emptyState(isOfSearch ? "Invalid search" : "The list could not be loaded",
    isOfSearch ? "See the error below the search field." : feed.error.text ?? feed.error.message,
    h("button", { onclick: () => feed.load() }, "Try again"))
}

function nothingFound({ q, after, pages: { all, suggestions } }) {
  return emptyState("No matching pushes",
    q ? ["Search: ", h("code.foreign", q)] : `The list starts after #${count(after)}.`,
    suggestions.length ? h("p", "Did you mean:") : null,
    suggestions.length ? h("ul.suggestions", { "aria-label": "Similar searches that match" },
      suggestions.map((one) => h("li", h("a.button", { href: router.path("/", { q: one.q }) },
        h("code.foreign", plain(one.q, 200)), h("span.weak", pushCount(one.count)))))) : null,
    h("p", `${pushCount(all)} without the search.`),
    h("a.button", { href: router.path("/") }, "Show all"))
}
