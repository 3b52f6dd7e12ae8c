import { h } from "../core/dom.js"

export class DevicesView {
  element = h("div", { class: "devices" }, h("h1", { class: "said" }, "Devices"))
  constructor(app) { this.app = app }
  show(parameters) {}
  hide() {}
  message(message) {}
  reload() {}
}
