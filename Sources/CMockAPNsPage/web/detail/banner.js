// What the head says about the response: the fault or the failed check behind it, and how to fix the push.

import { api, count, facts, foreign, h, note, pageLink, plain, replace, valueOf } from "../core/core.js"
import { checkResults, isByFault, verdictLook, verdictWords } from "./labels.js"

/// The notes about the response of a push.
export function responseNotes(record) {
  const { verdict, faults, delivery: { ignored } } = record
  const isExplained = verdict.reason || verdict.problem || verdict.hint
  return [
    faults.length > 0 ? faultNote(record) : null,
    // The advice for a reason does not apply to a fault.
    isExplained && !isByFault(record) ? rejection(record) : null,
    ignored ? ignoredNote(ignored) : null,
    record.forward ? forwardNote(record) : null,
  ]
}

/// Both answers, side by side, if the push was forwarded to another push service.
function forwardNote({ forward, response, verdict }) {
  const [words, tone] = FORWARD_NOTES[forward.outcome]
  const answer = ({ status, reason }) => [status, reason].filter((part) => part !== null).join(" ")
  return note(tone, "send", [words],
    facts([
      ["Here", plain(answer({ status: response.status, reason: verdict.reason }), 80)],
      ["There", foreign(forward.status === null ? forward.error : answer(forward))],
      forward.status === null ? null : ["Took", `${Number(forward.durationMs.toPrecision(3))} ms`],
      forward.body ? ["Body", foreign(forward.body)] : null,
      ...forward.headers.map(([name, value]) => [plain(name, 60), foreign(value)]),
    ].filter(Boolean)))
}

const FORWARD_NOTES = {
  same: ["The service that it was forwarded to gives the same answer.", "good"],
  differs: ["The service that it was forwarded to gives another answer.", "warn"],
  failed: ["Forwarded, but the service did not answer.", "warn"],
  dropped: ["Not forwarded: too many pushes were waiting.", "warn"],
}

/// Why the device ignores a push that APNs has accepted.
function ignoredNote({ code, text }) {
  return note("warn", "warning", ["The device ignores this push. ", foreign(text)],
    facts([["Reason", pageLink("/", h("code", code), { q: `ignored:${code}` })]]))
}

function faultNote(record) {
  const { faults: [id], response } = record
  const { failed } = checkResults(record)
  const name = faultPart(id, `${id}, since deleted,`)
  const tell = (...words) => note(verdictLook(record).tone, "fault", ["The fault ", name, ...words])
  if (!isByFault(record) || response.status === 200) return tell(" changed what happened to this push.")
  return tell(
    response.status === 0 ? " fired instead of a response." : ` responded ${verdictWords(record)}.`,
    failed
      ? ` Without it, the check ${failed.id} would have rejected the push.`
      : " Without it, the push would have been accepted.")
}

/// A link to a fault, with its name as soon as that is known; or `gone` if the fault was deleted.
export function faultPart(id, gone) {
  const link = pageLink(`/faults/${encodeURIComponent(id)}`, plain(id, 80), { kind: "foreign" })
  const element = h("span", link)
  api.get("/faults").then(({ faults }) => {
    const fault = faults.find((one) => one.id === id)
    if (fault) replace(link, plain(fault.name ?? fault.preset ?? id, 80))
    else replace(element, gone)
  }, () => { /* Its ID stays. */ })
  return element
}

/// Why APNs rejects the push: the cause and how to fix it, then what the failed check expected and saw.
function rejection(record) {
  const { meaning, hint, problem } = record.verdict
  return h("div.note", { class: record.response.status === 200 ? "" : "bad", role: "group", "aria-label": "Why" },
    hint ?? meaning ? h("p", foreign(hint ?? meaning)) : null,
    failedCheck(checkResults(record).failed),
    problem ? h("p", foreign(problem)) : null)
}

function failedCheck(check) {
  if (!check) return null
  const { id, expected, actual, limit, detail } = check
  const exactly = detail === undefined ? null : h("div", foreign(detail))
  return facts([
    ["Check", h("code", id)],
    ["Expected", limit === undefined ? foreign(expected) : `at most ${count(limit)} bytes`],
    ["Seen", actual === undefined ? exactly : [seen(actual), exactly]],
  ])
}

/// A value that a check has seen. Numbers are sizes.
export function seen(value, most = 300) {
  return valueOf(typeof value === "number" ? `${count(value)} bytes` : value ?? undefined, most)
}
