// What several tabs of a push show in the same way.

import { h, plain } from "../core/dom.js"
import { icon } from "../core/icons.js"

/// A part of a tab under a heading.
export function part(title, ...children) {
  return h("section", { class: "part" }, h("h3", {}, title), ...children)
}

/// Names and values; rows of which the value is `null` or `undefined` are left out.
export function facts(rows) {
  const kept = rows.filter(([, value]) => value !== null && value !== undefined && value !== false)
  return h(
    "dl",
    { class: "values" },
    kept.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))
  )
}

/// A short text of a push, that stays on its line.
export function foreign(text, properties = {}) {
  return h("span", { ...properties, class: `foreign ${properties.class ?? ""}` }, plain(text))
}

/// A word that says a state; its icon and colour say it again.
export function chip(words, tone = "", iconName = null) {
  return h("span", { class: `chip ${tone}` }, iconName ? icon(iconName) : null, words)
}

/// A coloured note. `tone`: `bad`, `warn`, `good` or ""; `words`: what it says beside its icon; `more`: below that.
export function note(tone, iconName, words, ...more) {
  return h(
    "div",
    { class: tone ? `note ${tone}-note` : "note" },
    h("p", {}, icon(iconName), h("span", { class: "foreign" }, words)),
    more
  )
}

/// A text with its lines, in a frame that scrolls; `name` is for those who listen.
export function block(content, name, kind = "") {
  const properties = { class: `block foreign ${kind}`, tabindex: "0", role: "region", "aria-label": name }
  return h("pre", properties, h("code", {}, content))
}

/// A message as a sentence: they begin with a small letter and end without a stop.
export function sentence(text) {
  const begun = /^[a-z]+[ ,]/.test(text) ? text[0].toUpperCase() + text.slice(1) : text
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/// The heads of a table's columns.
export function columns(names, properties = {}) {
  return h("thead", properties, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name))))
}

/// A problem of the server where something of its should be.
export function problemNote(error, retry = null) {
  const again = retry ? h("button", { class: "small", onclick: retry }, "Try again") : null
  return h("div", { role: "alert" }, note("bad", "warning", error.text ?? error.message, again))
}

/// Renders anew what has the focus, without losing it: what stands at the same place in the order of focus gets it.
export function keepingFocus(element, render) {
  const focusable = () => [...element.querySelectorAll("a[href], button, input, select, textarea, [tabindex]")]
  const at = element.contains(document.activeElement) ? focusable().indexOf(document.activeElement) : -1
  render()
  if (at < 0) return
  const next = focusable()
  const target = next[Math.min(at, next.length - 1)] ?? element.closest("[tabindex]")
  target?.focus({ preventScroll: true })
}
