import { h } from "../core/dom.js"

export class FeedbackView {
  element = h("div", { class: "feedback" }, h("h1", { class: "said" }, "Feedback"))
  constructor(app) { this.app = app }
  show(parameters) {}
  hide() {}
  message(message) {}
  reload() {}
}
