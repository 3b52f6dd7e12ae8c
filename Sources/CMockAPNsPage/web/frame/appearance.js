// The appearance: light, dark or the system's. The choice is saved in the browser.

import { h, icon, replace } from "../core/core.js"
import { preference, savePreference } from "./preferences.js"

/// The appearances in the order in which the button switches them.
const APPEARANCES = [
  { name: "system", scheme: "light dark", sign: "auto" },
  { name: "light", scheme: "light", sign: "sun" },
  { name: "dark", scheme: "dark", sign: "moon" },
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
    const { name, scheme, sign } = APPEARANCES[this.#index]
    document.documentElement.style.colorScheme = scheme
    this.element.ariaLabel = this.element.title = `Appearance: ${name}`
    replace(this.element, icon(sign))
  }
}
