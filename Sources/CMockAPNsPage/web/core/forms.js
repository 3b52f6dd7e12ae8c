// Forms that are described by tables, with one row for each field. API errors are shown at the field they name.

import { h, icon, replace } from "./elements.js"

let made = 0
const trimmed = (input) => input.value.trim() || undefined

/// The kinds of fields. Each creates a control and reads its value: `undefined` if it is empty. Invalid input is sent
/// to the API unchanged, whose error says what is expected.
const KINDS = {
  text: { make: (field) => textInput(field), read: trimmed },
  /// Text that is sent as it was typed, with its spaces and line ends.
  exact: { make: (field) => textArea(field, 4), read: (input) => input.value },
  long: { make: (field) => textArea(field, 4), read: trimmed },
  number: {
    make: (field) => textInput(field, { inputmode: "decimal" }),
    read: (input) => {
      const text = trimmed(input)
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
    },
  },
  select: {
    make: (field) => h("select", field.options.map(([value, words]) => h("option", { value }, words))),
    read: (input) => input.value || undefined,
  },
  check: {
    make: () => h("input", { type: "checkbox" }),
    read: (input) => input.checked,
    write: (input, value) => { input.checked = value },
  },
  time: {
    make: () => h("input", { type: "datetime-local", step: "1" }),
    read: (input) => (input.value ? new Date(input.value).toISOString() : undefined),
    write: (input, value) => { input.value = localTime(value) },
  },
  words: {
    make: (field) => textInput(field),
    read: (input) => {
      const words = input.value.split(/[\s,]+/).filter(Boolean)
      return words.length ? words : undefined
    },
    write: (input, value) => { input.value = value.join(", ") },
  },
  headers: {
    make: (field) => textArea(field, 2),
    read: (input) => {
      const lines = input.value.split("\n").filter((line) => line.trim())
      if (!lines.length) return undefined
      return Object.fromEntries(lines.map((line) => {
        const [name, ...rest] = line.split(":")
        return [name.trim(), rest.join(":").trim()]
      }))
    },
    write: (input, value) => {
      input.value = Object.entries(value).map(([name, text]) => `${name}: ${text ?? ""}`).join("\n")
    },
  },
  json: {
    make: (field) => textArea(field, 3),
    read: (input) => {
      try {
        return trimmed(input) && JSON.parse(input.value)
      } catch {
        return input.value
      }
    },
    write: (input, value) => { input.value = JSON.stringify(value, null, 2) },
  },
}

/// A form that produces one JSON object.
///
/// `fields` holds rows `{name, label, kind, hint, placeholder, list, options, fallback, fields, isOptional, isNullable}`.
/// `fallback` is the API's default and is not sent. With `isNullable`, an empty field is `null`. The kind `group` has
/// its own `fields` and produces an object; with `isOptional`, a checkbox includes it. The kind `list` produces up to
/// `most` objects with the `fields`; `item` is the noun for one of them.
export class Fields {
  #fields

