// A segmented control: radio buttons that look like one control.

import { h } from "./dom.js"

let made = 0

export class Choice {
  #inputs

  /// `label` is the control's label for screen readers, `rows` the choices `{name, label}`. `onChange(name)` is called
  /// when the user chooses one.
  constructor(label, rows, onChange) {
    made += 1
    this.#inputs = rows.map(({ name: value }) =>
      h("input", { type: "radio", name: `choice-${made}`, value, onchange: () => onChange(value) }))
    this.element = h("fieldset.choice", h("legend.said", label),
      rows.map((row, index) => h("label.button.small", this.#inputs[index], row.label)))
  }

  /// Shows only these choices, and hides the control if fewer than two are left.
  limit(names) {
    this.element.hidden = names.length < 2
    for (const input of this.#inputs) input.parentNode.hidden = !names.includes(input.value)
  }

  has(name) { return this.#inputs.some(({ value }) => value === name) }

  get value() { return this.#inputs.find(({ checked }) => checked)?.value ?? null }

  /// Sets the choice without calling `onChange`.
  set value(name) {
    for (const input of this.#inputs) if (input.value === name) input.checked = true
  }
}
