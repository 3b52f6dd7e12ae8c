// The list of pushes. Only the visible rows are in the document.

import { count, h, icon, pushPath, refill } from "../core/core.js"
import { CellFilter } from "./cell-filter.js"
import { Columns } from "./columns.js"
import { fillRow } from "./row.js"
import { partsOf } from "./terms.js"

/// How many rows beyond the visible ones are drawn.
const BEYOND = 8
/// The most rows that one frame adds to the document, so that scrolling stays smooth.
const AT_ONCE = 8
/// How many rows from the first visible one on may serve as anchor for the scroll position, because some may be
/// removed.
const HOLDING = 100

/// Draws a feed. When rows are added above, the scroll position is adjusted so that the visible rows do not move.
export class PushList {
  query = ""
  /// Fault names by id.
  faultNames = new Map()
  #selection
  #feed
  #rows = h("ol.push-rows", { role: "list", "aria-label": "Pushes" })
  /// A hidden row to measure the height of a row.
  #probe = h("li.push-row.probe", { "aria-hidden": "true" })
  #scroller = h("div.push-scroller", this.#rows, this.#probe)
  #fresh = h("button.fresh.primary", { hidden: true, onclick: () => this.toTop() }, icon("up"), h("span"))
  #columns
  #filter
  #elements = new Map()
  #rowHeight = 0
  #isAsked = false
  /// Whether the mouse button is down: rows must not move then.
  #isHeld = false
  /// Whether the page is being printed, with all rows that are loaded.
  #isPrinting = false
  #scrollTop = 0
  /// The key of the row that has the keyboard focus, and of the open push.
  #active = null
  #selected = null

