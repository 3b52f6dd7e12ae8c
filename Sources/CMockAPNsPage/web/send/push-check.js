// What the rules would answer to the push in the form, and the size of its payload.

import {
  api, Call, chip, complaintWords, count, h, icon, plain, replace, sentence, shareMeter, showLoaded, whenStill,
} from "../core/core.js"

/// The pause after the last keystroke before the push is checked (milliseconds).
const REST = 350

/// Checks the push of `form` and shows the size of its payload, now and after each change.
export function checkPart(form) {
  const answer = h("div.push-answer")
  const size = h("span.push-size")
  const check = () => showLoaded(answer, () => answerTo(form.value), (content) => content)
  const checkSoon = whenStill(check, REST)
  const changed = () => {
    showSize(size, form.value)
    checkSoon()
  }
  form.element.addEventListener("input", changed)
  form.element.addEventListener("change", changed)
  showSize(size, form.value)
  check()
  return h("div.notice.push-check", { role: "status", "aria-label": "Check" }, answer, size)
}

function showSize(element, { pushType, payload, text }) {
  const size = new TextEncoder().encode(payload === undefined ? text : JSON.stringify(payload)).length
  const { payloadBytes } = api.info.limits
  const limit = Object.hasOwn(payloadBytes, pushType) ? payloadBytes[pushType] : payloadBytes.alert
  element.classList.toggle("bad", size > limit)
  replace(element, shareMeter(size / limit), `${count(size)} of ${count(limit)} bytes`)
}

async function answerTo(push) {
  try {
    const answer = await api.send(new Call("POST", "/pushes/check", push))
    return [verdictPart(answer), warnings(answer)]
  } catch ({ errors: [first] = [], message }) {
    return h("span.warn.foreign", first ? complaintWords(first) : message)
  }
}

function verdictPart({ response: { status, reason }, verdict: { problem, hint, meaning } }) {
  const isAccepted = status === 200
  const text = problem ?? hint ?? meaning
  return [
    isAccepted ? chip("200 Accepted", "good", "accepted") : chip(`${status} ${reason ?? ""}`, "bad", "rejected"),
    text && !isAccepted ? h("span.foreign", plain(sentence(text), 600)) : null,
  ]
}

/// Notes are left out: they need no change.
function warnings({ lints }) {
  const shown = lints.filter(({ severity }) => severity !== "info")
  if (!shown.length) return null
  return h("ul.push-warnings", shown.map(({ id, message, severity }) => h("li", {
    class: severity === "error" ? "bad" : "warn",
  }, icon("warning"), h("span.foreign", h("code", id), " ", plain(sentence(message), 300)))))
}
