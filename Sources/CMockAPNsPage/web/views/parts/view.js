// What the views beside the pushes have in common: a heading with tools, and a content that is loaded, renewed,
// and said to be missing.

import { h, replace } from "../../core/dom.js"
import { icon } from "../../core/icons.js"

/// The base of a view; see `App.views` for what the page asks of it.
///
/// A view that extends it has `load()`, which asks the API and draws into `content`, and may have `draw()`, which is
/// called when the address is another one and nothing has to be asked.
export class View {
  parameters = {}
  isShown = false
  #isLoaded = false
  #isStale = true
  #isLoading = false
  #timer = 0
  #turn
  #stops
  #turning = 0

  /// `name` is the view's class, `title` its heading, `about` a line that says what it is for; `turn`, where there is
  /// one, how often it asks anew while it is shown (milliseconds), for what changes without an event; `stops` selects
  /// the links that the keys j and k go to.
  constructor(app, { name, title, about, turn = null, stops = null }) {
    this.app = app
    this.#turn = turn
    this.#stops = stops
    this.heading = h("h1", { tabindex: "-1" }, title)
    this.about = h("p", { class: "weak page-about" }, about)
    this.tools = h("div", { class: "page-tools" })
    this.trouble = h("div", { class: "page-trouble", role: "alert" })
    this.content = h("div", { class: "page-content" }, h("p", { class: "weak loading" }, "Loading…"))
    this.element = h(
      "section",
      { class: `page ${name}` },
      h("header", { class: "page-head" }, h("div", {}, this.heading, this.about), this.tools),
      this.trouble,
      this.content
    )
  }

  show(parameters) {
    this.parameters = parameters
    this.isShown = true
    if (this.#turn) this.#turning ||= setInterval(() => { if (!document.hidden) this.renew() }, this.#turn)
    if (this.#isStale) this.renew()
    else this.draw()
  }

  hide() {
    this.isShown = false
    clearInterval(this.#turning)
    this.#turning = 0
  }

  message() {}

  /// Takes j and k: the next row and the one before it, without opening it.
  key(name) {
    if (!this.#stops || (name !== "j" && name !== "k")) return false
    const stops = [...this.content.querySelectorAll(this.#stops)]
    const row = document.activeElement?.closest(".device-group, .rule, .stacking tr")
    const now = stops.findIndex((stop) => stop === document.activeElement || row?.contains(stop))
    const next = stops[now < 0 ? 0 : now + (name === "j" ? 1 : -1)]
    next?.focus()
    return stops.length > 0
  }

  /// See `App.views`: in another namespace, nothing that stands on the page means what it says.
  reload(why) {
    if (why === "another") {
      this.#isLoaded = false
      this.forget()
      replace(this.content, h("p", { class: "weak loading" }, "Loading…"))
    }
    this.#isStale = true
    if (this.isShown) this.renew()
  }

  /// Takes away what was made for another namespace; its links lead there.
  forget() {}

  draw() {}

  /// Asks again soon. Many askings become one, and while nobody looks it waits until somebody does.
  renewSoon(delay = 500) {
    this.#isStale = true
    if (!this.isShown || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = 0
      if (this.isShown) this.renew()
    }, delay)
  }

  /// What is shown may be old, but nobody has to be told at once: it asks when somebody comes back to it.
  grewOld() { if (!this.isShown) this.#isStale = true }

  /// Asks now, and says so when it goes wrong; what was shown before stays.
  async renew() {
    if (this.#isLoading) {
      this.#isStale = true
      return
    }
    this.#isLoading = true
    this.#isStale = false
    try {
      await this.load()
      this.#isLoaded = true
      replace(this.trouble)
    } catch (error) {
      const isAskedAgain = this.#isStale
      this.#isStale = true
      this.#fail(error)
      // Perhaps it was the namespace before that did not answer.
      if (isAskedAgain) this.renewSoon()
      return
    } finally {
      this.#isLoading = false
    }
    if (this.#isStale) this.renewSoon()
  }

  #fail(error) {
    if (!this.#isLoaded) replace(this.content)
    replace(
      this.trouble,
      h(
        "div",
        { class: "notice bad" },
        icon("warning"),
        h("span", {}, `This could not be loaded. ${error.text ?? error.message}`),
        h("button", { class: "small", onclick: () => this.renew() }, "Try again")
      )
    )
  }
}

/// What stands where a list is empty: what it is for, and what to do.
export function emptyState(title, text, ...actions) {
  return h("div", { class: "empty" }, h("h2", {}, title), h("p", {}, text), ...actions)
}
