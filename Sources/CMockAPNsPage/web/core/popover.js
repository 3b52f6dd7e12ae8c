// A button with a panel that opens below it; the style sheet places it. Escape or a click elsewhere closes the panel.

import { h, replace } from "./dom.js"
import { keepingFocus } from "./parts.js"

/// A button with a panel.
///
/// `content()` returns the panel's content each time it opens. `label` is the panel's label for screen readers.
export class Popover {
  #content

  constructor(button, label, content) {
    this.#content = content
    this.button = button
    button.title ||= label
    button.setAttribute("aria-haspopup", "dialog")
    this.panel = h("div.popover", { popover: "auto", role: "dialog", "aria-label": label, tabindex: "0" })
    // Also tells screen readers whether the panel is open.
    button.popoverTargetElement = this.panel
    this.panel.addEventListener("beforetoggle", ({ newState }) => {
      if (newState === "open") replace(this.panel, this.#content())
    })
  }

  get isOpen() { return this.panel.matches(":popover-open") }

  open() {
    if (!this.isOpen) this.panel.showPopover()
  }

  close() {
    if (this.isOpen) this.panel.hidePopover()
  }

  /// Redraws an open panel.
  refresh() {
    if (this.isOpen) keepingFocus(this.panel, () => replace(this.panel, this.#content()))
  }
}
