// The form of a fault: its action, which pushes it is for, and when it fires.

import { ENVIRONMENTS, Fields, PUSH_TYPES } from "../../core/core.js"
import { actionRows } from "./actions.js"

const TYPES = Object.keys(PUSH_TYPES).map((type) => [type, type])

const MATCH = [
  { name: "topic", label: "Topic", kind: "text", placeholder: "every topic" },
  { name: "token", label: "Device token", kind: "text", placeholder: "every token" },
  { name: "pushType", label: "Push type", kind: "select", options: [["", "Every type"], ...TYPES] },
  { name: "q", label: "Search", kind: "text", placeholder: 'has:badge "order"',
    hint: "Same syntax as the search field." },
  { name: "connection", kind: "group", fold: "More conditions", fields: [
    { name: "remote", label: "Client addresses", kind: "words", placeholder: "127.0.0.1",
      hint: "With or without a port." },
    { name: "environment", label: "Environment", kind: "select", options: ENVIRONMENTS, fallback: "both" },
  ] },
  { label: "More conditions, as JSON", kind: "json", rows: 2, fold: "More conditions",
    placeholder: '{"headers": {"apns-priority": "10"}}', hint: "Same format as a verification's match." },
]

const WHEN = [
  { name: "times", label: "Max times", kind: "number", placeholder: "no limit" },
  { name: "skip", label: "Skip first", kind: "number", fallback: 0 },
  { name: "every", label: "Every nth", kind: "number", fallback: 1 },
  { name: "probability", label: "Probability", kind: "number", fallback: 1, hint: "From 0 to 1." },
  { name: "from", label: "From", kind: "time", fold: "More limits" },
  { name: "until", label: "Until", kind: "time", fold: "More limits" },
  { name: "afterIdle", label: "After idle time", kind: "text", placeholder: "30s", fold: "More limits",
    hint: "Time without requests on the connection." },
  { name: "afterRequests", label: "After requests on the connection", kind: "number", fold: "More limits",
    fallback: 0 },
]

/// The form of a fault. Its `value` is the body of the API call.
export class FaultFields extends Fields {
  /// `schemas` are those of the OpenAPI document. `fault` is the fault to edit, or `null`.
  constructor(schemas, fault) {
    super([
      { name: "do", label: "Action", kind: "choice", fields: actionRows(schemas) },
      { name: "match", label: "Applies to", kind: "group", fields: MATCH },
      { name: "when", label: "When", kind: "group", fields: WHEN },
      { name: "name", label: "Name", kind: "text", placeholder: "two 503, then 200" },
    ], fault ?? {})
    this.element.classList.add("fault-fields")
    this.element.addEventListener("change", () => this.#showMatch())
    this.#showMatch()
  }

  /// Whether the action happens when a connection opens. Then only conditions on the connection apply.
  get isOnConnection() { return Boolean(this.parts[0].chosen.isOnConnection) }

  #showMatch() {
    const { element, inner } = this.parts[1]
    for (const part of inner.parts) part.element.hidden = this.isOnConnection && part.row.name !== "connection"
    if (this.isOnConnection) element.querySelector("details").open = true
  }
}
