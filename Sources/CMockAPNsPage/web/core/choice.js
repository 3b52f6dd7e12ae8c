// A segmented control: radio buttons that look like one control.

import { h } from "./dom.js"

let made = 0

export class Choice {
  element
  #inputs = new Map()

  /// `label` is the control's label for screen readers, `rows` the choices `{name, label}`. `onChange(name)` is called
  /// when the user chooses one.
  constructor(label, rows, onChange) {
    made += 1
    const group = `choice-${made}`
    const labels = rows.map((row) => {
      const input = h("input", {
        type: "radio",
        name: group,
        value: row.name,
        onchange: () => onChange(row.name),
      })
      this.#inputs.set(row.name, input)
      return h("label", input, h("span", row.label))
    })
    this.element = h("fieldset.choice", h("legend.said", label), labels)
  }

  /// Shows only these choices, and hides the control if fewer than two are left.
  limit(names) {
    this.element.hidden = names.length < 2
    for (const [name, input] of this.#inputs) input.parentNode.hidden = !names.includes(name)
  }

  has(name) { return this.#inputs.has(name) }

  get value() { return [...this.#inputs].find(([, input]) => input.checked)?.[0] ?? null }

  /// Sets the choice without calling `onChange`.
  set value(name) {
    const input = this.#inputs.get(name)
    if (input) input.checked = true
  }
}
