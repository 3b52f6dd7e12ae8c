// Creates a test from a push: selected values become a verification, which can be run on the page.

import {
  actions, api, block, Call, Choice, copyable, h, note, openDialog, plain, pushCount, pushLink, replace, shellQuoted,
  toasts,
} from "../core/core.js"
import { bodyOf } from "./body.js"
import { readJSON } from "./jsontext.js"
import { languages } from "./snippets.js"
import { swiftTest } from "./swift.js"

/// The fields of a push that can be asserted, and whether they are at first. `flag` is the command's option, `swift`
/// the matcher of the Swift library if it has another name.
const FIELDS = [
  { name: "topic", value: ({ apns }) => apns.topic, isChosen: true, flag: "--topic" },
  { name: "pushType", value: ({ apns }) => apns.pushType, isChosen: true, flag: "--type", swift: "type" },
  { name: "priority", value: ({ apns }) => apns.priority },
  { name: "expiration", value: ({ apns }) => apns.expiration },
  { name: "collapseId", value: ({ apns }) => apns.collapseId, swift: "collapseID" },
  { name: "device", value: ({ delivery }) => delivery.device },
  { name: "token", value: ({ apns }) => apns.token, flag: "--token" },
  { name: "keyId", value: ({ auth }) => auth.keyId, swift: "keyID" },
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
  { name: "exactly", label: "Exactly one", flag: "--count 1" },
  { name: "atLeast", label: "One or more", flag: "--at-least 1" },
]

/// How a test `{conditions, count}` is written; docs/tests.md has more languages.
const OUTPUTS = [
  { name: "command", label: "mock-apns", write: command },
  { name: "curl", label: "curl", write: (test) => api.curl(verifyCall(test)) },
  { name: "swift", label: "Swift", write: swiftTest },
  { name: "json", label: "JSON", write: (test) => JSON.stringify(verifyCall(test).body, null, 2) },
]

/// The most payload values that are offered.
const MOST_VALUES = 60

/// Opens the dialog. Without the other languages, it is of use all the same.
export async function openVerify(record) {
  const others = await languages((test) => verifyCall(test).body).catch((error) => {
    toasts.problem(error)
    return []
  })
  const rows = [...OUTPUTS.slice(0, -1), ...others, OUTPUTS.at(-1)]
  const conditions = conditionsOf(record)
  const output = h("div")
  const result = h("div", { "aria-live": "polite" })
  const test = () => ({ conditions: conditions.filter(({ isChosen }) => isChosen), count: count.value })
  const show = () => {
    const { write } = rows.find(({ name }) => name === outputs.value)
    replace(output, copyable(write(test()), "Copy", "Verification"))
  }
  const changed = () => {
    replace(result)
    show()
  }
  const count = new Choice("Count", COUNTS, changed)
  const outputs = new Choice("Output", rows, show)
  count.value = "exactly"
  outputs.value = "command"
  show()
  openDialog("Create test", h("div.verify",
    h("p.weak", "Choose what to assert."),
    h("fieldset.conditions", h("legend.said", "Assertions"),
      h("ul", conditions.map((condition) => conditionRow(condition, changed)))),
    h("div.bar",
      count.element,
      actions.button("Run", () => verifyCall(test()), {
        kind: "small primary",
        iconName: "accepted",
        title: "Runs the verification on the recorded pushes",
        onDone: (answer) => replace(result, success(answer)),
        onProblem: (error) => replace(result, failure(error)),
      })),
    result,
    h("div.bar", outputs.element),
    output)).classList.add("wide")
}

function conditionRow(condition, changed) {
  const { name, shown, isChosen } = condition
  const onchange = ({ target }) => {
    condition.isChosen = target.checked
    changed()
  }
  return h("li", h("label",
    h("input", { type: "checkbox", checked: isChosen, onchange }),
    h("span.mono.foreign", plain(name, 120)),
    h("span.mono.foreign.weak.one-line", plain(shown, 120))))
}

function success({ count, matched }) {
  return note("good", "accepted", [
    `Passed: ${pushCount(count)} ${count === 1 ? "matches" : "match"}. `,
    matched.slice(-5).map((id) => [pushLink(id, id, { kind: "mono" }), " "]),
  ])
}

function failure(error) {
  const report = error.document?.report
  return report
    ? note("bad", "rejected", "Failed.", block(report, "Report", "report"))
    : note("bad", "rejected", error.text ?? error.message)
}

function verifyCall({ conditions, count }) {
  const match = {}
  for (const { name, pointer, value } of conditions) {
    if (pointer === undefined) match[name] = value
    else (match.payload ??= []).push({ at: pointer, equals: value })
  }
  return new Call("POST", "/pushes/verify", { match, count: { [count]: 1 } })
}

/// The command for a shell: with options if each condition has one, or else with the JSON.
function command({ conditions, count }) {
  const isShort = conditions.length > 0 && conditions.every(({ flag, value }) => flag && typeof value === "string")
  const words = ["mock-apns verify"]
  if (isShort) {
    words.push(...conditions.map(({ flag, value }) => `${flag} ${shellQuoted(value)}`))
    words.push(COUNTS.find(({ name }) => name === count).flag)
  } else {
    words.push("-f -")
  }
  if (location.port !== "8197") words.push(`--api ${shellQuoted(location.origin)}`)
  if (api.namespace !== "default") words.push(`--ns ${shellQuoted(api.namespace)}`)
  words.push("--within 5s")
  const { body } = verifyCall({ conditions, count })
  return isShort ? words.join(" ") : `${words.join(" ")} <<'END'\n${JSON.stringify(body, null, 2)}\nEND`
}

/// The conditions that can be selected: `{name, value, shown, isChosen, flag, swift, pointer}`. Those for values of the
/// payload have a `pointer`.
function conditionsOf(record) {
  const { outcome } = record.verdict
  const fields = FIELDS.map((field) => {
    const value = field.value(record)
    return { ...field, value, shown: value }
  })
  return [...(outcome === "rejected" ? [verdictCondition(record)] : []), ...fields, ...payloadConditions(record)]
    // Not numbers that JavaScript cannot represent exactly.
    .filter(({ shown, value }) => (shown ?? null) !== null && (!Number.isInteger(value) || Number.isSafeInteger(value)))
}

function verdictCondition({ verdict: { reason, status } }) {
  const [swift, shown] = reason === null ? ["status", status] : ["reason", reason]
  return { name: "verdict", value: { [swift]: shown }, shown, swift, isChosen: true }
}

function payloadConditions(record) {
  const { payload } = record.request
  const { values = [] } = readJSON(bodyOf(record).text)
  return values.filter(({ isContainer }) => !isContainer).slice(0, MOST_VALUES)
    .map(({ pointer, path, source }) => {
      return { ...PLACES[pointer], name: pointer || "payload", pointer, path, shown: source, value: JSON.parse(source) }
    })
    // Not numbers that JavaScript would write differently. For a duplicate name, the server uses the last value.
    .filter(({ path, shown, value }) => (typeof value !== "number" || String(value) === shown)
      && path.reduce((holder, name) => holder?.[name], payload) === value)
}
