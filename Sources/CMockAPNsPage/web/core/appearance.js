// Light, dark, or as the system has it. What was chosen is kept in the browser.

import { h, replace } from "./dom.js"
import { icon } from "./icons.js"
import { kept, keep } from "./kept.js"

/// The appearances in the order of the button; one row each.
const APPEARANCES = [
  { name: "auto", label: "Appearance: as the system", icon: "auto" },
  { name: "light", label: "Appearance: light", icon: "sun" },
  { name: "dark", label: "Appearance: dark", icon: "moon" },
]

/// A button that goes from one appearance to the next.
export class Appearance {
  element = h("button", { class: "quiet tool", onclick: () => this.#next() })
  #index = 0

  constructor() {
    this.#become(APPEARANCES.findIndex(({ name }) => name === kept("appearance")))
  }

  #next() {
    this.#become((this.#index + 1) % APPEARANCES.length)
    keep("appearance", APPEARANCES[this.#index].name)
  }

  #become(index) {
    this.#index = Math.max(0, index)
    const appearance = APPEARANCES[this.#index]
    if (appearance.name === "auto") delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = appearance.name
    this.element.setAttribute("aria-label", appearance.label)
    this.element.title = appearance.label
    replace(this.element, icon(appearance.icon))
  }
}
