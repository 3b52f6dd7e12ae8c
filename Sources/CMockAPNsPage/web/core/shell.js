// The frame around every view.

import { h, replace } from "./dom.js"

export class Shell {
  #app
  #main = h("main", { class: "view", id: "main", tabindex: "-1" })

  constructor(app, views) {
    this.#app = app
    this.links = new Map(views.map((view) => [view.name, h("a", { href: app.router.path(view.path) }, view.label)]))
    this.element = h("div", { class: "shell" }, h("nav", { class: "views" }, [...this.links.values()]), this.#main)
  }

  begin(info) {}

  place(element, name) {
    for (const [other, link] of this.links) link.toggleAttribute("aria-current", other === name)
    replace(this.#main, element)
  }

  message(message) {}

  offerReload(version) {}

  fail(error, retry) { replace(this.#main, h("p", {}, error.message), h("button", { onclick: retry }, "Try again")) }
}
