// A button with a panel that opens below it; the style sheet places it. Escape or a click elsewhere closes the panel.

import { h, replace } from "./dom.js"

let made = 0

/// A button with a panel.
///
/// `content()` returns the panel's content each time it opens. `label` is the panel's label for screen readers.
export class Popover {
  #content

  constructor(button, label, content) {
    this.#content = content
    this.button = button
    button.title ||= label
    made += 1
    const id = `popover-${made}`
    this.panel = h("div.popover", {
      id, popover: "auto", role: "dialog", "aria-label": label, tabindex: "0",
    })
    button.setAttribute("popovertarget", this.panel.id)
    button.setAttribute("aria-haspopup", "dialog")
    button.setAttribute("aria-expanded", "false")
    this.panel.addEventListener("beforetoggle", (event) => {
      const opens = event.newState === "open"
      button.setAttribute("aria-expanded", String(opens))
      if (opens) replace(this.panel, this.#content())
    })
  }

  get isOpen() { return this.panel.matches(":popover-open") }

  open() {
    if (!this.isOpen) this.panel.showPopover()
  }

  close() {
    if (this.isOpen) this.panel.hidePopover()
  }

  /// Redraws an open panel. The focus stays on the control with the same id or text.
  refresh() {
    if (!this.isOpen) return
    const focused = this.panel.contains(document.activeElement) ? document.activeElement : null
    replace(this.panel, this.#content())
    if (!focused) return
    const controls = [...this.panel.querySelectorAll("a[href], button, input, select")]
    const same = controls.find((one) => focused.id ? one.id === focused.id : one.textContent === focused.textContent)
    ;(same ?? controls[0])?.focus()
  }
}
