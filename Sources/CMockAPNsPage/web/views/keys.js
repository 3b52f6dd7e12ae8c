import { h } from "../core/dom.js"

export class KeysView {
  element = h("div", { class: "keys" }, h("h1", { class: "said" }, "Keys"))
  constructor(app) { this.app = app }
  show(parameters) {}
  hide() {}
  message(message) {}
  reload() {}
}
