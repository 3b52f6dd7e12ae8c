// Form fields for parts of a payload. The payload's text is the truth: the fields show it, and change it.

import { Fields, h, keepingFocus, replace } from "../core/core.js"

export class PayloadFields {
  element = h("div.payload-fields")
  #onChange
  #template
  #payload = null
  #rows = []
  #fields = null

  /// `onChange(payload)` is called when the user changes a field.
  constructor(onChange) {
    this.#onChange = onChange
    this.element.addEventListener("input", () => this.#changed())
  }

  /// Shows the fields of a template with their values. Without a `payload` that is an object, there are none.
  show(template, payload) {
    this.#template = template
    this.#payload = isObject(payload) ? withAlertObject(payload) : null
    this.#rows = this.#payload ? this.#wanted() : []
    const values = this.#rows.map((row) => [row.name, valueAt(this.#payload, row.at)])
    this.#fields = new Fields(this.#rows, Object.fromEntries(values))
    replace(this.element, this.#fields.element)
    this.element.hidden = this.#rows.length === 0
  }

  focus() { this.#fields.focus() }

  #wanted() { return this.#template.fields.filter(({ isFor }) => !isFor || isFor(this.#payload)) }

  #changed() {
    const { value } = this.#fields
    for (const row of this.#rows) setValue(this.#payload, row.at, value[row.name])
    this.#onChange(this.#payload)
    // The event of a Live Activity decides which fields there are.
    if (this.#wanted().length === this.#rows.length) return
    keepingFocus(this.element, () => this.show(this.#template, this.#payload))
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/// The payload with an alert that is a text as an object, so that its parts have a place.
function withAlertObject(payload) {
  const { aps } = payload
  return typeof aps?.alert === "string" ? { ...payload, aps: { ...aps, alert: { body: aps.alert } } } : payload
}

function valueAt(payload, path) {
  return path.reduce((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), payload)
}

/// Sets the value at a path, or removes it if it is `undefined`.
function setValue(parent, [key, ...rest], value) {
  if (rest.length > 0) {
    if (!isObject(parent[key]) && value === undefined) return
    if (!isObject(parent[key])) parent[key] = {}
    setValue(parent[key], rest, value)
  } else if (value === undefined) {
    delete parent[key]
  } else {
    parent[key] = value
  }
}