  /// `toggle(term)` adds a term to the search, or removes it.
  constructor(feed, selection, toggle) {
    this.#feed = feed
    this.#selection = selection
    selection.addEventListener("changed", () => this.draw())
    this.#filter = new CellFilter((term) => partsOf(feed.q).includes(term), toggle)
    this.#scroller.append(this.#filter.element)
    this.element = h("div.push-list")
    this.#columns = new Columns(this.element)
    this.element.append(this.#fresh, this.#columns.element, this.#scroller)
    feed.model.around = (change) => this.#keepPlace(change)
    feed.addEventListener("changed", () => this.draw())
    this.#scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true })
    this.#rows.addEventListener("pointerdown", () => this.#hold())
    this.#rows.addEventListener("click", (event) => selection.clicked(event))
    this.#rows.addEventListener("pointerover", (event) => this.#pointedAt(event))
    this.element.addEventListener("pointerleave", () => this.#filter.hide())
    this.#rows.addEventListener("focusin", ({ target }) => {
      this.#active = target.closest("li")?.dataset.key ?? this.#active
      this.draw()
    })
    for (const type of ["beforeprint", "afterprint"]) {
      addEventListener(type, () => {
        this.#isPrinting = type === "beforeprint"
        this.#render()
      })
    }
    new ResizeObserver(() => this.#measure()).observe(this.#scroller)
    new ResizeObserver(() => this.#measure()).observe(this.#probe)
  }

  /// The push with the keyboard focus, or else the open push.
  get active() {
    const entry = this.#feed.model.get(this.#active) ?? this.#feed.model.get(this.#selected)
    return entry?.kind === "push" ? entry.data : null
  }

  /// The path of a push.
  pathOf(key) { return `${pushPath(key)}${this.query}` }

  draw() {
    if (this.#isAsked) return
    this.#isAsked = true
    requestAnimationFrame(() => {
      this.#isAsked = false
      if (!this.#isHeld) this.#render()
    })
  }

  /// Marks the row of the open push; `null` for none.
  select(key, { reveal = false } = {}) {
    if (key === this.#selected && !reveal) return
    this.#selected = key
    if (key) this.#active = key
    if (reveal) this.#reveal(this.#feed.model.indexOf(key))
    this.draw()
  }

  /// Scrolls to the newest row and shows the pushes that waited.
  toTop() {
    const hadFocus = document.activeElement === this.#fresh
    this.#scrollTo(0)
    this.#feed.move({ isAtTop: true, isPaused: false })
    if (hadFocus) this.#scroller.focus({ preventScroll: true })
  }

  /// Whether the keyboard focus is in the list.
  get hasFocus() { return this.#scroller.contains(document.activeElement) }

  /// Moves the keyboard focus by a number of pushes. Returns the key of the push, or `null` at the end.
  step(by) {
    const { model } = this.#feed
    const from = model.indexOf(this.#active)
    const index = from < 0 ? model.pushFrom(this.#firstVisible(), 1) : model.pushFrom(from + by, by)
    return index < 0 ? null : this.focus(model.at(index).key)
  }

  /// Focuses a row, or the first row if it is gone. Returns the key of its push, or `null` if there are no pushes.
  focus(key = this.#active) {
    const { model } = this.#feed
    const known = model.indexOf(key)
    const index = known < 0 ? model.pushFrom(model.above, 1) : known
    if (index < 0) return null
    this.#active = model.at(index).key
    this.#reveal(index)
    this.#render()
    this.#elements.get(this.#active)?.querySelector("a.push")?.focus({ preventScroll: true })
    return this.#active
  }

  /// Restores the scroll position after the list was removed from the page.
  restore() {
    this.#scroller.scrollTop = this.#scrollTop
    this.draw()
  }

  #hold() {
    this.#isHeld = true
    const release = () => setTimeout(() => {
      this.#isHeld = false
      this.draw()
    })
    addEventListener("pointerup", release, { once: true })
    addEventListener("pointercancel", release, { once: true })
  }

  #pointedAt({ target, pointerType }) {
    const entry = this.#feed.model.get(target.closest("li")?.dataset.key)
    if (entry?.kind === "push" && pointerType === "mouse") this.#filter.over(target, entry.data)
    else this.#filter.hide()
  }

  #measure() {
    const height = this.#probe.offsetHeight
    if (!height) return
    if (this.#rowHeight && height !== this.#rowHeight) {
      // The row height changed: keep the open row, or else the first visible one, in place.
      const { model } = this.#feed
      const opened = model.indexOf(this.#selected)
      const first = this.#scrollTop / this.#rowHeight
      const seen = this.#scroller.clientHeight / this.#rowHeight
      const anchor = opened >= 0 && opened > first - 1 && opened < first + seen ? opened : first
      const offset = anchor * this.#rowHeight - this.#scrollTop
      this.#rowHeight = height
      this.#resize()
      this.#scrollTo(this.#feed.isAtTop ? 0 : Math.max(0, anchor * height - offset))
    }
    this.#rowHeight = height
    this.draw()
  }

  #scrolled() {
    if (!this.#scroller.isConnected) return
    this.#scrollTop = this.#scroller.scrollTop
    const isAtTop = this.#scrollTop < 4
    if (isAtTop !== this.#feed.isAtTop) this.#feed.move({ isAtTop })
    this.draw()
  }

  #firstVisible() { return Math.ceil(this.#scrollTop / this.#rowHeight) }

  #reveal(index) {
    if (index < 0 || !this.#rowHeight) return
    const top = index * this.#rowHeight
    const height = this.#scroller.clientHeight
    this.#resize()
    if (top < this.#scrollTop) this.#scrollTo(top)
    else if (top + this.#rowHeight > this.#scrollTop + height) this.#scrollTo(top + this.#rowHeight - height)
  }

  #resize() { this.#rows.style.height = `${this.#feed.rows * this.#rowHeight}px` }

  #render() {
    if (!this.#rowHeight || !this.#scroller.isConnected) return
    const { model } = this.#feed
    this.#resize()
    const top = Math.floor(this.#scrollTop / this.#rowHeight)
    const bottom = top + Math.ceil(this.#scroller.clientHeight / this.#rowHeight) + 1
    const beyond = this.#isPrinting ? Infinity : BEYOND
    const first = Math.max(model.above, top - beyond)
    const last = Math.min(model.end, bottom + beyond)
    const wanted = []
    const focused = model.indexOf(this.#rows.contains(document.activeElement) ? this.#active : null)
    if (focused >= 0 && focused < first) wanted.push(focused)
    for (let index = first; index < last; index += 1) wanted.push(index)
    if (focused >= Math.max(first, last)) wanted.push(focused)
    this.#put(wanted)
    this.#rows.toggleAttribute("data-selecting", this.#selection.size > 0)
    this.#fresh.hidden = this.#feed.fresh === 0 || this.#feed.follows
    refill(this.#fresh.lastChild, `${count(this.#feed.fresh)} new`)
    this.#feed.need(top, bottom)
  }

  /// Applies a change and keeps the visible rows in place, unless the list is at the top.
  #keepPlace(change) {
    const { model } = this.#feed
    const before = this.#rowHeight ? Math.floor(this.#scrollTop / this.#rowHeight) : 0
    // At the top, new rows are to be seen.
    const kept = this.#feed.isAtTop && model.above === 0 ? 0 : HOLDING
    const keys = Array.from({ length: kept }, (_, index) => model.at(before + index)?.key ?? null)
    change()
    this.#resize()
    const stays = keys.findIndex((key) => key !== null && model.get(key))
    if (stays < 0) return
    const moved = model.indexOf(keys[stays]) - before - stays
    if (moved !== 0) this.#scrollTo(Math.max(0, this.#scrollTop + moved * this.#rowHeight))
  }

  #scrollTo(top) {
    this.#scrollTop = top
    this.#scroller.scrollTop = top
  }

  /// Puts the rows of these indexes into the document, in order. A row that stays is never moved, because it may have
  /// the focus.
  #put(indexes) {
    const { model } = this.#feed
    const keys = new Set(indexes.map((index) => model.at(index).key))
    for (const [key, element] of this.#elements) {
      if (keys.has(key)) continue
      element.remove()
      this.#elements.delete(key)
    }
    let next = this.#rows.firstElementChild
    let added = 0
    for (const index of indexes) {
      const entry = model.at(index)
      let element = this.#elements.get(entry.key)
      if (!element) {
        // The active row may be about to get the focus.
        if (added >= AT_ONCE && !this.#isPrinting && entry.key !== this.#active) continue
        added += 1
        element = h("li.push-row", { data: { key: entry.key } })
        this.#elements.set(entry.key, element)
      }
      const isNew = fillRow(element, entry, this.pathOf(entry.key), this.faultNames)
      if (isNew && entry.kind === "push") this.#columns.fit(entry.data)
      this.#show(element, entry.key)
      element.style.transform = `translateY(${index * this.#rowHeight}px)`
      element.setAttribute("aria-posinset", String(index + 1))
      element.setAttribute("aria-setsize", this.#feed.pages.isKept ? "-1" : String(this.#feed.rows))
      if (element === next) next = next.nextElementSibling
      else this.#rows.insertBefore(element, next)
    }
    if (added >= AT_ONCE && !this.#isPrinting) this.draw()
    this.#makeReachable()
  }

  /// Updates whether a row is marked as open, reachable by Tab, and selected.
  #show(element, key) {
    const link = element?.firstElementChild
    if (link?.localName !== "a") return
    if (key === this.#selected) link.setAttribute("aria-current", "true")
    else link.removeAttribute("aria-current")
    link.tabIndex = key === this.#active ? 0 : -1
    const isPicked = this.#selection.has(key)
    element.toggleAttribute("data-picked", isPicked)
    element.querySelector(".pick").checked = isPicked
  }

  /// Makes one row reachable by Tab: the active one, or else the first.
  #makeReachable() {
    if (this.#elements.has(this.#active)) return
    const link = this.#rows.querySelector("a.push")
    if (link) link.tabIndex = 0
  }
}
