// The button that appears beside the cell under the pointer, and filters the list by the value in it.

import { h, icon } from "../core/core.js"
import { term } from "./terms.js"

/// The term of a cell, by column; `null` if there is nothing to filter by.
const TERMS = {
  result: ({ reason, status }) => reason ? term("reason", reason) : status ? term("status", status) : null,
  type: ({ pushType, service }) => service === "channels" ? term("service", service) : term("type", pushType),
  topic: ({ topic }) => topic === null ? null : term("topic", topic),
  device: ({ device, channel, token }) =>
    device ? term("device", device) : channel ? term("channel", channel) : token ? term("token", token) : null,
  about: ({ worstLint }) => worstLint ? term("lint", worstLint.id) : null,
  conn: ({ connection }) => term("conn", connection),
}

export class CellFilter {
  /// Part of the scrolling content, so that it stays with its cell.
  element
  #cell = null
  #term = null
  #hasTerm

  /// `hasTerm(term)` tells whether the search has a term, `toggle(term)` adds or removes it.
  constructor(hasTerm, toggle) {
    this.#hasTerm = hasTerm
    this.element = h("button.cell-filter.small", {
      hidden: true,
      tabindex: "-1",
      onclick: () => {
        toggle(this.#term)
        this.#name()
      },
    }, icon("filter"))
  }

  /// The pointer is over an element in the row of a push.
  over(target, push) {
    const before = this.#cell
    const cell = target.closest(".push > span")
    const added = cell ? TERMS[cell.classList[0]]?.(push) ?? null : null
    this.#cell = added === null ? null : cell
    this.element.hidden = added === null
    if (added === null) return
    this.#term = added
    this.#name()
    if (cell !== before) this.#place(cell)
  }

  hide() {
    this.#cell = null
    this.element.hidden = true
  }

  #name() {
    const isOn = this.#hasTerm(this.#term)
    const label = isOn ? `Remove ${this.#term} from the search` : `Filter by ${this.#term}`
    this.element.title = label
    this.element.setAttribute("aria-label", label)
    this.element.setAttribute("aria-pressed", String(isOn))
  }

  /// In the gap behind the cell, so that its text can be read, and a click on it opens the push.
  #place(cell) {
    const scroller = this.element.parentNode
    const { offsetWidth: width, offsetHeight: height, style } = this.element
    const [box, frame] = [cell.getBoundingClientRect(), scroller.getBoundingClientRect()]
    style.left = `${Math.min(box.right - frame.left, scroller.clientWidth - width)}px`
    style.top = `${(box.top + box.bottom - height) / 2 - frame.top + scroller.scrollTop}px`
  }
}
