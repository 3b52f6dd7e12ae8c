// Buttons that ask the API for something. Each can show its command instead: with ⌥ (Alt) held, or in the mode that
// the header switches on, for those who have no ⌥ to hold.

import { h, replace } from "./dom.js"
import { icon } from "./icons.js"

/// How many messages stand at a time, besides problems.
const MOST = 3

/// Shows short messages for a while, and problems until they are put away.
export class Toasts {
  element = h("div", { class: "toasts", role: "status", "aria-live": "polite", popover: "manual" })

  show(text, { isProblem = false, action = null } = {}) {
    const toast = h(
      "div",
      { class: isProblem ? "toast problem" : "toast" },
      h("span", { class: "toast-text" }, text),
      action,
      h("button", { class: "quiet", "aria-label": "Put away", onclick: () => toast.remove() }, icon("close"))
    )
    for (const old of this.element.children) if (old.textContent === toast.textContent) old.remove()
    this.element.append(toast)
    // Above what was opened since the last one.
    this.element.hidePopover()
    this.element.showPopover()
    const old = this.element.querySelectorAll(".toast:not(.problem)")
    if (old.length > MOST) old[0].remove()
    if (!isProblem) setTimeout(() => toast.remove(), 6_000)
  }

  /// Says what went wrong, in the server's words.
  problem(error) { this.show(error.text ?? error.message, { isProblem: true }) }
}

/// A dialog over the page; closed by its button, Escape, or a click beside it.
export function openDialog(title, ...content) {
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-label": title },
    h(
      "header",
      {},
      h("h2", {}, title),
      h("button", { class: "quiet", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"))
    ),
    h("div", { class: "dialog-content" }, ...content)
  )
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/// Closes what asks about a world that is not shown any more: its buttons would act on the one that is.
export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close()
}

/// A button that copies a text, and says whether it could; `text` may be asked for when it is pressed.
export function copyButton(text, label = "Copy", { kind = "small", iconName = "copy", title = null } = {}) {
  const words = h("span", { "aria-live": "polite" }, label)
  return h("button", {
    class: kind,
    title,
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(typeof text === "function" ? text() : text)
        replace(words, "Copied")
      } catch (error) {
        // Without a secure origin there is no clipboard; the text is on the page to be marked.
        replace(words, `Not copied: ${error.message}`)
      }
      setTimeout(() => replace(words, label), 2_000)
    },
  }, icon(iconName), words)
}

/// A text to take away, with a button that copies it; `name` is what those who listen are told that it is.
export function copyable(text, label = "Copy", name = null) {
  return h(
    "div",
    { class: "copyable" },
    h("pre", { tabindex: "0", role: name ? "region" : null, "aria-label": name }, h("code", {}, text)),
    copyButton(text, label)
  )
}

/// What asks the API. Its event `done` says that `detail.calls` were sent, and answered.
export class Actions extends EventTarget {
  /// Whether buttons show their commands instead of acting.
  showsCommands = false

  constructor(api, toasts) {
    super()
    this.api = api
    this.toasts = toasts
  }

  /// A button that sends a call.
  ///
  /// `makeCall` is asked when it is pressed, for a `Call` (or `null` for none); `onDone` gets the answer, `onProblem`
  /// what went wrong, which is otherwise shown as a message; `ask` is what to ask before: `{title, text, button}`.
  button(label, makeCall, { kind = "", title = null, iconName = null, ...options } = {}) {
    return h(
      "button",
      {
        class: `action ${kind}`,
        title,
        onclick: (event) => {
          const call = makeCall()
          if (call) this.run(call, { ...options, event, control: event.currentTarget })
        },
      },
      iconName ? icon(iconName) : null,
      h("span", {}, label)
    )
  }

  /// Sends a call, or shows it as a command. Resolves to the answer; to `undefined` where there is none.
  ///
  /// A list of calls is sent one after the other, up to the first that is refused; the answer is the last one's.
  /// What goes wrong is told as a message, or to `onProblem` where there is a better place for it.
  async run(call, { event = null, onDone = null, onProblem = null, ask = null, control = null } = {}) {
    if (this.showsCommands || event?.altKey) {
      this.showCommand(call)
      return undefined
    }
    if (ask && !(await confirmed(ask))) return undefined
    control?.setAttribute("aria-busy", "true")
    try {
      let answer
      for (const one of [call].flat()) answer = await this.api.send(one)
      onDone?.(answer)
      return answer
    } catch (error) {
      if (onProblem) onProblem(error)
      else this.toasts.problem(error)
      return undefined
    } finally {
      control?.removeAttribute("aria-busy")
      this.dispatchEvent(new CustomEvent("done", { detail: { calls: [call].flat() } }))
    }
  }

  showCommand(call) {
    const commands = [call].flat().map((one) => this.api.curl(one))
    openDialog("The same from a terminal", copyable(commands.join("\n"), "Copy the command"))
  }
}

/// Asks before something that cannot be undone.
function confirmed({ title, text, button }) {
  return new Promise((resolve) => {
    let answer = false
    const dialog = openDialog(
      title,
      h("p", {}, text),
      h(
        "div",
        { class: "dialog-buttons" },
        h("button", { onclick: () => dialog.close() }, "Cancel"),
        h("button", {
          class: "danger",
          onclick: () => {
            answer = true
            dialog.close()
          },
        }, button)
      )
    )
    dialog.addEventListener("close", () => resolve(answer))
  })
}
