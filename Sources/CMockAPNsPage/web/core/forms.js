// Forms that are described by tables, with one row for each field. API errors are shown at the field they name.

import { h, replace } from "./dom.js"
import { icon } from "./icons.js"

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
/// `fields` holds rows `{name, label, kind, hint, placeholder, list, options, fallback, fields, isOptional, isNullable,
/// fold}`. `fallback` is the API's default and is not sent. With `isNullable`, an empty field is `null`. Fields with a
/// common `fold` are folded below these words. A field that is hidden has no value. Rows without a name are for members
/// of the object itself: a `group` frames some of them, and a last `json` is for those that the other rows cannot show.
///
/// These kinds have `fields` of their own. `group` produces an object; with `isOptional`, a checkbox includes it. If
/// the value is not an object, `write(value)` makes one, and `read(object)` turns it into the value again. `choice`
/// produces an object with one member (see `Choice`). `list` produces up to `most` objects; `item` is the noun for one.
export class Fields {
  constructor(fields, value = {}) {
    const hasOthers = fields.some(({ name, kind }) => !name && kind === "json")
    const others = hasOthers ? othersOf(fields, value) : {}
    const partOf = ({ name, kind }) => {
      if (name) return name in others ? undefined : value[name]
      return kind === "json" ? orNothing(others) : value
    }
    this.parts = fields.map((row) => new (PARTS[row.kind] ?? Field)(row, partOf(row)))
    this.element = h("div.fields", folded(this.parts))
  }

  /// The current object, or the invalid value of the row without a name.
  get value() {
    let value = {}
    for (const { row, value: part } of this.#shown) {
      if (part === undefined) continue
      if (row.name) value[row.name] = part
      else if (isObject(part)) value = { ...part, ...value }
      else return part
    }
    return value
  }

  /// Shows API errors `{path, message}` at their fields and returns those that belong to no field.
  complain(errors, at = "") {
    return this.#shown.reduce((left, field) => {
      const { name } = field.row
      return field.complain(left, name ? `${at}/${name}` : at)
    }, errors)
  }

  focus() { this.parts[0]?.focus() }

  get #shown() { return this.parts.filter(({ element }) => !element.hidden) }
}

/// The members that have no field, or a value that their field cannot show.
function othersOf(fields, value) {
  const canShow = ([name, member]) => {
    const row = fields.find((row) => row.name === name)
    if (row?.kind !== "group") return row && (typeof member !== "object" || KINDS[row.kind].write)
    return isObject(member) && Object.keys(member).every((name) => row.fields.some((inner) => inner.name === name))
  }
  const others = Object.entries(value).filter((entry) => !canShow(entry))
  return Object.fromEntries(others)
}

/// The elements of fields. Those to fold are open at first if one has a value.
function folded(parts) {
  return [...Map.groupBy(parts, ({ row }) => row.fold)].map(([words, group]) => {
    const elements = group.map(({ element }) => element)
    if (!words) return elements
    const open = group.some(({ value }) => value !== undefined)
    return h("details", { open }, h("summary", words), h("div.fields", elements))
  })
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/// A value, or `undefined` for an empty object.
const orNothing = (value) => (isObject(value) && Object.keys(value).length === 0 ? undefined : value)

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
    this.input.name = row.name ?? ""
    this.complaint = h("span.complaint", { id: `${id}-complaint`, role: "alert" })
    this.input.setAttribute("aria-describedby", `${row.hint ? `${id}-hint ` : ""}${id}-complaint`)
    if (row.isRequired) this.input.ariaRequired = "true"
    this.hint = row.hint && h("span.hint", { id: `${id}-hint` }, row.hint)
    const label = h("label", { for: id }, row.label)
    this.element = h("div.form-field", { class: row.kind },
      row.kind === "check" ? [h("span.check-line", this.input, label)] : [label, this.input],
      this.hint,
      this.complaint)
    const shown = value === null && row.isNullable ? null : value ?? row.fallback ?? null
    if (shown !== null) this.show(shown)
  }

  /// Shows a value in the control.
  show(value) {
    if (value === null) this.input.value = ""
    else if (this.kind.write) this.kind.write(this.input, value)
    else this.input.value = String(value)
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
    if (own.length) this.#unfold()
    return errors.filter((error) => !isOwn(error))
  }

  focus() {
    this.#unfold()
    this.input.focus()
  }

  #unfold() {
    const fold = this.element.closest("details")
    if (fold) fold.open = true
  }
}

