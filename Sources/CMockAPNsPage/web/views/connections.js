import { h } from "../core/dom.js"

export class ConnectionsView {
  element = h("div", { class: "connections" }, h("h1", { class: "said" }, "Connections"))
  constructor(app) { this.app = app }
  show(parameters) {}
  hide() {}
  message(message) {}
  reload() {}
}
