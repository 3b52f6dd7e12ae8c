// Small controls that several views share.

import { actions, appPart, copyText, h, icon, shortToken, toasts } from "../../core/core.js"

/// An icon button that copies a text, for places without room for a label. `name` says what it copies.
export function copyIcon(text, name) {
  const onclick = async () => {
    const problem = await copyText(text)
    toasts.show(problem ? `${problem}\n${text}` : `Copied ${name}.`, { isProblem: problem !== null })
  }
  const label = `Copy ${name}`
  return h("button.quiet.small.copy", { "aria-label": label, title: label, onclick }, icon("copy"))
}

/// The apps of topics, one in each line.
export function topicsPart(topics) { return topics.map((topic) => h("div.foreign", appPart(topic))) }

/// A shortened device token with the full token as tooltip and a copy button.
export function tokenPart(token) {
  return h("span.token",
    h("code.foreign", { title: token }, shortToken(token)),
    copyIcon(token, `token ${shortToken(token)}`))
}

/// A switch that calls the API with `makeCall(isOn)`. It changes immediately, and back if the call fails.
export function apiSwitch({ name, words, isOn, makeCall, onDone }) {
  const onclick = (event) => {
    if (!actions.showsCommands && !event.altKey) return
    event.preventDefault()
    actions.showCommand(makeCall(input.checked))
  }
  const onchange = async () => {
    const answer = await actions.run(makeCall(input.checked), { control: input, onDone })
    if (answer === undefined) input.checked = !input.checked
  }
  const input = h("input.switch", {
    type: "checkbox", role: "switch", "aria-label": name, checked: isOn, onclick, onchange,
  })
  return h("label.switch-label", input, h("span.switch-words", words))
}

/// A menu that calls the API with `makeCall(value)`, and changes back if the call fails. `options` are pairs
/// `[value, label]`.
export function apiSelect({ name, options, chosen, makeCall, onDone }) {
  const onchange = async () => {
    const answer = await actions.run(makeCall(select.value), { control: select, onDone })
    if (answer === undefined) select.value = chosen
  }
  const select = h("select.small", { "aria-label": name, onchange },
    options.map(([value, words]) => h("option", { value, selected: value === chosen }, words)))
  return select
}