  constructor(fields, value = {}) {
    this.#fields = fields.map((row) => new (PARTS[row.kind] ?? Field)(row, value[row.name]))
    this.element = h("div.fields", this.#fields.map((field) => field.element))
  }

  /// The current object.
  get value() {
    const value = {}
    for (const field of this.#fields) {
      const part = field.value
      if (part !== undefined) value[field.row.name] = part
    }
    return value
  }

  /// Shows API errors `{path, message}` at their fields and returns those that belong to no field.
  complain(errors, at = "") {
    let left = errors
    for (const field of this.#fields) left = field.complain(left, `${at}/${field.row.name}`)
    return left
  }

  focus() { this.#fields[0]?.focus() }
}

/// An API error as a sentence that begins with its path.
export function complaintWords(error, place = error.path) {
  const suggestion = error.suggestion ? ` Did you mean ${error.suggestion}?` : ""
  const end = /[\w'")\]}]$/.test(error.message) ? "." : ""
  return `${place ? `${place} ` : ""}${error.message}${end}${suggestion}`
}

class Field {
  constructor(row, value) {
    this.row = row
    this.kind = KINDS[row.kind]
    const id = `field-${(made += 1)}`
    this.input = this.kind.make(row)
    this.input.id = id
    this.input.name = row.name
    this.complaint = h("span.complaint", { id: `${id}-complaint`, role: "alert" })
    this.input.setAttribute("aria-describedby", `${row.hint ? `${id}-hint ` : ""}${id}-complaint`)
    if (row.isRequired) this.input.ariaRequired = "true"
    const label = h("label", { for: id }, row.label)
    this.element = h("div.form-field", { class: row.kind },
      row.kind === "check" ? [h("span.check-line", this.input, label)] : [label, this.input],
      row.hint && h("span.hint", { id: `${id}-hint` }, row.hint),
      this.complaint)
    const shown = value === null && row.isNullable ? null : value ?? row.fallback
    if (shown === undefined || shown === null) return
    if (this.kind.write) this.kind.write(this.input, shown)
    else this.input.value = String(shown)
  }

  get value() {
    const value = this.kind.read(this.input) ?? (this.row.isNullable ? null : undefined)
    return value === this.row.fallback ? undefined : value
  }

  complain(errors, pointer) {
    const isOwn = (error) => error.path === pointer || error.path?.startsWith(`${pointer}/`)
    const own = errors.filter(isOwn)
    replace(this.complaint, own.map((error) => `${complaintWords(error, error.path.slice(pointer.length))} `))
    this.input.ariaInvalid = own.length ? "true" : null
    return errors.filter((error) => !isOwn(error))
  }

  focus() { this.input.focus() }
}

class Group {
  constructor(row, value) {
    this.row = row
    this.inner = new Fields(row.fields, value ?? {})
    const checked = value !== undefined && value !== null
    this.check = row.isOptional && h("input", { type: "checkbox", checked, onchange: () => this.#shown() })
    this.element = h("fieldset.form-group",
      h("legend", this.check ? h("label.check-line", this.check, row.label) : row.label),
      row.hint && h("p.hint", row.hint),
      this.inner.element)
    this.#shown()
  }

  get isThere() { return !this.check || this.check.checked }

  get value() {
    if (!this.isThere) return undefined
    const value = this.inner.value
    return Object.keys(value).length || this.check || this.row.isRequired ? value : undefined
  }

  complain(errors, pointer) { return this.inner.complain(errors, pointer) }

  focus() { (this.check ?? this.inner).focus() }

  #shown() { this.inner.element.hidden = !this.isThere }
}

/// A list of objects with the same fields, with buttons to add and remove them. Members without a field are kept.
class List {
  #items = []
  #list

  constructor(row, value = []) {
    this.row = row
    this.#list = h("div", { class: `form-list ${row.name}-fields` })
    const onclick = () => this.#add({}).fields.focus()
    this.more = h("button.small", { type: "button", onclick }, icon("add"), `Add ${row.item}`)
    this.element = h("div.fields", this.#list, h("div", this.more))
    for (const item of value) this.#add(item)
  }

  get value() {
    const value = this.#items.map(({ kept, fields }) => ({ ...kept, ...fields.value }))
    return value.length || this.row.isRequired ? value : undefined
  }

  complain(errors, pointer) {
    return this.#items.reduce((left, { fields }, index) => fields.complain(left, `${pointer}/${index}`), errors)
  }

  focus() { (this.#items[0]?.fields ?? this.more).focus() }

  #add(value) {
    const kept = { ...value }
    for (const { name } of this.row.fields) delete kept[name]
    const fields = new Fields(this.row.fields, value)
    const legend = h("legend")
    const onclick = () => this.#remove(item)
    const remove = h("button.quiet.small", { type: "button", onclick }, icon("trash"), "Remove")
    const element = h("fieldset.form-group", legend, fields.element, remove)
    const item = { kept, fields, legend, remove, element }
    this.#items.push(item)
    this.#list.append(element)
    this.#number()
    return item
  }

  #remove(item) {
    this.#items.splice(this.#items.indexOf(item), 1)
    item.element.remove()
    this.#number()
    this.focus()
  }

  #number() {
    const { item: noun, most = Infinity } = this.row
    this.#items.forEach(({ legend, remove }, index) => {
      legend.textContent = `${noun[0].toUpperCase()}${noun.slice(1)} ${index + 1}`
      remove.setAttribute("aria-label", `Remove ${noun} ${index + 1}`)
    })
    this.more.disabled = this.#items.length >= most
  }
}

/// The kinds that contain other fields.
const PARTS = { group: Group, list: List }

function textInput(field, properties = {}) {
  const { placeholder, list } = field
  return h("input", { type: "text", placeholder, list, autocomplete: "off", spellcheck: "false", ...properties })
}

function textArea({ rows, placeholder }, usual) {
  return h("textarea", { rows: rows ?? usual, placeholder, spellcheck: "false" })
}

/// An RFC 3339 time as the value of a `datetime-local` field.
function localTime(text) {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return ""
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
