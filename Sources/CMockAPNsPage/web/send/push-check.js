// What the rules would answer to the push in the form, and the size of its payload.

import { api, Call } from "../core/api.js"
import { chip, count, h, icon, plain, replace, sentence, shareMeter } from "../core/elements.js"
import { complaintWords } from "../core/forms.js"
import { whenStill } from "../core/soon.js"

/// The pause after the last keystroke before the push is checked (milliseconds).
const REST = 350

export class PushCheck {
  #answer = h("div.push-answer")
  #size = h("span.push-size")
  element = h("div.notice.push-check", { role: "status", "aria-label": "Check" }, this.#answer, this.#size)
  #form
  /// Incremented for each check, so that a late response is ignored.
  #turn = 0

  /// Checks the push of `form` and shows the size of its payload, now and after each change.
  constructor(form) {
    this.#form = form
    const soon = whenStill(() => this.#run(), REST)
    for (const event of ["input", "change"]) {
      form.element.addEventListener(event, () => {
        this.#showSize()
        soon()
      })
    }
    this.#showSize()
    this.#run()
  }

  #showSize() {
    const { pushType, payload, text } = this.#form.value
    const size = new TextEncoder().encode(payload === undefined ? text : JSON.stringify(payload)).length
    const { payloadBytes } = api.info.limits
    const limit = Object.hasOwn(payloadBytes, pushType) ? payloadBytes[pushType] : payloadBytes.alert
    this.#size.classList.toggle("bad", size > limit)
    replace(this.#size,
      shareMeter(size / limit),
      `${count(size)} of ${count(limit)} bytes`)
  }

  async #run() {
    const turn = this.#turn += 1
    try {
      const answer = await api.send(new Call("POST", "/pushes/check", this.#form.value))
      if (turn === this.#turn) replace(this.#answer, verdictPart(answer), warnings(answer))
    } catch (error) {
      const [first] = error.errors ?? []
      const words = first ? complaintWords(first) : error.message
      if (turn === this.#turn) replace(this.#answer, h("span.warn.foreign", words))
    }
  }
}

function verdictPart({ response: { status, reason }, verdict: { problem, meaning } }) {
  const isAccepted = status === 200
  const text = problem ?? meaning
  return [
    chip(isAccepted ? "200 Accepted" : `${status} ${reason ?? ""}`, isAccepted ? "good" : "bad", isAccepted ? "accepted" : "rejected"),
    text && !isAccepted ? h("span.foreign", plain(sentence(text), 300)) : null,
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
