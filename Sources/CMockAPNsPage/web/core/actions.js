// Buttons that call the API. Holding ⌥ (Alt), or turning on “Show commands” in the header, shows the command instead of
// running it.

import { api } from "./api.js"
import { h, replace } from "./dom.js"
import { icon } from "./icons.js"

/// The number of messages shown at a time, not counting errors.
const MOST = 3
/// How long a message is shown, and that a button has copied (milliseconds).
const SHOWN = 6_000
const COPIED = 2_500

/// Shows short messages for a few seconds, and errors until they are dismissed.
class Toasts {
  element = h("div.toasts", { role: "status", "aria-live": "polite", popover: "manual" })

  show(text, { isProblem = false, action = null } = {}) {
    const toast = h("div", { class: isProblem ? "toast problem" : "toast" },
      h("span.toast-text", text),
      action,
      h("button.quiet", { "aria-label": "Dismiss", onclick: () => toast.remove() }, icon("close")))
    for (const old of this.element.children) if (old.textContent === toast.textContent) old.remove()
    this.element.append(toast)
    // Shown again, so that it is above popovers and dialogs that were opened since.
    this.element.hidePopover()
    this.element.showPopover()
    const old = this.element.querySelectorAll(".toast:not(.problem)")
    if (old.length > MOST) old[0].remove()
    if (!isProblem) setTimeout(() => toast.remove(), SHOWN)
  }

  /// Shows an error with the server's own text.
  problem(error) { this.show(error.text ?? error.message, { isProblem: true }) }
}

export const toasts = new Toasts()

/// Opens a dialog. Its button, Escape or a click outside closes it.
export function openDialog(title, ...content) {
  const dialog = h("dialog.dialog", { "aria-label": title, closedby: "any" },
    h("header",
      h("h2", title),
      h("button.quiet", { "aria-label": "Close", onclick: () => dialog.close() }, icon("close"))),
    h("div.dialog-content", ...content))
  // A link opens its page below the dialog.
  dialog.addEventListener("click", ({ target }) => {
    if (target.closest("a[href]:not([target], [download])")) dialog.close()
  })
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/// Closes all dialogs when the view changes, or the namespace: their buttons would act on the new namespace.
export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close()
}

/// Copies a text. Resolves to what went wrong, or `null`.
export async function copyText(text) {
  // Browsers offer the clipboard only to secure origins.
  if (!navigator.clipboard) return "Not copied: copying needs https or localhost"
  return navigator.clipboard.writeText(text).then(() => null, (error) => `Not copied: ${error.message}`)
}

/// A button that copies a text and shows whether that worked. `text` may be a function, called when the button is
/// pressed.
export function copyButton(text, label = "Copy", { kind = "small", iconName = "copy", title = null } = {}) {
  const words = h("span", { "aria-live": "polite" }, label)
  const onclick = async () => {
    replace(words, await copyText(typeof text === "function" ? text() : text) ?? "Copied")
    setTimeout(() => replace(words, label), COPIED)
  }
  return h("button", { class: kind, title, onclick }, icon(iconName), words)
}

/// A text with a button that copies it. `name` is its label for screen readers.
export function copyable(text, label = "Copy", name = null) {
  return h("div.copyable",
    h("pre.block", { tabindex: "0", role: name ? "region" : null, "aria-label": name }, h("code", text)),
    copyButton(text, label))
}

/// Sends calls to the API. The event `done` reports that the calls in `detail.calls` were answered.
class Actions extends EventTarget {
  /// Whether buttons show their command instead of running it.
  showsCommands = false

  /// A button that sends a call.
  ///
  /// `makeCall` is called when the button is pressed and returns a `Call`, or `null` for none. `onDone` gets the
  /// response, `onProblem` the error, which is otherwise shown as a message. `ask` is a confirmation: `{title, text,
  /// button}`. `name` is the label for screen readers, if it says more than `label`.
  button(label, makeCall, { kind = "", title = null, name = null, iconName = null, ...options } = {}) {
    return h("button.action", {
      type: "button",
      class: kind,
      title,
      "aria-label": name,
      onclick: (event) => {
        const call = makeCall()
        if (call) this.run(call, { ...options, event, control: event.currentTarget })
      },
    }, iconName ? icon(iconName) : null, h("span", label))
  }

  /// Sends a call, or shows its command. Resolves to the response, or `undefined` if nothing was sent or the call
  /// failed.
  ///
  /// A list of calls is sent in order, up to the first that fails; the result is the last response. Errors are shown as
  /// a message, or passed to `onProblem`.
  async run(call, { event = null, onDone = null, onProblem = null, ask = null, control = null } = {}) {
    if (this.showsCommands || event?.altKey) {
      this.showCommand(call)
      return undefined
    }
    if (ask && !(await confirmed(ask))) return undefined
    control?.setAttribute("aria-busy", "true")
    try {
      let answer
      for (const one of [call].flat()) answer = await api.send(one)
      onDone?.(answer)
      return answer
    } catch (error) {
      if (onProblem) onProblem(error)
      else toasts.problem(error)
      return undefined
    } finally {
      control?.removeAttribute("aria-busy")
      this.dispatchEvent(new CustomEvent("done", { detail: { calls: [call].flat() } }))
    }
  }

  showCommand(call) {
    const commands = [call].flat().map((one) => api.curl(one))
    openDialog("Command", copyable(commands.join("\n"), "Copy command"))
  }
}

export const actions = new Actions()

/// Asks for confirmation before an action that cannot be undone.
function confirmed({ title, text, button }) {
  return new Promise((resolve) => {
    const dialog = openDialog(title,
      h("p", text),
      h("div.dialog-buttons",
        h("button", { onclick: () => dialog.close() }, "Cancel"),
        h("button.danger", { onclick: () => dialog.close("yes") }, button)))
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"))
  })
}