/// Without a label, the fields of a group have no frame.
class Group {
  constructor(row, value) {
    this.row = row
    const isThere = value !== undefined && value !== null
    this.inner = new Fields(row.fields, isThere && row.write ? row.write(value) : value ?? {})
    const show = () => { this.inner.element.hidden = this.check && !this.check.checked }
    this.check = row.isOptional && h("input", { type: "checkbox", checked: isThere, onchange: show })
    const legend = h("legend", this.check ? h("label.check-line", this.check, row.label) : row.label)
    this.element = row.label
      ? h("fieldset.form-group", legend, row.hint && h("p.hint", row.hint), this.inner.element)
      : this.inner.element
    show()
  }

  get value() {
    if (this.check && !this.check.checked) return undefined
    const { read, isRequired } = this.row
    const value = read ? read(this.inner.value) : this.inner.value
    return this.check || isRequired ? value : orNothing(value)
  }

  complain(errors, pointer) {
    const [first] = this.inner.parts
    return this.row.read && first ? first.complain(errors, pointer) : this.inner.complain(errors, pointer)
  }

  focus() { (this.check ?? this.inner).focus() }
}

/// A group in which a select chooses one of the `fields`. Each of these also has `option`, its words in the select,
/// `meaning`, an explanation, and `standard`, its value at first.
class Choice extends Group {
  #select

  constructor(row, value = {}) {
    const standards = row.fields.map(({ name, standard }) => [name, standard])
    super(row, { ...Object.fromEntries(standards), ...value })
    const options = row.fields.map(({ name, option }) => [name, option])
    this.#select = new Field({ label: "Type", kind: "select", options, hint: " " }, Object.keys(value)[0])
    this.inner.element.before(this.#select.element)
    this.element.addEventListener("change", () => this.#choose())
    this.#choose()
  }

  /// The row of the chosen field.
  get chosen() { return this.row.fields.find(({ name }) => name === this.#select.value) }

  get value() { return { [this.chosen.name]: {}, ...super.value } }

  focus() { this.#select.focus() }

  #choose() {
    for (const { row, element } of this.inner.parts) element.hidden = row !== this.chosen
    replace(this.#select.hint, this.chosen.meaning)
  }
}

/// A list of objects with the same fields, with buttons to add and remove them. Members without a field are kept.
class List {
  #items = []
  #list

  constructor(row, value = []) {
    this.row = row
    this.#list = h("div", { class: `form-list ${row.name}-fields` })
    const onclick = () => this.#add({}).focus()
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
    this.#items.push({ kept, fields })
    this.#draw()
    return fields
  }

  #remove(item) {
    this.#items.splice(this.#items.indexOf(item), 1)
    this.#draw()
    this.focus()
  }

  #draw() {
    const { item: noun, most = Infinity } = this.row
    replace(this.#list, this.#items.map((item, index) => {
      const name = `${noun} ${index + 1}`
      const properties = { type: "button", "aria-label": `Remove ${name}`, onclick: () => this.#remove(item) }
      return h("fieldset.form-group",
        h("legend", name[0].toUpperCase() + name.slice(1)),
        item.fields.element,
        h("button.quiet.small", properties, icon("trash"), "Remove"))
    }))
    this.more.disabled = this.#items.length >= most
  }
}

/// The kinds that contain other fields.
const PARTS = { group: Group, choice: Choice, list: List }

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
