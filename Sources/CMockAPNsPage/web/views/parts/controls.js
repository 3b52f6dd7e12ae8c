// Small controls that several views have.

import { h, shortToken } from "../../core/dom.js"
import { icon } from "../../core/icons.js"

/// An icon that copies a text where there is no room for words; `name` says what it copies. See also `copyButton`.
export function copyIcon(app, text, name) {
  return h("button", {
    class: "quiet small copy",
    "aria-label": `Copy ${name}`,
    title: `Copy ${name}`,
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(text)
        app.toasts.show(`Copied ${name}.`)
      } catch (error) {
        // Without a secure origin there is no clipboard.
        app.toasts.show(`Not copied: ${error.message}\n${text}`, { isProblem: true })
      }
    },
  }, icon("copy"))
}

/// A device token by its ends, with the whole of it as title, and a button to copy it.
export function tokenPart(app, token) {
  return h(
    "span",
    { class: "token" },
    h("code", { class: "foreign", title: token }, shortToken(token)),
    copyIcon(app, token, `token ${shortToken(token)}`)
  )
}

/// A switch that asks the API: it turns at once, and back when the API refuses.
///
/// `makeCall(isOn)` answers the `Call`. The element's `show(isOn)` sets it without asking.
export function apiSwitch(app, { name, words, makeCall, onDone }) {
  const text = h("span", { class: "switch-words" })
  const input = h("input", { type: "checkbox", role: "switch", class: "switch", "aria-label": name })
  let known = false
  let isBusy = false
  const label = h("label", { class: "switch-label" }, input, text)
  const turn = (isOn) => {
    input.checked = isOn
    input.setAttribute("aria-checked", String(isOn))
    const said = words(isOn)
    if (text.textContent !== said) text.textContent = said
  }
  label.show = (isOn) => {
    known = isOn
    // While it asks, what was read before may be old.
    if (!isBusy) turn(isOn)
  }
  input.addEventListener("click", (event) => {
    if (!app.actions.showsCommands && !event.altKey) return
    event.preventDefault()
    app.actions.showCommand(makeCall(!known))
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
    await app.actions.run(makeCall(isOn), { control: input, onDone: done })
    isBusy = false
    turn(known)
  })
  return label
}

/// A choice that asks the API, and goes back when the API refuses. `options`: `[value, words]` each.
export function apiSelect(app, { name, options, makeCall, onDone }) {
  const select = h(
    "select",
    { class: "small", "aria-label": name },
    options.map(([value, words]) => h("option", { value }, words))
  )
  let known = options[0][0]
  select.show = (value) => {
    known = value
    // What somebody is choosing just now is not taken out of their hand.
    if (document.activeElement !== select || select.value === value) select.value = value
  }
  select.addEventListener("change", async () => {
    const before = known
    const answer = await app.actions.run(makeCall(select.value), { control: select, onDone })
    if (answer === undefined) select.value = before
  })
  return select
}
