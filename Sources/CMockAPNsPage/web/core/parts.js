// Elements that several views share.

import { h, plain } from "./dom.js"
import { icon } from "./icons.js"

/// A section of a tab with a heading.
export function part(title, ...children) {
  return h("section.part", h("h3", title), ...children)
}

/// A list of names and values, or `null` if no row has a value.
export function facts(rows) {
  const kept = rows.filter(([, value]) => value !== null && value !== undefined && value !== false)
  return kept.length === 0 ? null : h("dl.values",
    kept.map(([name, value]) => h("div", h("dt", name), h("dd", [value]))))
}

/// A short untrusted text of a push; `null` if there is none.
export function foreign(text, kind = "") {
  return text === null || text === undefined ? null : h("span.foreign", { class: kind }, plain(text))
}

/// An untrusted value of a push, as JSON if it is not a text; `undefined` is absent.
export function valueOf(value, most = 300) {
  if (value === undefined) return h("span.weak", "absent")
  if (value === "") return h("span.weak", "empty")
  return h("span.mono.foreign", plain(typeof value === "string" ? value : JSON.stringify(value), most))
}

/// A label for a state, with an optional icon and color.
export function chip(words, tone = "", iconName = null) {
  return h("span.chip", { class: tone }, iconName ? icon(iconName) : null, words)
}

/// A bar for the used share of a limit: yellow if little is left, red above it. The text beside it says the same.
export function shareMeter(share) {
  const most = 1.001
  return h("meter", { max: most, low: 0.9, high: 1, optimum: 0, value: Math.min(share, most), "aria-hidden": "true" })
}

/// A colored note. `tone` is `bad`, `warn`, `good` or "", `words` the text beside the icon, `more` the content below.
export function note(tone, iconName, words, ...more) {
  return h("div.note", { class: tone }, h("p", icon(iconName), h("span.foreign", words)), more)
}

/// A scrolling block of preformatted text. `name` is its label for screen readers.
export function block(content, name, kind = "") {
  const properties = { class: `block foreign ${kind}`, tabindex: "0", role: "region", "aria-label": name }
  return h("pre", properties, h("code", content))
}

/// A message as a sentence, with a capital letter and a full stop.
export function sentence(text) {
  const begun = /^[a-z]+[ ,]/.test(text) ? text[0].toUpperCase() + text.slice(1) : text
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/// The header row of a table.
export function columns(names, properties = {}) {
  return h("thead", properties, h("tr", names.map((name) => h("th", { scope: "col" }, name))))
}

/// An error, shown instead of the content that could not be loaded.
export function problemNote(error, retry = null) {
  const again = retry ? h("button.small", { onclick: retry }, "Try again") : null
  return h("div", { role: "alert" }, note("bad", "warning", error.text ?? error.message, again))
}

/// The empty state of a view, for example of a list: what it is for, and what to do.
export function emptyState(title, text, ...actions) {
  return h("div.empty", h("h2", { tabindex: "-1" }, title), h("p.foreign", text), ...actions)
}

/// Redraws an element without losing the focus: the same control gets it, or else one with the same text, or the one at
/// the same position in the tab order.
export function keepingFocus(element, render) {
  const focusable = () => [...element.querySelectorAll("a[href], button, input, select, textarea, [tabindex]")]
  const focused = document.activeElement
  const at = focusable().indexOf(focused)
  render()
  if (at < 0) return
  const next = focusable()
  const isSame = (one) => one === focused || focused.textContent && one.textContent === focused.textContent
  const target = next.find(isSame) ?? next[Math.min(at, next.length - 1)] ?? element.closest("[tabindex]")
  target?.focus({ preventScroll: true })
}
