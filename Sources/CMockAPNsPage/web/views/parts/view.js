// The base of all views except the pushes: a heading with buttons, and content that is loaded and updated.

import { h, problemNote, replace, soon } from "../../core/core.js"

/// The base of a view. `App.views` lists what a view must provide.
///
/// A subclass implements `load()`, which calls the API and draws into `content`, and optionally `draw()`, which is
/// called when the URL changed and nothing has to be loaded.
export class View {
  parameters = {}
  isShown = false
  #isLoaded = false
  #isStale = true
  #isLoading = false
  #reloadIn = soon(() => this.isShown && this.refresh())
  /// How long the last reload took.
  #took = 0
  #options
  #turning = 0

  /// `name` is the view's class, `title` its heading and `about` a line of explanation. It is reloaded when an event
  /// matches `events`, at most once in `pause`, and every `turn` for data that changes without events (milliseconds).
  constructor({ name, title, about, ...options }) {
    this.#options = options
    this.heading = h("h1", { tabindex: "-1" }, title)
    this.about = h("p.weak.page-about", about)
    this.tools = h("div.page-tools")
    this.error = h("div.page-error")
    this.content = h("div.page-content", h("p.weak.loading", "Loading…"))
    this.element = h("section.page", { class: name },
      h("header.page-head", h("div", this.heading, this.about), this.tools),
      this.error,
      this.content)
  }

  show(parameters) {
    this.parameters = parameters
    this.isShown = true
    const { turn } = this.#options
    if (turn) this.#turning ||= setInterval(() => { if (!document.hidden) this.refresh() }, turn)
    if (this.#isStale) this.refresh()
    else this.draw()
  }

  hide() {
    this.isShown = false
    clearInterval(this.#turning)
    this.#turning = 0
  }

  message({ type }) {
    if (this.#options.events?.test(type)) this.refreshSoon(this.#options.pause)
  }

  /// Handles `j` and `k`, which focus the next and the previous row.
  key(name) {
    if (name !== "j" && name !== "k") return false
    const stops = [...this.content.querySelectorAll("tbody th a, .rule-title")]
    const row = document.activeElement?.closest(".device-group, .rule, .stacking tr")
    const now = stops.findIndex((stop) => stop === document.activeElement || row?.contains(stop))
    const next = stops[now < 0 ? 0 : now + (name === "j" ? 1 : -1)]
    next?.focus()
    return stops.length > 0
  }

  /// See `App.views`. In another namespace, all shown data is removed.
  reload(why) {
    if (why === "another") {
      this.#isLoaded = false
      this.forget()
      replace(this.content, h("p.weak.loading", "Loading…"))
    }
    this.#isStale = true
    if (this.isShown) this.refresh()
  }

  /// Removes the content of another namespace, including its links.
  forget() {}

  draw() {}

  /// Shows these elements as the content.
  place(...elements) {
    if (elements.some((element) => element.parentElement !== this.content)) replace(this.content, elements)
  }

  /// Reloads soon, later if that takes long. Several calls cause one request. A hidden view waits until it is shown.
  refreshSoon(pause = 500) {
    this.#isStale = true
    if (this.isShown) this.#reloadIn(Math.max(pause, 4 * this.#took))
  }

  /// Reloads after an action that removed its own button, which had the focus.
  removed() {
    this.refresh()
    this.heading.focus()
  }

  /// Marks a hidden view as out of date, so that it reloads when it is shown.
  markStale() { if (!this.isShown) this.#isStale = true }

  /// Reloads now, or again when the current reload has ended. On failure, it shows the error and keeps the previous
  /// content.
  async refresh() {
    this.#isStale = this.#isLoading
    if (this.#isLoading) return
    this.#isLoading = true
    const began = performance.now()
    let hasFailed = false
    try {
      await this.load()
      this.#isLoaded = true
      replace(this.error)
    } catch (error) {
      hasFailed = true
      if (!this.#isLoaded) replace(this.content)
      replace(this.error, problemNote(error, () => this.refresh()))
    }
    this.#isLoading = false
    this.#took = performance.now() - began
    // The error may be from the previous namespace.
    if (this.#isStale) this.refreshSoon()
    this.#isStale ||= hasFailed
  }
}
