// Keyboard shortcuts: single keys, ignored while a text field has the focus or a modifier is held.

/// How long `g` waits for a view's letter (milliseconds).
const PATIENCE = 1_500

/// The shortcuts as the help shows them.
export const KEYS = [
  ["j ↓", "Next row"],
  ["k ↑", "Previous row"],
  ["Enter", "Open row and move into it"],
  ["Esc", "Back to the row, then close"],
  ["x", "Select row; Shift-click selects a range"],
  ["o", "Toggle device online"],
  ["p", "Pin or unpin the open push"],
  ["e", "Export"],
  ["/", "Search"],
  ["?", "Show this help"],
]

/// Handles keyboard shortcuts.
///
/// `g` and a letter open a view. Other keys are offered to the current view first: its `key(name)` returns whether it
/// handled the key.
export class Keyboard {
  #awaitsView = 0

  constructor(app, views) {
    this.app = app
    this.views = views
    document.addEventListener("keydown", (event) => this.#pressed(event))
  }

  #pressed(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (isField(event.target) || document.querySelector("dialog[open], .popover:popover-open")) return
    if (this.#took(event.key)) event.preventDefault()
  }

  #took(key) {
    if (Date.now() < this.#awaitsView) {
      this.#awaitsView = 0
      const view = this.views.find((one) => one.key === key)
      if (view) this.app.router.go(this.app.router.path(view.path))
      return view !== undefined
    }
    if (this.app.shown?.key?.(key)) return true
    const keys = {
      g: () => { this.#awaitsView = Date.now() + PATIENCE },
      "/": () => this.app.shell.search.focus(),
      "?": () => this.app.shell.help(),
    }
    if (!Object.hasOwn(keys, key)) return false
    keys[key]()
    return true
  }
}

/// Whether keys pressed in this element enter text.
function isField(element) {
  if (element.isContentEditable) return true
  if (element.localName === "input") return !["checkbox", "radio", "button", "range"].includes(element.type)
  return ["textarea", "select"].includes(element.localName)
}
