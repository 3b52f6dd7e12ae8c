// The form of a push to send: headers, payload, and fields for the parts of the payload that belong to the push type.

import { Fields, h, PUSH_TYPES, replace, withoutSuffix } from "../core/core.js"
import { LEFT_OUT, MEMBERS, contentOf, textOf } from "./draft.js"
import { PayloadFields } from "./payload-fields.js"
import { templateOf, written } from "./templates.js"

const MORE = "More headers"

export class PushForm {
  #lists
  #template
  /// The payload that the template filled in. It is replaced with the push type, unless it was changed.
  #filledIn = null
  #fields
  #parts = new PayloadFields((payload) => this.#setText(written(payload)))
  #left = h("div.fields")
  #right = h("div.fields")

  /// `lists` are the ids of the lists of known `devices` and `topics`. `body` is the push, as `POST /pushes/send` takes
  /// it.
  constructor(lists, body) {
    this.#lists = lists
    this.element = h("div.send-form", this.#left, this.#right)
    this.#fill(body)
  }

  /// Fills in a push.
  show(body) {
    const { "apns-push-type": type, ...headers } = body.headers ?? {}
    this.#fill(type === null ? { ...body, headers, pushType: LEFT_OUT } : body)
    this.element.dispatchEvent(new Event("change"))
  }

  #fill(body) {
    const { pushType = "alert" } = body
    this.#template = templateOf(pushType)
    const text = textOf(body)
    this.#filledIn = text === null ? written(this.#template.payload()) : null
    const { priority, expiration } = this.#template
    this.#draw({ ...(text === null ? { priority, expiration } : {}), ...body, pushType, text: text ?? this.#filledIn })
  }

  /// The push, as `POST /pushes/send` takes it.
  get value() {
    const { pushType, headers, text, ...rest } = this.#fields.value
    const typed = pushType === LEFT_OUT ? rest : { ...rest, pushType }
    const all = { ...(pushType === LEFT_OUT ? { "apns-push-type": "" } : {}), ...headers }
    // A field that has a value takes precedence over the same header among the others.
    const others = Object.entries(all).filter(([name]) => typed[MEMBERS[name.toLowerCase()]] === undefined)
    const sent = Object.fromEntries(others.map(([name, text]) => [name, text === "" ? null : text]))
    return { ...typed, ...(others.length ? { headers: sent } : {}), ...contentOf(text) }
  }

  complain(errors) {
    return this.#fields.complain(errors.map((error) =>
      ({ ...error, path: error.path?.replace(/^\/payload/, "/text") })))
  }

  /// Focuses the field with a name, or else the first one of the payload.
  focus(name) {
    const field = this.#fields.parts.find(({ row }) => row.name === name)
    ;(field ?? (this.#template.fields.length ? this.#parts : this.#fields)).focus()
  }

  #draw(state) {
    const { pushType, text } = state
    const types = [...new Set([...Object.keys(PUSH_TYPES), pushType])].filter((type) => type !== LEFT_OUT)
    const topic = `com.example.app${this.#template.suffix}`
    this.#fields = new Fields([
      { name: "pushType", label: "Push type", kind: "select",
        options: [...types.map((type) => [type, type]), [LEFT_OUT, "no push type"]] },
      { name: "token", label: "To", kind: "text", list: this.#lists.devices, placeholder: "default test device",
        hint: "A device token, or @ and a device label." },
      { name: "topic", label: "Topic", kind: "text", list: this.#lists.topics, placeholder: topic },
      { name: "text", label: "Payload", kind: "exact", rows: 9 },
      { name: "priority", label: "Priority", kind: "number", placeholder: "10, 5 or 1", fold: MORE },
      { name: "expiration", label: "Expiration", kind: "number", placeholder: "none", fold: MORE,
        hint: "In UNIX seconds; 0 to try once." },
      { name: "collapseId", label: "Collapse ID", kind: "text", placeholder: "none", fold: MORE },
      { name: "headers", label: "Other headers", kind: "headers", placeholder: "apns-id: …", fold: MORE,
        hint: "One per line. A name without a value leaves the header out. The fields above take precedence." },
    ], state)
    const [type, to, topicPart, payload] = this.#fields.parts.map(({ element }) => element)
    payload.after(h("div", h("button.small", { type: "button", onclick: () => this.#reset() }, "Reset to template")))
    replace(this.#right, this.#fields.element)
    replace(this.#left, type, to, topicPart, this.#parts.element)
    this.#parts.show(this.#template, contentOf(text).payload)
    this.#control("pushType").addEventListener("change", () => this.#retype())
    this.#control("text").addEventListener("input", ({ target }) => {
      this.#parts.show(this.#template, contentOf(target.value).payload)
    })
  }

  /// Another push type was chosen: its headers and payload replace those of the previous template.
  #retype() {
    const before = this.#template
    const state = this.#fields.value
    this.#template = templateOf(state.pushType)
    for (const name of ["topic", "priority", "expiration"]) {
      if (state[name] === before[name]) state[name] = this.#template[name]
    }
    const { topic, suffix } = this.#template
    if (state.topic && state.topic !== topic) state.topic = withoutSuffix(state.topic) + suffix
    if (state.text === this.#filledIn) this.#filledIn = state.text = written(this.#template.payload())
    this.#draw(state)
    this.#control("pushType").focus()
  }

  #reset() {
    this.#filledIn = written(this.#template.payload())
    this.#setText(this.#filledIn)
    this.#parts.show(this.#template, contentOf(this.#filledIn).payload)
  }

  #setText(text) {
    const control = this.#control("text")
    control.value = text
    control.dispatchEvent(new Event("change", { bubbles: true }))
  }

  #control(name) { return this.element.querySelector(`[name=${name}]`) }
}
