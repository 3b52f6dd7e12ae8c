import { h } from "../core/dom.js"

export class PushesView {
  element = h("div", { class: "pushes" }, h("h1", { class: "said" }, "Pushes"))
  constructor(app) { this.app = app }
  show(parameters) {}
  hide() {}
  message(message) {}
  reload() {}
}
