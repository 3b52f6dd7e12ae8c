// The fields of a fault: action, matching pushes, and when it fires.

import { h, replace } from "../../core/dom.js"
import { Fields } from "../../core/forms.js"
import { PUSH_TYPES } from "../../core/vocabulary.js"
import { ACTIONS } from "./actions.js"

const PUSHES = [
  { name: "topic", label: "Topic", kind: "text", placeholder: "every topic" },
  { name: "token", label: "Device token", kind: "text", placeholder: "every token" },
  { name: "pushType", label: "Push type", kind: "select",
    options: [["", "Every type"], ...Object.keys(PUSH_TYPES).map((type) => [type, type])] },
  { name: "q", label: "Search", kind: "text", placeholder: 'has:badge "order"',
    hint: "Same syntax as the search field." },
]

const CONNECTIONS = [
  { name: "remote", label: "Client address", kind: "text", placeholder: "127.0.0.1",
    hint: "With or without a port." },
  { name: "environment", label: "Environment", kind: "select",
    options: [["", "Both"], ["sandbox", "Sandbox"], ["production", "Production"]] },
]

/// Its name is that of the whole match, to which errors of the other members belong.
const MORE = { name: "match", label: "More conditions, as JSON", kind: "json", rows: 2,
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
  #name
  #row
  #action

  /// `fault` is the fault to edit, or `null`.
  constructor(fault = null) {
    const name = fault ? Object.keys(fault.do)[0] : Object.keys(ACTIONS)[0]
    this.choice = h("select", { id: "fault-action", onchange: () => this.#choose(this.choice.value) },
      Object.entries(ACTIONS).map(([value, { label }]) => h("option", { value }, label)))
    this.meaning = h("p.hint", { id: "fault-action-meaning" })
    this.choice.setAttribute("aria-describedby", this.meaning.id)
    this.actionSlot = h("div")
    const { pushes, connection, more } = matchParts(fault?.match ?? {})
    const hasMore = Object.keys(more).length > 0
    this.pushes = new Fields(PUSHES, pushes)
    this.connections = new Fields(CONNECTIONS, connection)
    this.more = new Fields([MORE], hasMore ? { match: more } : {})
    this.times = new Fields(TIMES, fault?.when)
    this.limits = new Fields(LIMITS, fault?.when)
    this.name = new Fields(NAME, { name: fault?.name })
    const isLimited = fault && LIMITS.some(({ name: member }) => fault.when[member])
    this.rare = h("details", { open: hasMore || Object.keys(connection).length > 0 },
      h("summary", "More conditions"), h("div.fields", this.connections.element, this.more.element))
    this.whichLegend = h("legend")
    this.element = h("div.fields.fault-fields",
      h("fieldset.form-group", h("legend", "Action"),
        h("div.form-field", h("label", { for: "fault-action" }, "Type"), this.choice, this.meaning),
        this.actionSlot),
      h("fieldset.form-group", this.whichLegend, this.pushes.element, this.rare),
      h("fieldset.form-group", h("legend", "When"), this.times.element,
        h("details", { open: isLimited }, h("summary", "More limits"), this.limits.element)),
      this.name.element)
    this.#choose(name, fault?.do[name])
  }

  get isOnConnection() { return Boolean(this.#row.onConnection) }

  /// The body of the dry run.
  get conditions() { return { match: this.#match, when: { ...this.times.value, ...this.limits.value } } }

  get value() {
    const { value } = this.#action
    const { scalar, read = () => (scalar ? value[scalar] : value) } = this.#row
    return { ...this.name.value, ...this.conditions, do: { [this.#name]: read(value) } }
  }

  complain(errors) {
    const at = `/do/${this.#name}`
    const { scalar, read, fields } = this.#row
    const first = read ? fields[0]?.name : scalar
    const placed = errors.map((error) => (error.path === at && first ? { ...error, path: `${at}/${first}` } : error))
    const parts = [[this.#action, at], [this.limits, "/when"], [this.times, "/when"], [this.pushes, "/match"],
      [this.connections, "/match/connection"], [this.more, ""], [this.name, ""]]
    const left = parts.reduce((others, [part, place]) => part.complain(others, place), placed)
    for (const details of this.element.querySelectorAll("details")) {
      if (details.querySelector("[aria-invalid]")) details.open = true
    }
    return left
  }

  focus() { this.choice.focus() }

  get #match() {
    const connection = this.connections.value
    const narrowed = Object.keys(connection).length ? { connection } : {}
    if (this.isOnConnection) return narrowed
    const { match: more = {} } = this.more.value
    // Anything but an object is sent unchanged; the API's error says what is expected.
    if (typeof more !== "object" || more === null || Array.isArray(more)) return more
    return { ...more, ...this.pushes.value, ...narrowed }
  }

  #choose(name, value = ACTIONS[name].standard) {
    this.#name = name
    this.#row = ACTIONS[name]
    const { scalar, write = (whole) => (scalar ? { [scalar]: whole } : whole), fields, meaning } = this.#row
    this.choice.value = name
    this.#action = new Fields(fields, write(value))
    replace(this.meaning, meaning)
    replace(this.actionSlot, this.#action.element)
    replace(this.whichLegend, this.isOnConnection ? "Connections" : "Pushes")
    for (const { element } of [this.pushes, this.more]) element.hidden = this.isOnConnection
    if (this.isOnConnection) this.rare.open = true
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
