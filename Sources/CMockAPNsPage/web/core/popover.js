// A button with a panel that opens below it. Escape or a click elsewhere closes the panel.

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
    this.panel = h("div", {
      class: "popover", id, popover: "auto", role: "dialog", "aria-label": label, tabindex: "0",
    })
    button.setAttribute("popovertarget", this.panel.id)
    button.setAttribute("aria-haspopup", "dialog")
    button.setAttribute("aria-expanded", "false")
    this.panel.addEventListener("beforetoggle", (event) => {
      const opens = event.newState === "open"
      button.setAttribute("aria-expanded", String(opens))
      if (opens) replace(this.panel, this.#content())
    })
    this.panel.addEventListener("toggle", (event) => {
      if (event.newState === "open") this.#place()
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

  /// Places the panel below the button, or above it if there is more room, and within the window.
  #place() {
    const edge = 8
    const button = this.button.getBoundingClientRect()
    const { offsetWidth: width, offsetHeight: height } = this.panel
    const left = Math.max(edge, Math.min(button.left, innerWidth - width - edge))
    const isBelow = button.bottom + height + edge <= innerHeight || button.top < innerHeight / 2
    const top = isBelow ? button.bottom + 4 : Math.max(edge, button.top - height - 4)
    this.panel.style.left = `${left}px`
    this.panel.style.top = `${top}px`
    this.panel.style.maxHeight = `${innerHeight - top - edge}px`
  }
}
