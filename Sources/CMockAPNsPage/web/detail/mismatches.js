// Why a push does not match a verification, above everything else: reports of failed verifications link to it.

import { api, Call, h, note, plain, replace, router, showLoaded, valueOf } from "../core/core.js"
import { bytesOf } from "./body.js"

export class Mismatches {
  element = h("div", { role: "status", "aria-label": "Verification" })
  #shown = null

  /// `match` is the matcher of the URL, as Base64url of its JSON; `undefined` for none.
  show({ id }, match) {
    const shown = match ? JSON.stringify([id, match]) : null
    if (shown === this.#shown) return
    this.#shown = shown
    replace(this.element)
    const read = () => (match ? api.send(new Call("POST", "/pushes/explain", { id, match: matcherOf(match) })) : null)
    showLoaded(this.element, read, (answer) => answer && explanation(answer))
  }
}

function matcherOf(text) { return JSON.parse(new TextDecoder().decode(bytesOf(text))) }

function explanation({ conditions, matches }) {
  const missed = conditions.filter((condition) => !condition.ok)
  const counted = `${conditions.length - missed.length} of ${conditions.length} conditions are met.`
  const close = h("a.button.small", { href: router.here({ match: null }) }, "Dismiss")
  if (matches) return note("good", "accepted", "This push now matches the verification.", close)
  return note("bad", "rejected", `This push does not match the verification: ${counted}`,
    h("ul.mismatches", missed.map(conditionRow)),
    close)
}

function conditionRow({ field, operator, expected, actual }) {
  if (field === "q") return h("li", "Search: ", valueOf(expected))
  const name = h("a.mono.foreign", { href: router.here(placeOf(field)) }, plain(field, 120))
  const words = ` ${plain(operator.replace(/^equals$/, ""), 40)} expected `
  return h("li", name, words, valueOf(expected), ", seen ", valueOf(actual ?? undefined))
}

/// The tab that shows the field of a condition, as parameters of the URL.
function placeOf(field) {
  if (field.startsWith("payload ")) return { tab: "json", at: field.slice("payload ".length) }
  if (/^(verdict|status|reason)/.test(field)) return { tab: "checks", at: null }
  return { tab: /^(delivery|device)/.test(field) ? "timeline" : "headers", at: null }
}
