// The filters above the list. They only change the search, so the URL holds them.

import { api, appPart, count, counts, h, icon, plain, Popover, replace, router, showLoaded } from "../core/core.js"
import { partsOf, term } from "./terms.js"

const CHIPS = [
  { term: "is:rejected", label: "Rejected" },
  { term: "has:warning", label: "Warnings", title: "Errors and warnings about the push itself" },
]
/// The search words whose values are offered in a menu.
const MENUS = [{ word: "type", label: "Type" }, { word: "topic", label: "Topic" }]
/// The most values in a menu.
const MOST = 30
export class Filters {
  element = h("div.push-filters", { role: "group", "aria-label": "Filters" })
  #toggle
  #chips = new Map()
  #menus = []
  #rejected = h("span.number")

  /// `toggle(term)` adds a term to the search, or removes it.
  constructor(toggle) {
    this.#toggle = toggle
    for (const { term: added, label, title } of CHIPS) {
      const chip = h("button.small", { title, onclick: () => toggle(added) }, label)
      this.#chips.set(added, chip)
      this.element.append(chip)
    }
    this.#chips.get("is:rejected").append(this.#rejected)
    for (const menu of MENUS) {
      const button = h("button.small")
      const popover = new Popover(button, `Filter by ${menu.word}`, () => this.#values(menu.word, popover))
      this.#menus.push({ ...menu, button })
      this.element.append(button, popover.panel)
    }
    counts.addEventListener("changed", ({ detail }) => {
      if (detail.name === "rejected") this.#counted(detail.value)
    })
    this.#counted(counts.known.get("rejected"))
  }

  /// Shows which filters the search has.
  show(q) {
    const parts = partsOf(q)
    for (const [added, chip] of this.#chips) chip.setAttribute("aria-pressed", String(parts.includes(added)))
    for (const { word, label, button } of this.#menus) {
      const chosen = parts.find((part) => part.startsWith(`${word}:`))
      button.setAttribute("aria-pressed", String(chosen !== undefined))
      const value = chosen && [": ", nameOf(word, chosen.slice(word.length + 1), "foreign one-line")]
      replace(button, label, value, icon("down"))
    }
  }

  /// The values of a word in the journal, with their numbers of pushes.
  #values(word, popover) {
    const list = h("div", h("p.weak", "Loading…"))
    showLoaded(list, () => api.get("/pushes/values", { field: word, limit: MOST }), ({ values }) => {
      const parts = partsOf(router.route.parameters.q ?? "")
      return values.length === 0 ? h("p.weak", `No ${word} yet.`) : h("ul.filter-values", values.map((row) => {
        const added = term(word, row.value)
        const onclick = () => {
          popover.close()
          this.#toggle(added)
        }
        return h("li", h("button.quiet.small", { "aria-pressed": String(parts.includes(added)), onclick },
          nameOf(word, row.value, "foreign"), h("span.weak", count(row.count))))
      }))
    })
    return list
  }

  #counted(rejected) { replace(this.#rejected, rejected ? ` ${count(rejected)}` : "") }
}

/// A value as it is shown: a topic by the name of its app.
function nameOf(word, value, kind) {
  return word === "topic" ? appPart(value, kind) : h("span", { class: kind }, plain(value, 120))
}
