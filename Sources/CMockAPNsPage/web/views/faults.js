import { h } from "../core/dom.js"

export class FaultsView {
  element = h("div", { class: "faults" }, h("h1", { class: "said" }, "Faults"))
  constructor(app) { this.app = app }
  show(parameters) {}
  hide() {}
  message(message) {}
  reload() {}
}
