// The view of the pushes: the list, and the open push beside it or instead of it.

import { actions, api, Call, counts, h, icon, router, search, toasts, whenStill } from "../core/core.js"
import { Detail } from "../detail/detail.js"
import { deliveryWords } from "../views/devices/labels.js"
import { Feed } from "./feed.js"
import { Filters } from "./filters.js"
import { Groups } from "./groups.js"
import { Instead } from "./instead.js"
import { PushList } from "./list.js"
import { Selection } from "./selection.js"
import { toggled } from "./terms.js"
import { Tools } from "./tools.js"

/// The pause after the last key before the push that the keyboard has moved to is opened (milliseconds).
const FOLLOW = 120
/// In the wide layout, the open push is beside the list.
const WIDE = matchMedia("(min-width: 900px)")

export class PushesView {
  #feed = new Feed()
  #toggle = (term) => this.#search(toggled(this.#feed.q, term))
  #selection = new Selection(this.#feed)
  #list = new PushList(this.#feed, this.#selection, this.#toggle)
  #filters = new Filters(this.#toggle)
  #groups = new Groups(this.#feed, this.#list, () => this.#toggleGroups())
  #tools = new Tools(this.#feed)
  #detail = new Detail()
  #instead = new Instead(this.#feed)
  #parameters = null
  #opened = null
  /// The key of the push that is opened when the keyboard has been still for a moment.
  #next = null
  #openNextSoon = whenStill(() => {
    if (this.#next) router.go(this.#list.pathOf(this.#next), { instead: true })
  }, FOLLOW)
  #group = h("button.small.group", {
    "aria-pressed": "false",
    title: "Show pushes with the same outcome as one row",
    onclick: () => this.#toggleGroups(),
  }, "Group")
  #back = h("a.button.small.back", { href: "/" }, icon("back"), "Back to list")
  #pane = h("section.push-pane", { "aria-label": "Push", tabindex: "-1", hidden: true },
    this.#back, this.#detail.element)
  element = h("div.pushes",
    h("h1.said", "Pushes"),
    h("section.list-pane", { "aria-label": "List of pushes" },
      this.#filters.element, this.#list.element, this.#groups.element, this.#instead.element, this.#tools.element,
      this.#selection.element),
    this.#pane)

  constructor() {
    this.#filters.element.append(this.#group)
    this.#feed.addEventListener("changed", () => this.#changed())
    this.#selection.addEventListener("changed", () => {
      this.#tools.element.hidden = this.#selection.size > 0
    })
    counts.addEventListener("changed", ({ detail }) => {
      if (detail.name === "faults") this.#nameFaults(detail.value)
    })
  }

  show(parameters) {
    const before = this.#parameters
    this.#parameters = parameters
    const { q = "", after = null, ns = "" } = parameters
    const isOther = !before || (before.q ?? "") !== q || (before.after ?? null) !== after || (before.ns ?? "") !== ns
    if (isOther) {
      this.#selection.clear()
      this.#list.toTop()
      search.problem(null)
      this.#feed.open(q, after === null ? null : Number(after))
    }
    const { tab } = parameters
    this.#filters.show(q)
    this.#list.query = router.path("", { q, after, tab })
    this.#list.restore()
    this.#open(parameters)
  }

  hide() { this.#detail.hide() }

  message(message) {
    this.#feed.message(message)
    this.#detail.message(message)
  }

  reload(why) {
    if (!this.#parameters) return
    if (why === "another") this.#feed.forget()
    if (why === "gap") this.#feed.eventsMissed()
    else this.#feed.open(this.#feed.q, this.#feed.after)
    this.#detail.reload({ isGap: why === "gap" })
  }

  key(name) {
    const keys = {
      j: () => this.#step(1),
      k: () => this.#step(-1),
      ArrowDown: () => this.#list.hasFocus && this.#step(1),
      ArrowUp: () => this.#list.hasFocus && this.#step(-1),
      Enter: () => this.#enter(),
      Escape: () => this.#leave(),
      o: () => { this.#toggleDevice() },
      x: () => { if (this.#list.active) this.#selection.toggle(this.#list.active.id) },
      p: () => this.#detail.togglePin(),
      e: () => this.#tools.openExport(),
    }
    return Object.hasOwn(keys, name) && keys[name]() !== false
  }

  get #listPath() {
    const { q, after } = this.#parameters
    return router.path("/", { q, after })
  }

  /// Changes the search. In the wide layout, the open push stays open.
  #search(q) {
    const { push, after, tab } = this.#parameters
    const path = push && WIDE.matches ? location.pathname : "/"
    router.go(router.path(path, { q, after, tab }))
  }

  /// Moves by one push. An open push is replaced by it, after a pause, so that holding a key stays smooth.
  #step(by) {
    if (this.#isGrouped) return false
    const key = this.#list.step(by)
    if (!key || this.#opened === null) return true
    this.#next = key
    this.#list.select(key)
    this.#openNextSoon()
    return true
  }

  /// Opens the push of the focused row and moves the focus into it.
  #enter() {
    const key = this.#list.hasFocus ? this.#list.active?.id : null
    if (!key || document.activeElement.localName !== "a") return false
    router.go(this.#list.pathOf(key), { instead: this.#opened !== null })
    this.#pane.focus({ preventScroll: true })
    return true
  }

  /// Deselects all pushes, or else returns from the open push to its row, and then closes it.
  #leave() {
    if (this.#selection.size > 0) {
      this.#selection.clear()
      return true
    }
    if (!this.#parameters.push) return false
    const isInside = WIDE.matches && this.#pane.contains(document.activeElement)
    if (!isInside || this.#list.focus() === null) router.go(this.#listPath)
    return true
  }

  #open(parameters) {
    const { push: id = null } = parameters
    this.#next = null
    const wasOpen = this.#opened
    this.#opened = id
    this.element.toggleAttribute("data-open", id !== null)
    this.#pane.hidden = id === null
    this.#back.href = this.#listPath
    if (id === null) {
      this.#detail.hide()
      this.#list.select(null)
      if (wasOpen !== null) this.#list.focus()
      return
    }
    const isElsewhere = document.activeElement?.closest(".push-row") === null
    this.#list.select(this.#keyOf(id), { reveal: wasOpen === null || isElsewhere })
    this.#detail.show(id, parameters)
  }

  /// The row for an ID of the URL: a push ID, `seq:` and a number, or `latest`.
  #keyOf(id) {
    const { model } = this.#feed
    if (id === "latest") return model.newest?.key ?? null
    return id.startsWith("seq:") ? model.keyOf(Number(id.slice(4))) : id
  }

  #nameFaults(faults) {
    for (const { id, name, preset } of faults) this.#list.faultNames.set(id, name ?? preset ?? "fault")
    this.#list.draw()
  }

  #changed() {
    // Loading failed, so the rows belong to an earlier URL.
    this.#list.element.toggleAttribute("data-stale", this.#feed.error !== null)
    if (!this.#feed.isLoading || this.#feed.model.pushes > 0) {
      this.#instead.draw()
      this.#place()
    }
    if (this.#opened) this.#list.select(this.#next ?? this.#keyOf(this.#opened))
  }

  get #isGrouped() { return this.#group.getAttribute("aria-pressed") === "true" }

  #toggleGroups() {
    this.#group.setAttribute("aria-pressed", String(!this.#isGrouped))
    this.#selection.clear()
    this.#place()
    this.#groups.load()
  }

  /// Shows the list, the groups, or what is shown instead of both.
  #place() {
    const { kind } = this.#instead
    this.#filters.element.hidden = kind === "welcome"
    this.#list.element.hidden = kind !== null || this.#isGrouped
    this.#groups.element.hidden = kind !== null || !this.#isGrouped
  }

  /// Switches the device of the active push online or offline.
  async #toggleDevice() {
    const push = this.#list.active
    if (!push?.token) return
    const path = `/devices/${encodeURIComponent(push.token)}`
    try {
      const device = await api.get(path)
      const state = device.state === "online" ? "offline" : "online"
      const name = device.label ? `@${device.label}` : `…${push.token.slice(-8)}`
      actions.run(new Call("PATCH", path, { state }), {
        onDone: (answer) => toasts.show(
          `${name} is ${state}.${state === "online" ? ` ${deliveryWords(answer)}.` : ""}`),
      })
    } catch (error) {
      toasts.problem(error)
    }
  }
}
