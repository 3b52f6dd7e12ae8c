import { h } from "../core/dom.js"
export class PreviewTab {
  element = h("div", { class: "preview-tab" })
  constructor(app) { this.app = app }
  show(record, parameters) {}
}
