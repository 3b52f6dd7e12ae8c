// A long list of lines of equal height. Only the visible lines are in the document.

import { h } from "../../core/dom.js"

/// The number of lines drawn above and below the visible ones.
const MARGIN = 12

export class LineWindow {
  #lines = []
  #make
  #nodes = new Map()
  #height = 30
  #frame = 0

  /// `make(line)` returns the element of a line. It is called each time the line comes into view.
  constructor(label, make) {
    this.#make = make
    this.list = h("ol", { class: "lines" })
    this.element = h("div", { class: "line-window", tabindex: "0", role: "region", "aria-label": label }, this.list)
    this.element.addEventListener("scroll", () => this.#soon(), { passive: true })
    new ResizeObserver(() => {
      this.#measure()
      this.#soon()
    }).observe(this.element)
  }

  get isAtTop() { return this.element.scrollTop < this.#height / 2 }

  toTop() { this.element.scrollTop = 0 }

  /// Shows lines, each with a `key`. The list is not copied.
  set(lines) {
    this.#lines = lines
    this.#soon()
  }

  #soon() { this.#frame ||= requestAnimationFrame(() => this.#draw()) }

  /// Derives the height of a line from the font size.
  #measure() {
    const size = parseFloat(getComputedStyle(this.element).getPropertyValue("--line-height")) || 2.2
    this.#height = Math.round(size * parseFloat(getComputedStyle(this.element).fontSize))
    for (const node of this.#nodes.values()) node.remove()
    this.#nodes.clear()
  }

  #draw() {
    this.#frame = 0
    const { scrollTop, clientHeight } = this.element
    const first = Math.max(0, Math.floor(scrollTop / this.#height) - MARGIN)
    const last = Math.min(this.#lines.length, Math.ceil((scrollTop + clientHeight) / this.#height) + MARGIN)
    this.list.style.setProperty("height", `${this.#lines.length * this.#height}px`)
    const seen = new Set()
    let before = null
    for (let index = first; index < last; index += 1) {
      const line = this.#lines[index]
      seen.add(line.key)
      let node = this.#nodes.get(line.key)
      if (!node) {
        node = this.#make(line)
        node.style.setProperty("height", `${this.#height}px`)
        this.#nodes.set(line.key, node)
      }
      node.style.setProperty("top", `${index * this.#height}px`)
      node.setAttribute("aria-posinset", index + 1)
      node.setAttribute("aria-setsize", this.#lines.length)
      // Keeps the document order, which is the tab order.
      const place = before ? before.nextElementSibling : this.list.firstElementChild
      if (place !== node) this.list.insertBefore(node, place)
      before = node
    }
    for (const [key, node] of this.#nodes) {
      if (seen.has(key) || node.contains(document.activeElement)) continue
      node.remove()
      this.#nodes.delete(key)
    }
  }
}
