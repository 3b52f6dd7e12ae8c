// Tabs: one of several panels is shown. Arrow keys switch between them.

import { h, replace } from "./dom.js"

export class Tabs {
  element
  /// The name of the selected tab.
  shown = null
  #tabs = new Map()
  #onSelect

  /// `label` is the label for screen readers, `rows` the tabs `{name, label}`. `onSelect(name)` is called when the user
  /// selects a tab; `show` then shows it.
  constructor(label, rows, onSelect) {
    this.#onSelect = onSelect
    for (const row of rows) {
      const mark = h("span.tab-mark")
      const onclick = () => onSelect(row.name)
      const tab = h("button", { role: "tab", "aria-selected": "false", tabindex: "-1", onclick }, row.label, mark)
      const panel = h("div.tab-panel", { role: "tabpanel", "aria-label": row.label, tabindex: "0", hidden: true })
      tab.ariaControlsElements = [panel]
      this.#tabs.set(row.name, { tab, mark, panel })
    }
    const all = [...this.#tabs.values()]
    this.element = h("div.tabbed",
      h("div.tabs", { role: "tablist", "aria-label": label, onkeydown: (event) => this.#pressed(event) },
        all.map(({ tab }) => tab)),
      all.map(({ panel }) => panel))
  }

  has(name) { return this.#tabs.has(name) }

  panel(name) { return this.#tabs.get(name).panel }

  /// Sets what follows the label of a tab, for example a count.
  mark(name, ...children) { replace(this.#tabs.get(name).mark, ...children) }

  show(name) {
    if (this.shown === name) return
    this.shown = name
    for (const [other, { tab, panel }] of this.#tabs) {
      tab.setAttribute("aria-selected", String(other === name))
      tab.tabIndex = other === name ? 0 : -1
      panel.hidden = other !== name
    }
    this.#tabs.get(name).tab.scrollIntoView({ block: "nearest", inline: "nearest", container: "nearest" })
  }

  #pressed(event) {
    const names = [...this.#tabs.keys()]
    const at = names.indexOf(this.shown)
    const next = {
      ArrowRight: (at + 1) % names.length,
      ArrowLeft: (at + names.length - 1) % names.length,
      Home: 0,
      End: names.length - 1,
    }[event.key]
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    this.#onSelect(names[next])
    this.#tabs.get(names[next]).tab.focus()
  }
}
