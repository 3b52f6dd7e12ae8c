// The frame around the views: header, navigation and banners.

import {
  actions, api, clock, count, counts, emptyState, h, icon, Popover, replace, router, search, toasts,
} from "../core/core.js"
import { Appearance } from "./appearance.js"
import { ClockChip } from "./clock-chip.js"
import { FaultBanner } from "./fault-banner.js"
import { ForwardBanner } from "./forward-banner.js"
import { linkList, openHelp } from "./help.js"
import { LiveStatus } from "./live-status.js"
import { NamespaceSwitch } from "./namespaces.js"
import { openSettings } from "./settings.js"

export class Shell {
  #views
  #main = h("main.view", { id: "main", tabindex: "-1" })
  #label = h("span.chip.brand-label.one-line")
  #version = h("span.weak.brand-version")
  #another = h("div.banner", { role: "status", "aria-label": "New version", hidden: true })
  #tabs = new Map()
  #shown = null
  #namespaces = new NamespaceSwitch()
  #faults = new FaultBanner()
  #forward = new ForwardBanner()

  constructor(views) {
    this.#views = views
    counts.addEventListener("changed", ({ detail }) => this.#counted(detail))
    this.element = h("div.shell",
      h("a.skip.button", { href: "#main" }, "Skip to content"),
      this.#header(),
      h("nav.views", { "aria-label": "Views" }, views.map((view) => this.#tab(view))),
      h("div.banners", this.#another, this.#forward.element, this.#faults.element),
      this.#main)
  }

  /// The server responded: shows its facts and those of the selected namespace.
  begin(info) {
    replace(this.#label, info.label)
    this.#label.hidden = !info.label
    replace(this.#version, info.version)
    this.#name()
    this.#namespaces.begin()
    if (api.namespace === "default") this.#forward.show(info)
    clock.read()
    counts.begin()
    for (const view of this.#views) this.#tabs.get(view.name).link.href = router.path(view.path)
  }

  place(element, name) {
    for (const [other, { link }] of this.#tabs) link.ariaCurrent = other === name ? "page" : null
    this.#tabs.get(name).link.scrollIntoView({ block: "nearest", inline: "nearest" })
    replace(this.#main, element)
    this.#shown = name
    this.#name()
  }

  routed({ view, parameters }) { search.show(view === "pushes" ? parameters.q : "") }

  message(message) {
    counts.message(message)
    if (["clock.changed", "reset", "gap"].includes(message.type)) clock.read()
  }

  /// Offers to reload the page if the server has a different version.
  compareVersions(own, version) {
    this.#another.hidden = version === own
    replace(this.#another,
      h("span.banner-text", `The server is now mock-apns ${version}; this page is from ${own}.`),
      h("button.small", { onclick: () => location.reload() }, "Reload page"))
  }

  /// Shows why nothing can be shown.
  fail(error, retry) {
    const isElsewhere = api.namespace !== "default"
    replace(this.#main, h("div", { role: "alert" }, emptyState(error.title ?? "The server is not responding",
      error.text ?? error.message,
      h("div.buttons",
        h("button.primary", { onclick: retry }, "Try again"),
        isElsewhere ? h("a.button", { href: "/" }, "Open namespace default") : null))))
  }

  #header() {
    const tool = (label, iconName, properties = {}) =>
      h("button.quiet.tool", { title: label, "aria-label": label, ...properties }, icon(iconName))
    const commands = tool("Show commands", "terminal", { "aria-pressed": "false" })
    commands.addEventListener("click", () => {
      actions.showsCommands = !actions.showsCommands
      commands.ariaPressed = actions.showsCommands
      document.documentElement.toggleAttribute("data-shows-commands", actions.showsCommands)
      if (actions.showsCommands) toasts.show("Buttons now show their command instead of running it.")
    })
    const more = tool("Settings and more", "settings")
    const menu = new Popover(more, "Settings and more", () => [
      h("button", { onclick: openSettings }, icon("settings"), "Server settings…"),
      linkList(),
    ])
    return h("header.top",
      h("div.brand", h("img", { src: "/ui/icon.svg", alt: "mock-apns", width: 20, height: 20 }),
        h("span.brand-name", { "aria-hidden": "true" }, "mock-apns"), this.#version, this.#label),
      this.#namespaces.element,
      new LiveStatus().element,
      search.element,
      new ClockChip().element,
      h("div.tools",
        commands,
        new Appearance().element,
        more,
        menu.panel,
        tool("Help and keyboard shortcuts", "keyboard", { onclick: () => openHelp(this.#views) })))
  }

  #name() {
    const view = this.#views.find(({ name }) => name === this.#shown)?.label
    document.title = [view, api.info?.label, "mock-apns"].filter(Boolean).join(" · ")
  }

  #tab({ name, label, path }) {
    const number = h("span.number")
    const link = h("a", { href: router.path(path) }, label, " ", number)
    this.#tabs.set(name, { link, number })
    return link
  }

  #counted({ name, value }) {
    const { number } = this.#tabs.get(name) ?? {}
    if (!number) return
    if (name !== "faults") {
      replace(number, value ? count(value) : "")
      return
    }
    const on = value.filter((fault) => fault.enabled).length
    replace(number, value.length > 0 && count(value.length), on > 0 && h("span.bad", ` ● ${on} active`))
    this.#faults.show(value)
  }
}
