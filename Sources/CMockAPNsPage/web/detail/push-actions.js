// The buttons of the open push. Where there is no room for all, the rest are behind "More".

import { actions, Call, copyButton, h, icon, openNote, Popover, pushPath, replace, router } from "../core/core.js"
import { openSend, resendCall } from "../send/send.js"
import { openCompare } from "./compare-dialog.js"
import { wasResent } from "./resends.js"
import { openVerify } from "./verify.js"

export class PushActions {
  element = h("div.head-tools")
  #record = null
  #onChange
  #more

  /// `onChange(record)` gets the push after a button changed it.
  constructor(onChange) {
    this.#onChange = onChange
    const button = h("button.quiet.small.more-tools", icon("more"), "More")
    this.#more = new Popover(button, "More actions", () => this.#tools({ isMore: true }))
    this.#more.panel.classList.add("tool-menu")
    this.#more.panel.addEventListener("click", ({ target }) => {
      // A copy button tells whether it worked.
      if (target.closest("button:not(.copies)")) this.#more.close()
    })
  }

  show(record) {
    const isOther = this.#record?.id !== record.id || this.#record.pinned !== record.pinned
    this.#record = record
    if (isOther) replace(this.element, this.#tools({}), this.#more.button, this.#more.panel)
  }

  /// Pins the push, or removes its pin.
  togglePin() { actions.run(this.#pin(), { onDone: this.#onChange }) }

  /// The buttons, the most used first. The first two are always shown, the third unless it is very narrow.
  #tools({ isMore = false }) {
    const tools = [
      this.#call("Resend", "resend", () => resendCall(this.#record), this.#resent(this.#record)),
      this.#opens("Edit & resend…", "send", () => {
        openSend({ push: this.#record, onDone: this.#resent(this.#record) })
      }),
      this.#opens("Create test…", "test", () => openVerify(this.#record)),
      this.#opens("Compare…", "compare", () => openCompare(this.#record)),
      this.#opens("Edit note…", "note", () => {
        openNote(this.#record, ({ note }) => this.#onChange({ ...this.#record, note }))
      }),
      this.#call(this.#record.pinned ? "Unpin" : "Pin", "pin", () => this.#pin(), this.#onChange),
      copyButton(() => this.#link, "Copy link", { kind: "quiet small copies", iconName: "link" }),
      this.#call("Delete…", "trash", () => this.#path("DELETE"), () => this.#leave(), {
        title: "Delete this push?",
        text: "This deletes the record of the push. Its notification stays on the device.",
        button: "Delete push",
      }),
    ]
    for (const [position, tool] of tools.entries()) tool.classList.add(`tool-${Math.min(position, 3)}`)
    return isMore ? tools.slice(2) : tools
  }

  #call(label, iconName, makeCall, onDone, ask = null) {
    return actions.button(label, makeCall, { kind: "quiet small", iconName, onDone, ask })
  }

  #opens(label, iconName, open) {
    return h("button.quiet.small", { onclick: open }, icon(iconName), label)
  }

  /// Shows the response in the head of the push that is open when it arrives.
  #resent(record) {
    return (answer) => {
      wasResent(record, answer)
      this.#onChange(this.#record)
    }
  }

  #path(method, body) { return new Call(method, `/pushes/${encodeURIComponent(this.#record.id)}`, body) }

  #pin() { return this.#path("PATCH", { pinned: !this.#record.pinned }) }

  get #link() { return location.origin + router.path(pushPath(this.#record.id)) }

  #leave() {
    const { q, after } = router.route.parameters
    router.go(router.path("/", { q, after }), { instead: true })
  }
}
