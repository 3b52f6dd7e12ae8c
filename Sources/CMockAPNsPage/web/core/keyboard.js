// What keys do. Letters alone, and never while somebody writes: the browser's own keys stay the browser's.

/// How long `g` waits for the letter of a view.
const PATIENCE = 1_500

/// The keys as the help shows them; one row each.
export const KEYS = [
  ["j", "Next push, or other row"],
  ["k", "The one before it"],
  ["Enter", "Open it"],
  ["Esc", "Back to its row"],
  ["o", "Its device online or offline"],
  ["e", "Export"],
  ["/", "Search"],
  ["?", "This help"],
]

/// Leads keys to what they do.
///
/// `g` and a letter go to a view. Of the others, the view that is shown is asked first: its `key(name)` says whether
/// it took it.
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
    switch (key) {
    case "g":
      this.#awaitsView = Date.now() + PATIENCE
      return true
    case "/":
      this.app.shell.search.focus()
      return true
    case "?":
      this.app.shell.help()
      return true
    default:
      return false
    }
  }
}

/// Whether keys that are pressed here are text.
function isField(element) {
  if (element.isContentEditable) return true
  if (element.localName === "input") return !["checkbox", "radio", "button", "range"].includes(element.type)
  return ["textarea", "select"].includes(element.localName)
}
