import { h } from "../core/dom.js"

export class LogView {
  element = h("div", { class: "log" }, h("h1", { class: "said" }, "Log"))
  constructor(app) { this.app = app }
  show(parameters) {}
  hide() {}
  message(message) {}
  reload() {}
}
