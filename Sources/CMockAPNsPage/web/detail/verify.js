// Creates a test from a push: selected values become a verification, which can be run on the page.

import { actions, copyable } from "../core/actions.js"
import { api, Call, quoted } from "../core/api.js"
import { Choice } from "../core/choice.js"
import { block, h, note, plain, pushCount, replace } from "../core/elements.js"
import { router } from "../core/router.js"
import { bodyOf } from "./body.js"
import { readJSON } from "./jsontext.js"
import { swiftTest } from "./swift.js"

/// The fields of a push that can be asserted. `isUsual` fields are selected at first; `flag` is the command's option.
const FIELDS = [
  { name: "topic", value: (record) => record.apns.topic, isUsual: true, flag: "--topic" },
  { name: "pushType", value: (record) => record.apns.pushType, isUsual: true, flag: "--type" },
  { name: "priority", value: (record) => record.apns.priority },
  { name: "expiration", value: (record) => record.apns.expiration },
  { name: "collapseId", value: (record) => record.apns.collapseId },
  { name: "device", value: (record) => record.delivery.device },
  { name: "token", value: (record) => record.apns.token, flag: "--token" },
  { name: "keyId", value: (record) => record.auth.keyId },
  { name: "environment", value: (record) => record.environment },
  { name: "delivery", value: (record) => record.delivery.state },
]

/// Payload values that are selected at first or have a command option.
const PLACES = {
  "/aps/alert": { isUsual: true },
  "/aps/alert/title": { isUsual: true, flag: "--title" },
  "/aps/alert/body": { isUsual: true, flag: "--body" },
}

const COUNTS = [
  { name: "exactly", label: "Exactly one" },
  { name: "atLeast", label: "One or more" },
]

const OUTPUTS = [
  { name: "command", label: "mock-apns" },
  { name: "curl", label: "curl" },
  { name: "swift", label: "Swift" },
  { name: "json", label: "JSON" },
]

/// The most payload values that are offered.
const MOST_VALUES = 60

export class VerifyForm {
  element = h("div.verify")
  #conditions = []
  #count
  #outputChoice
  #output = h("div")
  #result = h("div", { "aria-live": "polite" })

  constructor() {
    this.#count = new Choice("Count", COUNTS, () => this.#changed())
    this.#count.value = "exactly"
    this.#outputChoice = new Choice("Output", OUTPUTS, () => this.#showOutput())
    this.#outputChoice.value = "command"
  }

  show(record) {
    this.#conditions = conditionsOf(record)
    const rows = this.#conditions.map((condition) => {
      const box = h("input", { type: "checkbox", checked: condition.isChosen, onchange: (event) => {
        condition.isChosen = event.target.checked
        this.#changed()
      } })
      return h("li",
        h("label", box, h("span.mono.foreign", plain(condition.name, 120)),
          h("span.mono.foreign.weak.one-line", plain(condition.shown, 120))))
    })
    replace(this.element,
      h("p.weak", "Choose what to assert."),
      h("fieldset.conditions", h("legend.said", "Assertions"), h("ul", rows)),
      h("div.bar",
        this.#count.element,
        actions.button("Run", () => new Call("POST", "/pushes/verify", this.#verification()), {
          kind: "small primary",
          iconName: "accepted",
          title: "Runs the verification on the recorded pushes",
          onDone: (answer) => this.#succeeded(answer),
          onProblem: (error) => this.#failed(error),
        })),
      this.#result,
      h("div.bar", this.#outputChoice.element),
      this.#output)
    this.#changed()
  }

  #changed() {
    replace(this.#result)
    this.#showOutput()
  }

  #showOutput() {
    const body = this.#verification()
    const texts = {
      command: () => this.#command(body),
      curl: () => api.curl(new Call("POST", "/pushes/verify", body)),
      swift: () => swiftTest(`${location.origin}${api.url("/pushes/verify")}`, body),
      json: () => JSON.stringify(body, null, 2),
    }
    replace(this.#output, copyable(texts[this.#outputChoice.value](), "Copy", "Verification"))
  }

  /// The body of `POST /pushes/verify`.
  #verification() {
    const match = {}
    const payload = []
    for (const condition of this.#conditions) if (condition.isChosen) condition.add(match, payload)
    if (payload.length > 0) match.payload = payload
    return { match, count: { [this.#count.value]: 1 } }
  }

  /// The command for a shell: with options if each condition has one, or else with the JSON.
  #command(body) {
    const chosen = this.#conditions.filter((condition) => condition.isChosen)
    const { namespace } = api
    const words = ["mock-apns verify"]
    const isShort = ({ flag, value }) => Boolean(flag) && typeof value === "string"
    const isLong = chosen.length === 0 || !chosen.every(isShort)
    if (!isLong) {
      words.push(...chosen.map((condition) => `${condition.flag} ${quoted(condition.value)}`))
      words.push(this.#count.value === "exactly" ? "--count 1" : "--at-least 1")
    } else {
      words.push("-f -")
    }
    if (location.port !== "8197") words.push(`--api ${quoted(location.origin)}`)
    if (namespace !== "default") words.push(`--ns ${quoted(namespace)}`)
    words.push("--within 5s")
    const command = words.join(" ")
    return isLong ? `${command} <<'END'\n${JSON.stringify(body, null, 2)}\nEND` : command
  }

  // The result of running it.

  #succeeded(answer) {
    const ids = answer.matched.slice(-5)
    replace(this.#result,
      note("good", "accepted", [
        `Passed: ${pushCount(answer.count)} ${answer.count === 1 ? "matches" : "match"}. `,
        ids.map((id) => [h("a.mono", { href: router.path(`/p/${encodeURIComponent(id)}`) }, id), " "]),
      ]))
  }

  #failed(error) {
    const report = error.document?.report
    replace(this.#result,
      note("bad",
        "rejected",
        report ? "Failed." : error.text ?? error.message,
        report ? block(report, "Report", "report") : null))
  }
}

/// The conditions that can be selected: `{name, value, shown, flag, isChosen, add(match, payload)}`.
function conditionsOf(record) {
  const conditions = FIELDS.map(({ value, ...field }) => ({ ...field, value: value(record) }))
    .filter(({ value }) => value !== null && value !== undefined)
    .map(({ isUsual = false, ...field }) => memberCondition({ ...field, isChosen: isUsual }))
  const { reason, status, outcome } = record.verdict
  if (outcome === "rejected") {
    const value = reason === null ? { status } : { reason }
    conditions.unshift(memberCondition({ name: "verdict", value, shown: reason ?? status, isChosen: true }))
  }
  const { payload, bodyKept } = record.request
  const { values } = readJSON(bodyOf(record).text)
  if (!values || !bodyKept || payload === null) return conditions
  for (const leaf of values.filter(({ isContainer }) => !isContainer).slice(0, MOST_VALUES)) {
    // Skip numbers that JavaScript cannot represent exactly.
    if (leaf.kind === "number" && String(Number(leaf.source)) !== leaf.source) continue
    const { pointer, path, source } = leaf
    const value = JSON.parse(source)
    // For a duplicate name, the server uses the last value.
    if (path.reduce((holder, name) => holder?.[name], payload) !== value) continue
    const { isUsual = false, flag } = PLACES[pointer] ?? {}
    const add = (match, payload) => payload.push({ at: pointer, equals: value })
    conditions.push({ name: pointer || "payload", value, flag, shown: source, isChosen: isUsual, add })
  }
  return conditions
}

/// A condition for a member of the matcher.
function memberCondition({ name, value, shown = value, ...others }) {
  return { name, value, shown: String(shown), ...others, add: (match) => { match[name] = value } }
}
