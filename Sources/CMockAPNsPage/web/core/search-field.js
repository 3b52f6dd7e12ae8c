// The search field, with completions and the API's errors.

import { h, replace } from "./dom.js"
import { icon } from "./icons.js"
import { showLoaded } from "./loaded.js"
import { columns } from "./parts.js"
import { Popover } from "./popover.js"
import { router } from "./router.js"
import { completions, isUnfinished, searchKeys, SYNTAX } from "./search-terms.js"

/// The pause after the last keystroke before the search runs (milliseconds).
const PAUSE = 300

/// Writes the search into the URL, where the list of pushes reads it.
class SearchField {
  #found = { from: 0, to: 0, offers: [] }
  #chosen = -1
  #timer = 0

  #input = h("input", {
    type: "search",
    id: "search",
    placeholder: "Search: is:rejected type:alert",
    "aria-label": "Search pushes",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": "search-offers",
    "aria-describedby": "search-problem",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  })
  #offers = h("ul.search-offers", { id: "search-offers", role: "listbox", "aria-label": "Completions", hidden: true })
  #problem = h("div.search-problem", { id: "search-problem", role: "alert", hidden: true })
  #clear = h("button.quiet.small", { type: "button", "aria-label": "Clear search", hidden: true }, icon("close"))

  constructor() {
    const label = "Search syntax"
    const helpButton = h("button.quiet.small", { type: "button", "aria-label": label }, icon("help"))
    const help = new Popover(helpButton, label, syntaxTable)
    this.element = h("form.search", { role: "search" },
      h("div.search-box", icon("search"), this.#input, this.#clear, helpButton),
      this.#offers,
      this.#problem,
      help.panel)
    this.#listen()
  }

  focus() {
    this.#input.focus()
    this.#input.select()
  }

  /// Shows the search of the URL, unless the field is being edited.
  show(q) {
    if (document.activeElement !== this.#input) this.#input.value = q ?? ""
    this.#clear.hidden = this.#input.value === ""
  }

  /// Shows the API's error for the search; `null` removes it.
  problem(problem) {
    this.#input.ariaInvalid = problem ? "true" : null
    this.#problem.hidden = problem === null
    replace(this.#problem)
    if (!problem) return
    const { message, suggestion: q } = problem.errors[0] ?? problem
    const [words, ...lines] = message.split("\n")
    const place = lines.map((line) => line.slice(2)).join("\n")
    replace(this.#problem,
      place ? h("pre.foreign", place) : null,
      h("p", icon("warning"), h("span", `The search ${words}.`)),
      q ? h("p", "Did you mean ", h("a", { href: router.path("/", { q }) }, h("code.foreign", q)), "?") : null)
  }

  #listen() {
    const input = this.#input
    input.addEventListener("blur", () => this.#offer({ ...this.#found, offers: [] }))
    input.addEventListener("input", () => this.#typed())
    input.addEventListener("keydown", (event) => {
      if (this.#took(event.key)) event.preventDefault()
    })
    this.#clear.addEventListener("click", () => {
      input.value = ""
      this.#search()
      input.focus()
    })
    this.element.addEventListener("submit", (event) => {
      event.preventDefault()
      this.#offer({ ...this.#found, offers: [] })
      this.#search()
    })
  }

  /// Offers completions, and searches when the text has not changed for a moment.
  async #typed() {
    const { value, selectionStart } = this.#input
    this.#clear.hidden = value === ""
    clearTimeout(this.#timer)
    const found = await completions(value, selectionStart)
    if (value !== this.#input.value || document.activeElement !== this.#input) return
    this.#offer(found)
    clearTimeout(this.#timer)
    if (found.isOpen || isUnfinished(value)) return
    this.#timer = setTimeout(() => this.#search({ instead: true }), PAUSE)
  }

  /// Handles a key and returns whether it did.
  #took(key) {
    const { offers } = this.#found
    const step = (by) => offers.length > 0 && this.#choose((this.#chosen + by + offers.length) % offers.length)
    const keys = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(this.#chosen < 0 ? 0 : -1),
      Enter: () => this.#chosen >= 0 && this.#take(offers[this.#chosen]),
      Escape: () => (offers.length ? this.#offer({ ...this.#found, offers: [] }) : this.#input.blur()),
    }
    return Object.hasOwn(keys, key) && keys[key]() !== false
  }

  #offer(found) {
    this.#found = found
    this.#chosen = -1
    replace(this.#offers, found.offers.map((offer, index) => h("li", {
      id: `search-offer-${index}`,
      role: "option",
      "aria-selected": "false",
      onmousedown: (event) => {
        event.preventDefault()
        this.#take(offer)
      },
    }, h("span.mono.foreign", offer.text), h("span.weak", offer.about))))
    this.#offers.hidden = found.offers.length === 0
    this.#input.setAttribute("aria-expanded", String(found.offers.length > 0))
    this.#input.removeAttribute("aria-activedescendant")
  }

  #choose(index) {
    this.#offers.children[this.#chosen]?.setAttribute("aria-selected", "false")
    this.#chosen = index
    this.#offers.children[index].setAttribute("aria-selected", "true")
    this.#input.setAttribute("aria-activedescendant", `search-offer-${index}`)
  }

  #take({ text }) {
    const { from, to } = this.#found
    const isWhole = !/[:/<>-]$/.test(text)
    const input = this.#input
    const rest = input.value.slice(to)
    input.setRangeText(isWhole && !rest.startsWith(" ") ? `${text} ` : text, from, to, "end")
    input.dispatchEvent(new Event("input"))
  }

  /// Runs the search. Changes while typing are one step of the browser's history.
  #search({ instead = false } = {}) {
    clearTimeout(this.#timer)
    const { view, parameters } = router.route
    const q = this.#input.value.trim()
    this.#clear.hidden = this.#input.value === ""
    const isHere = view === "pushes"
    if (isHere ? q === (parameters.q ?? "") : instead || q === "") return
    // In the wide layout, the open push stays open.
    const isBeside = isHere && parameters.push && matchMedia("(min-width: 900px)").matches
    const { after, tab } = isHere ? parameters : {}
    const path = isBeside ? location.pathname : "/"
    router.go(router.path(path, { q, after, tab }), { instead: instead && Boolean(parameters.q) })
  }
}

export const search = new SearchField()

function syntaxTable() {
  const keys = h("div")
  showLoaded(keys, searchKeys, (all) => table("Key", all.map(({ name, meaning, choices, closed }) => [
    `${name}:`, meaning, closed && choices.length ? h("span.weak", ` — ${choices.join(", ")}`) : null,
  ])))
  return [table("Search", SYNTAX), keys]
}

function table(title, rows) {
  return h("div.table-frame", h("table",
    columns([title, "Matches"]),
    h("tbody", rows.map(([code, ...text]) => h("tr", h("td", h("code", code)), h("td", text))))))
}
