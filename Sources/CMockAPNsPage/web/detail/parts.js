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
    { class: "facts" },
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

/// A problem of the server where something of its should be.
export function problemNote(error, retry = null) {
  return h(
    "div",
    { class: "note bad-note", role: "alert" },
    h("p", {}, icon("warning"), error.text ?? error.message),
    retry ? h("button", { class: "small", onclick: retry }, "Try again") : null
  )
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
