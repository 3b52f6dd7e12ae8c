// Several selected pushes, and the bar with what can be done with them.

import { actions, Call, count, h, icon, pushCount, replace, router, toasts } from "../core/core.js"
import { comparePath } from "../detail/compare-dialog.js"
import { exportLink } from "./tools.js"

/// The most pushes that can be selected: the most IDs in one request.
const MOST = 1_000

export class Selection extends EventTarget {
  /// The bar, which replaces the tools of the list.
  element = h("div.push-tools", { role: "toolbar", "aria-label": "Selected pushes", hidden: true })
  #feed
  #ids = new Set()
  /// Where a range starts.
  #anchor = null

  constructor(feed) {
    super()
    this.#feed = feed
  }

  get size() { return this.#ids.size }

  has(key) { return this.#ids.has(key) }

  /// Handles a click on a row: a checkbox selects its push, and Shift selects all up to it.
  clicked(event) {
    const key = event.target.closest("li")?.dataset.key
    const isPick = event.target.matches(".pick")
    if (!isPick && !event.shiftKey || this.#feed.model.get(key)?.kind !== "push") return
    if (!isPick) event.preventDefault()
    if (event.shiftKey) this.#selectTo(key)
    else this.toggle(key)
  }

  toggle(key) {
    this.#anchor = key
    if (!this.#ids.delete(key)) this.#ids.add(key)
    this.#changed()
  }

  clear() {
    this.#anchor = null
    if (this.size === 0) return
    this.#ids.clear()
    this.#changed()
  }

  #selectTo(key) {
    const { model } = this.#feed
    const from = model.indexOf(this.#anchor)
    const to = model.indexOf(key)
    for (let index = from < 0 ? to : Math.min(from, to); index <= Math.max(from, to); index += 1) {
      const entry = model.at(index)
      if (entry?.kind === "push") this.#ids.add(entry.key)
    }
    this.#anchor = key
    this.#changed()
  }

  #changed() {
    const isTooMuch = this.size > MOST
    if (isTooMuch) this.#ids = new Set([...this.#ids].slice(0, MOST))
    if (isTooMuch) toasts.show(`At most ${count(MOST)} pushes can be selected.`)
    this.element.hidden = this.size === 0
    if (this.size > 0) this.#fill()
    this.dispatchEvent(new Event("changed"))
  }

  /// One request for each push.
  #pin(ids) { return ids.map((id) => new Call("PATCH", `/pushes/${encodeURIComponent(id)}`, { pinned: true })) }

  #fill() {
    // IDs sort by time.
    const id = [...this.#ids].sort()
    const pushes = pushCount(id.length)
    const exported = exportLink({ id }, { class: "button" })
    replace(exported, icon("download"), word("Export"))
    replace(this.element,
      h("p", { role: "status" }, `${count(id.length)} selected`),
      h("div.buttons",
        actions.button("Delete…", () => new Call("DELETE", "/pushes", undefined, { id }), {
          kind: "quiet small danger",
          iconName: "trash",
          ask: {
            title: `Delete ${pushes}?`,
            text: "This deletes the records from the journal and cannot be undone. Notifications stay on the devices.",
            button: `Delete ${pushes}`,
          },
          onDone: ({ deleted }) => {
            this.clear()
            toasts.show(`Deleted ${pushCount(deleted)}.`)
          },
        }),
        exported,
        actions.button("Pin", () => this.#pin(id), { kind: "quiet small", iconName: "pin" }),
        id.length === 2
          ? h("a.button", { href: router.path(comparePath(...id)) }, icon("compare"), word("Compare"))
          : null,
        h("button.quiet.small", { title: "Deselect all (Esc)", onclick: () => this.clear() },
          icon("close"), word("Deselect"))))
  }
}

/// A label that only screen readers get where there is no room.
function word(text) { return h("span.word", text) }
