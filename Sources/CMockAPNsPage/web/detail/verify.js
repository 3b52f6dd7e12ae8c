// Creates a test from a push: selected values become a verification, which can be run on the page.

import { actions, copyable, openDialog } from "../core/actions.js"
import { api, Call, quoted } from "../core/api.js"
import { Choice } from "../core/choice.js"
import { block, h, note, plain, pushCount, replace } from "../core/elements.js"
import { router } from "../core/router.js"
import { bodyOf } from "./body.js"
import { readJSON } from "./jsontext.js"
import { swiftTest } from "./swift.js"

/// The fields of a push that can be asserted, and whether they are at first; `flag` is the command's option.
const FIELDS = [
  { name: "topic", value: ({ apns }) => apns.topic, isChosen: true, flag: "--topic" },
  { name: "pushType", value: ({ apns }) => apns.pushType, isChosen: true, flag: "--type" },
  { name: "priority", value: ({ apns }) => apns.priority },
  { name: "expiration", value: ({ apns }) => apns.expiration },
  { name: "collapseId", value: ({ apns }) => apns.collapseId },
  { name: "device", value: ({ delivery }) => delivery.device },
  { name: "token", value: ({ apns }) => apns.token, flag: "--token" },
  { name: "keyId", value: ({ auth }) => auth.keyId },
  { name: "environment", value: ({ environment }) => environment },
  { name: "delivery", value: ({ delivery }) => delivery.state },
]

/// Payload values that are asserted at first or have a command option.
const PLACES = {
  "/aps/alert": { isChosen: true },
  "/aps/alert/title": { isChosen: true, flag: "--title" },
  "/aps/alert/body": { isChosen: true, flag: "--body" },
}

const COUNTS = [
  { name: "exactly", label: "Exactly one", option: "--count 1" },
  { name: "atLeast", label: "One or more", option: "--at-least 1" },
]

const OUTPUTS = [
  { name: "command", label: "mock-apns" },
  { name: "curl", label: "curl" },
  { name: "swift", label: "Swift" },
  { name: "json", label: "JSON" },
]

/// The most payload values that are offered.
const MOST_VALUES = 60

/// Opens the dialog.
export function openVerify(record) {
  openDialog("Create test", new VerifyForm(record).element).classList.add("wide")
}

class VerifyForm {
  #conditions
  #count = new Choice("Count", COUNTS, () => this.#changed())
  #outputChoice = new Choice("Output", OUTPUTS, () => this.#showOutput())
  #output = h("div")
  #result = h("div", { "aria-live": "polite" })

  constructor(record) {
    this.#conditions = conditionsOf(record)
    this.#count.value = "exactly"
    this.#outputChoice.value = "command"
    this.element = h("div.verify",
      h("p.weak", "Choose what to assert."),
      h("fieldset.conditions", h("legend.said", "Assertions"), h("ul", this.#conditions.map((one) => this.#row(one)))),
      h("div.bar",
        this.#count.element,
        actions.button("Run", () => new Call("POST", "/pushes/verify", this.#verification), {
          kind: "small primary",
          iconName: "accepted",
          title: "Runs the verification on the recorded pushes",
          onDone: (answer) => this.#succeeded(answer),
          onProblem: (error) => this.#failed(error),
        })),
      this.#result,
      h("div.bar", this.#outputChoice.element),
      this.#output)
    this.#showOutput()
  }

  #row(condition) {
    const { name, value, shown = value, isChosen } = condition
    const onchange = ({ target }) => {
      condition.isChosen = target.checked
      this.#changed()
    }
    return h("li", h("label",
      h("input", { type: "checkbox", checked: isChosen, onchange }),
      h("span.mono.foreign", plain(name, 120)),
      h("span.mono.foreign.weak.one-line", plain(shown, 120))))
  }

  #changed() {
    replace(this.#result)
    this.#showOutput()
  }

  #showOutput() {
    const body = this.#verification
    const texts = {
      command: () => this.#command(body),
      curl: () => api.curl(new Call("POST", "/pushes/verify", body)),
      swift: () => swiftTest(`${location.origin}${api.url("/pushes/verify")}`, body),
      json: () => JSON.stringify(body, null, 2),
    }
    replace(this.#output, copyable(texts[this.#outputChoice.value](), "Copy", "Verification"))
  }

  get #chosen() { return this.#conditions.filter(({ isChosen }) => isChosen) }

  /// The body of `POST /pushes/verify`.
  get #verification() {
    const [members, values] = [false, true].map((isInPayload) => {
      return this.#chosen.filter(({ pointer }) => (pointer !== undefined) === isInPayload)
    })
    const match = Object.fromEntries(members.map(({ name, value }) => [name, value]))
    if (values.length > 0) match.payload = values.map(({ pointer, value }) => ({ at: pointer, equals: value }))
    return { match, count: { [this.#count.value]: 1 } }
  }

  /// The command for a shell: with options if each condition has one, or else with the JSON.
  #command(body) {
    const chosen = this.#chosen
    const isShort = chosen.length > 0 && chosen.every(({ flag, value }) => flag && typeof value === "string")
    const words = ["mock-apns verify", ...(isShort
      ? [...chosen.map(({ flag, value }) => `${flag} ${quoted(value)}`),
        COUNTS.find(({ name }) => name === this.#count.value).option]
      : ["-f -"])]
    if (location.port !== "8197") words.push(`--api ${quoted(location.origin)}`)
    if (api.namespace !== "default") words.push(`--ns ${quoted(api.namespace)}`)
    words.push("--within 5s")
    return isShort ? words.join(" ") : `${words.join(" ")} <<'END'\n${JSON.stringify(body, null, 2)}\nEND`
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

/// The conditions that can be selected: `{name, value, shown, flag, isChosen, pointer}`. Those for values of the payload
/// have a `pointer`.
function conditionsOf(record) {
  const { reason, status, outcome } = record.verdict
  const value = reason === null ? { status } : { reason }
  const verdict = { name: "verdict", value, shown: reason ?? status, isChosen: true }
  const fields = FIELDS.map((field) => ({ ...field, value: field.value(record) }))
    .filter(({ value }) => value !== null && value !== undefined)
  return [...(outcome === "rejected" ? [verdict] : []), ...fields, ...payloadConditions(record)]
}

function payloadConditions(record) {
  const { payload, bodyKept } = record.request
  const { values = [] } = readJSON(bodyOf(record).text)
  if (!bodyKept || payload === null) return []
  return values.filter(({ isContainer }) => !isContainer).slice(0, MOST_VALUES)
    .map(({ pointer, path, source }) => {
      return { ...PLACES[pointer], name: pointer || "payload", pointer, path, shown: source, value: JSON.parse(source) }
    })
    // Not numbers that JavaScript cannot represent exactly. For a duplicate name, the server uses the last value.
    .filter(({ path, shown, value }) => (typeof value !== "number" || String(value) === shown)
      && path.reduce((holder, name) => holder?.[name], payload) === value)
}
