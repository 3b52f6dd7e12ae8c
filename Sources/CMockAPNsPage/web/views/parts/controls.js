// Small controls that several views share.

import { h, shortToken } from "../../core/dom.js"
import { icon } from "../../core/icons.js"

/// An icon button that copies a text, for places without room for a label. `name` says what it copies. See also
/// `copyButton`.
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

/// A link back to a table. `onBack()` is called instead of following it, so that the focus returns to the row.
export function backLink(words, onBack) {
  const onclick = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onBack()
  }
  return h("a", { class: "button small", onclick }, icon("back"), words)
}

/// A shortened device token with the full token as tooltip and a copy button.
export function tokenPart(app, token) {
  return h(
    "span",
    { class: "token" },
    h("code", { class: "foreign", title: token }, shortToken(token)),
    copyIcon(app, token, `token ${shortToken(token)}`)
  )
}

/// A switch that calls the API. It changes immediately and changes back if the call fails.
///
/// `makeCall(isOn)` returns the `Call`. The element's `show(isOn)` sets the switch without a call.
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
    // During a call, a state that was read before it is out of date.
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

/// A menu that calls the API and changes back if the call fails. `options` holds `[value, label]` pairs.
export function apiSelect(app, { name, options, makeCall, onDone }) {
  const select = h(
    "select",
    { class: "small", "aria-label": name },
    options.map(([value, words]) => h("option", { value }, words))
  )
  let known = options[0][0]
  select.show = (value) => {
    known = value
    // Do not change the menu while it is being used.
    if (document.activeElement !== select || select.value === value) select.value = value
  }
  select.addEventListener("change", async () => {
    const before = known
    const answer = await app.actions.run(makeCall(select.value), { control: select, onDone })
    if (answer === undefined) select.value = before
  })
  return select
}
