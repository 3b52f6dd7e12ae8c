// The appearance: light, dark or the system's. The choice is saved in the browser.

import { h, icon, replace } from "./elements.js"
import { preference, savePreference } from "./preferences.js"

/// The appearances in the order in which the button switches them.
const APPEARANCES = [
  { name: "auto", label: "Appearance: system", icon: "auto" },
  { name: "light", label: "Appearance: light", icon: "sun" },
  { name: "dark", label: "Appearance: dark", icon: "moon" },
]

/// A button that switches to the next appearance.
export class Appearance {
  element = h("button.quiet.tool", { onclick: () => this.#next() })
  #index = 0

  constructor() {
    this.#become(APPEARANCES.findIndex(({ name }) => name === preference("appearance")))
  }

  #next() {
    this.#become((this.#index + 1) % APPEARANCES.length)
    savePreference("appearance", APPEARANCES[this.#index].name)
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
