// The base of the page of one entry of a collection.

import { h, icon, redraw, refill, router } from "../../core/core.js"

/// A heading with a link back to the table and buttons, and content below it. A subclass appends the content, and
/// implements `show(reference)`, which reads an entry, sets `item` and shows it.
export class EntryPage {
  /// The entry that is shown, or was shown last; `null` when the table is.
  item = null
  heading = h("h2.foreign", { tabindex: "-1" })
  #back
  #beside = h("span")
  #tools = h("div.page-tools")

  /// `view` is the `CollectionView`.
  constructor(view) {
    this.view = view
    this.#back = h("a.button.small", icon("back"), `All ${view.noun}s`)
    this.element = h("div.entry", h("div.entry-head", this.#back, this.heading, this.#beside, this.#tools))
  }

  /// Shows the heading of an entry, what is beside it, and the buttons.
  drawHead(title, beside, ...tools) {
    this.#back.href = router.path(this.view.path)
    refill(this.heading, title)
    redraw(this.#beside, beside)
    redraw(this.#tools, tools)
  }

  /// Moves the focus to the heading.
  focus() { this.heading.focus() }
}

/// A framed part of the page. `content` follows its heading, if there is one.
export function panel(heading, ...content) {
  return h("section.panel", heading && h("h2", { tabindex: "-1" }, heading), content)
}
