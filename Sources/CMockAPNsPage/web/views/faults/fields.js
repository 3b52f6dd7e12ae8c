// The fields of a fault: action, matching pushes, and when it fires.

import { h, replace } from "../../core/dom.js"
import { Fields } from "../../core/forms.js"
import { PUSH_TYPES } from "../../core/vocabulary.js"

const PUSHES = [
  { name: "topic", label: "Topic", kind: "text", placeholder: "every topic" },
  { name: "token", label: "Device token", kind: "text", placeholder: "every token" },
  { name: "pushType", label: "Push type", kind: "select",
    options: [["", "Every type"], ...PUSH_TYPES.map((type) => [type, type])] },
  { name: "q", label: "Search", kind: "text", placeholder: 'has:badge "order"',
    hint: "Same syntax as the search field." },
]

const CONNECTIONS = [
  { name: "remote", label: "Client address", kind: "text", placeholder: "127.0.0.1",
    hint: "With or without a port." },
  { name: "environment", label: "Environment", kind: "select",
    options: [["", "Both"], ["sandbox", "Sandbox"], ["production", "Production"]] },
]

const MORE = { name: "more", label: "More conditions, as JSON", kind: "json", rows: 2,
  placeholder: '{"headers": {"apns-priority": "10"}}', hint: "Same format as a verification's match." }

const TIMES = [
  { name: "times", label: "Max times", kind: "number", placeholder: "no limit" },
  { name: "skip", label: "Skip first", kind: "number", fallback: 0 },
  { name: "every", label: "Every nth", kind: "number", fallback: 1 },
  { name: "probability", label: "Probability", kind: "number", fallback: 1, hint: "From 0 to 1." },
]

const LIMITS = [
  { name: "from", label: "From", kind: "time" },
  { name: "until", label: "Until", kind: "time" },
  { name: "afterIdle", label: "After idle time", kind: "text", placeholder: "30s",
    hint: "Time without requests on the connection." },
  { name: "afterRequests", label: "After requests on the connection", kind: "number", fallback: 0 },
]

const NAME = [{ name: "name", label: "Name", kind: "text", placeholder: "two 503, then 200" }]

/// The form of a fault. Its `value` is the body of the API call.
export class FaultFields {
  #actions
  #action
  #match

  /// `actions` are the rows of `actionsOf`; `fault` is the fault to edit, or `null`.
  constructor(actions, fault = null) {
    this.#actions = actions
    const name = fault ? Object.keys(fault.do)[0] : actions[0].name
    this.choice = h("select", { id: "fault-action", onchange: () => this.#choose(this.choice.value) },
      actions.map((action) => h("option", { value: action.name }, action.label)))
    this.meaning = h("p.hint", { id: "fault-action-meaning" })
    this.choice.setAttribute("aria-describedby", this.meaning.id)
    this.actionSlot = h("div")
    this.#match = matchParts(fault?.match ?? {})
    this.pushes = new Fields(PUSHES, this.#match.pushes)
    this.connections = new Fields(CONNECTIONS, this.#match.connection)
    this.more = new Fields([MORE], Object.keys(this.#match.more).length ? { more: this.#match.more } : {})
    this.times = new Fields(TIMES, fault?.when)
    this.limits = new Fields(LIMITS, fault?.when)
    this.name = new Fields(NAME, { name: fault?.name })
    const isLimited = fault && LIMITS.some(({ name: member }) => fault.when[member])
    const isNarrow = Object.keys(this.#match.connection).length + Object.keys(this.#match.more).length > 0
    this.pushPart = h("div.fields.columns", this.pushes.element)
    this.rare = h("details", { open: isNarrow }, h("summary", "More conditions"),
      h("div.fields", this.connections.element, (this.morePart = h("div", this.more.element))))
    this.element = h("div.fields.fault-fields",
      h("fieldset.form-group", h("legend", "Action"),
        h("div.form-field", h("label", { for: "fault-action" }, "Type"), this.choice, this.meaning),
        this.actionSlot),
      h("fieldset.form-group", (this.whichLegend = h("legend")), this.pushPart, this.rare),
      h("fieldset.form-group", h("legend", "When"), this.times.element,
        h("details", { open: isLimited }, h("summary", "More limits"), this.limits.element)),
      this.name.element)
    this.#choose(name, fault?.do[name])
  }

  get action() { return this.#action.row }

  /// The body of the dry run.
  get conditions() { return { match: this.#matchValue, when: { ...this.times.value, ...this.limits.value } } }

  get value() {
    const value = this.#action.fields.value
    const { name, scalar, read } = this.#action.row
    const done = read ? read(value) : scalar ? value[scalar] : value
    return { ...this.name.value, ...this.conditions, do: { [name]: done } }
  }

  complain(errors) {
    const { name, scalar, read } = this.#action.row
    const first = read ? this.#action.row.fields[0]?.name : scalar
    let left = errors.map((error) => {
      const isWhole = error.path === `/do/${name}` && first
      return isWhole ? { ...error, path: `/do/${name}/${first}` } : error
    })
    left = this.#action.fields.complain(left, `/do/${name}`)
    left = this.times.complain(this.limits.complain(left, "/when"), "/when")
    left = this.connections.complain(this.pushes.complain(left, "/match"), "/match/connection")
    left = this.more.complain(left.map((error) => {
      return error.path?.startsWith("/match") ? { ...error, path: error.path.replace("/match", "/more") } : error
    }))
    left = this.name.complain(left)
    for (const details of this.element.querySelectorAll("details")) {
      if (details.querySelector("[aria-invalid]")) details.open = true
    }
    return left
  }

  focus() { this.choice.focus() }

  get #matchValue() {
    const connection = this.connections.value
    const narrowed = Object.keys(connection).length ? { connection } : {}
    if (this.#action.row.onConnection) return narrowed
    const { more = {} } = this.more.value
    // Anything but an object is sent unchanged; the API's error says what is expected.
    if (typeof more !== "object" || more === null || Array.isArray(more)) return more
    return { ...more, ...this.pushes.value, ...narrowed }
  }

  #choose(name, value) {
    const row = this.#actions.find((action) => action.name === name)
    const shown = value ?? row.standard
    const parts = row.write ? row.write(shown) : row.scalar ? { [row.scalar]: shown } : shown
    this.choice.value = name
    this.#action = { row, fields: new Fields(row.fields, parts) }
    replace(this.meaning, row.meaning)
    replace(this.actionSlot, this.#action.fields.element)
    replace(this.whichLegend, row.onConnection ? "Connections" : "Pushes")
    this.pushPart.hidden = Boolean(row.onConnection)
    this.morePart.hidden = Boolean(row.onConnection)
    if (row.onConnection) this.rare.open = true
  }
}

/// Splits a match into the parts of the form: push fields, connection fields and other members.
function matchParts(match) {
  const pushes = {}
  const more = {}
  const connection = {}
  for (const [name, value] of Object.entries(match)) {
    if (PUSHES.some((field) => field.name === name) && typeof value === "string") pushes[name] = value
    else if (name === "connection" && isSimple(value)) Object.assign(connection, value, remoteOf(value))
    else more[name] = value
  }
  return { pushes, more, connection }
}

function isSimple(connection) {
  return typeof connection === "object" && !Array.isArray(connection) && !connection.id
    && [connection.remote ?? []].flat().length < 2
}

function remoteOf({ remote }) { return remote === undefined ? {} : { remote: [remote].flat()[0] } }
