// The base of the page of one entry of a collection.

import { h, icon, redraw, refill } from "../../core/elements.js"
import { router } from "../../core/router.js"

/// A heading with a link back to the table and buttons, and content below it. A subclass implements `show(reference)`, which
/// reads an entry, sets `item` and shows it.
export class EntryPage {
  /// The entry that is shown.
  item = null
  #back
  #beside = h("span")
  #tools = h("div.page-tools")

  /// `view` is the `CollectionView`, `noun` a word for its entries.
  constructor(view, noun, ...content) {
    this.view = view
    this.heading = h("h2.foreign", { tabindex: "-1" })
    this.#back = h("a.button.small", icon("back"), `All ${noun}s`)
    const head = h("div.entry-head", this.#back, this.heading, this.#beside, this.#tools)
    this.element = h("div.entry", head, content)
  }

  get id() { return this.item?.id ?? null }

  /// Shows the heading of an entry, what is beside it, and the buttons.
  drawHead(title, beside, ...tools) {
    this.#back.href = router.path(this.view.path)
    refill(this.heading, title)
    redraw(this.#beside, beside)
    redraw(this.#tools, tools)
  }

  focus() { this.heading.focus({ preventScroll: true }) }

  forget() { this.item = null }
}

/// A framed part of the page. `content` follows its heading, if there is one.
export function panel(heading, ...content) {
  return h("section.panel", heading && h("h2", { tabindex: "-1" }, heading), content)
}
