// Keyboard shortcuts: single keys, ignored while a text field has the focus or a modifier is held.

import { router, search } from "../core/core.js"
import { openHelp } from "./help.js"

/// How long `g` waits for a view's letter (milliseconds).
const PATIENCE = 1_500

/// Handles keyboard shortcuts.
///
/// `g` and a letter open a view. Other keys are offered to the current view first: its `key(name)` returns whether it
/// handled the key.
export class Keyboard {
  #awaitsView = 0

  /// `app` has the current view as `shown`; `views` are those of the header.
  constructor(app, views) {
    this.app = app
    this.views = views
    document.addEventListener("keydown", (event) => this.#pressed(event))
  }

  #pressed(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.target.matches(FIELDS) || document.querySelector("dialog[open], .popover:popover-open")) return
    if (this.#took(event.key)) event.preventDefault()
  }

  #took(key) {
    if (Date.now() < this.#awaitsView) {
      this.#awaitsView = 0
      const view = this.views.find((one) => one.key === key)
      if (view) router.go(router.path(view.path))
      return view !== undefined
    }
    if (this.app.shown?.key?.(key)) return true
    const keys = {
      g: () => { this.#awaitsView = Date.now() + PATIENCE },
      "/": () => search.focus(),
      "?": () => openHelp(this.views),
    }
    if (!Object.hasOwn(keys, key)) return false
    keys[key]()
    return true
  }
}

/// The elements in which keys enter text.
const FIELDS = "textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=range])"
