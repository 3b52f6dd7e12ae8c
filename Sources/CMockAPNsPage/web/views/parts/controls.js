// Small controls that several views share.

import { actions, copyText, toasts } from "../../core/actions.js"
import { appPart } from "../../core/apps.js"
import { h, icon, shortToken } from "../../core/elements.js"
import { router } from "../../core/router.js"

/// An icon button that copies a text, for places without room for a label. `name` says what it copies.
export function copyIcon(text, name) {
  const onclick = () => copyText(text, () => toasts.show(`Copied ${name}.`), (problem) => {
    toasts.show(`${problem}\n${text}`, { isProblem: true })
  })
  const label = `Copy ${name}`
  return h("button.quiet.small.copy", { "aria-label": label, title: label, onclick }, icon("copy"))
}

/// A link to a place of the page. `name` is its label for screen readers, if it says more than its content.
export function pageLink(path, content, { kind = null, name = null, title = null, ...parameters } = {}) {
  return h("a", { class: kind, href: router.path(path, parameters), "aria-label": name, title }, content)
}

/// A link to a push by its ID.
export function pushLink(id, content = "View", options = {}) {
  return pageLink(`/p/${encodeURIComponent(id)}`, content, options)
}

/// The apps of topics, one in each line.
export function topicsPart(topics) { return topics.map((topic) => h("div.foreign", appPart(topic))) }

/// A shortened device token with the full token as tooltip and a copy button.
export function tokenPart(token) {
  return h("span.token",
    h("code.foreign", { title: token }, shortToken(token)),
    copyIcon(token, `token ${shortToken(token)}`))
}

/// A switch that calls the API. It changes immediately and changes back if the call fails.
///
/// `makeCall(isOn)` returns the `Call`. The element's `show(isOn)` sets the switch without a call.
export function apiSwitch({ name, words, makeCall, onDone }) {
  const text = h("span.switch-words")
  const input = h("input.switch", { type: "checkbox", role: "switch", "aria-label": name })
  let known = false
  let isBusy = false
  const label = h("label.switch-label", input, text)
  const turn = (isOn) => {
    input.checked = isOn
    input.setAttribute("aria-checked", String(isOn))
    const said = words(isOn)
    if (text.textContent !== said) text.textContent = said
  }
  label.show = (isOn, shownName = name) => {
    known = isOn
    input.setAttribute("aria-label", shownName)
    // During a call, a state that was read before it is out of date.
    if (!isBusy) turn(isOn)
  }
  input.addEventListener("click", (event) => {
    if (!actions.showsCommands && !event.altKey) return
    event.preventDefault()
    actions.showCommand(makeCall(!known))
  })
  input.addEventListener("change", async () => {
    const isOn = input.checked
    isBusy = true
    turn(isOn)
    const done = (answer) => {
      known = isOn
      isBusy = false
      onDone?.(answer)
    }
    await actions.run(makeCall(isOn), { control: input, onDone: done })
    isBusy = false
    turn(known)
  })
  return label
}

/// A menu that calls the API and changes back if the call fails. `options` holds `[value, label]` pairs.
export function apiSelect({ name, options, makeCall, onDone }) {
  const select = h("select.small", { "aria-label": name },
    options.map(([value, words]) => h("option", { value }, words)))
  let known = options[0][0]
  select.show = (value) => {
    known = value
    // Do not change the menu while it is being used.
    if (document.activeElement !== select || select.value === value) select.value = value
  }
  select.addEventListener("change", async () => {
    const before = known
    const answer = await actions.run(makeCall(select.value), { control: select, onDone })
    if (answer === undefined) select.value = before
  })
  return select
}
