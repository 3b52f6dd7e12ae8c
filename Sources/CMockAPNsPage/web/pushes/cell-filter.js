// The button that appears in the cell under the pointer, and filters the list by the value in it.

import { h, icon } from "../core/elements.js"
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
        this.hide()
      },
    }, icon("filter"))
  }

  /// The pointer is over an element in the row of a push.
  over(target, push) {
    const cell = target.closest(".push > span")
    const added = cell ? TERMS[cell.classList[0]]?.(push) ?? null : null
    this.element.hidden = added === null
    if (added === null) return
    this.#term = added
    const isOn = this.#hasTerm(added)
    const label = isOn ? `Remove ${added} from the search` : `Filter by ${added}`
    this.element.title = label
    this.element.setAttribute("aria-label", label)
    this.element.setAttribute("aria-pressed", String(isOn))
    const scroller = this.element.parentNode
    const [box, frame] = [cell.getBoundingClientRect(), scroller.getBoundingClientRect()]
    this.element.style.left = `${box.right - frame.left - this.element.offsetWidth}px`
    this.element.style.top = `${(box.top + box.bottom) / 2 - frame.top + scroller.scrollTop - this.element.offsetHeight / 2}px`
  }

  hide() { this.element.hidden = true }
}
