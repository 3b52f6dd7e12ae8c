// The head of the open push: outcome, title, facts and buttons.

import { copyButton } from "../core/actions.js"
import { Call } from "../core/api.js"
import { channelPart } from "../core/channels.js"
import { h, plain, replace, shortToken } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { ago, timeOfDay } from "../core/time.js"
import { openNote } from "../core/push-dialogs.js"
import { chip, foreign, keepingFocus, note } from "../core/parts.js"
import { isTopicOfCertificate } from "./certificate.js"
import { deliveryLook, headline, verdictLook, verdictWords } from "./labels.js"

export class Head {
  #app
  #record = null
  #isFollowing = false
  #verdict = h("p", { class: "verdict", role: "status" })
  #title = h("h2", { class: "foreign", tabindex: "-1" })
  #explanation = h("div", { class: "explanation" })
  #facts = h("ul", { class: "head-facts" })
  #gone = h("div", { role: "status" })
  #note = h("div", {})
  #number = h("span", { class: "weak mono" })
  #age = h("span", { class: "weak" })

  constructor(app) {
    this.#app = app
    this.element = h(
      "header",
      { class: "push-head" },
      h("div", { class: "head-line" }, this.#verdict, h("div", { class: "head-tools" }, this.#number, this.#tools())),
      this.#title,
      this.#gone,
      this.#note,
      this.#explanation,
      this.#facts
    )
  }

  /// `isFollowing` means that the newest push is shown and replaced when another arrives.
  show(record, isFollowing) {
    this.#record = record
    this.#isFollowing = isFollowing
    replace(this.#gone)
    replace(this.#note, record.note ? note("", "note", plain(record.note, 1_000)) : null)
    const { text, isOwn } = headline(record)
    replace(this.#title, plain(text, 200))
    this.#title.classList.toggle("not-own", !isOwn)
    replace(this.#number, `#${record.seq}`)
    keepingFocus(this.#facts, () => this.#showFacts(record, isFollowing))
    keepingFocus(this.#explanation, () => replace(this.#explanation, ...this.#explanations(record)))
    const look = verdictLook(record)
    const delivery = deliveryLook(record)
    this.tick()
    replace(
      this.#verdict,
      h("strong", { class: `verdict-word ${look.tone}` }, icon(look.icon), plain(verdictWords(record))),
      delivery ? chip(delivery.words, delivery.tone, delivery.icon) : null
    )
  }

  /// The record was deleted or evicted. What is shown stays.
  gone() {
    if (this.#gone.firstChild) return
    const words = "This push is no longer in the journal. This is its last known state."
    replace(this.#gone, note("warn", "clock", words))
  }

  focus() { this.#title.focus({ preventScroll: true }) }

  tick() {
    if (this.#record) replace(this.#age, ago(this.#record.receivedAt))
  }

  #tools() {
    const { actions } = this.#app
    return [
      this.#step("up", "Newer push", "after"),
      this.#step("down", "Older push", "before"),
      copyButton(() => location.origin + this.#link(), "Copy link", { kind: "quiet small", iconName: "link" }),
      h("button", {
        class: "quiet small",
        onclick: () => openNote(this.#app, this.#record, (record) => {
          if (record.id === this.#record.id) this.show({ ...this.#record, note: record.note }, this.#isFollowing)
        }),
      }, icon("note"), "Edit note…"),
      actions.button("Delete", () => new Call("DELETE", `/pushes/${encodeURIComponent(this.#record.id)}`), {
        kind: "quiet small",
        iconName: "trash",
        ask: {
          title: "Delete this push?",
          text: "This deletes the record of the push. Its notification stays on the device.",
          button: "Delete push",
        },
        onDone: () => {
          // Leave the push first, or it would be loaded again.
          this.#app.router.go(this.#listAddress(), { instead: true })
          this.#app.views.get("pushes")?.reload()
        },
      }),
    ]
  }

  #step(iconName, name, parameter) {
    return h("button", {
      class: "quiet small",
      "aria-label": name,
      title: name,
      onclick: () => this.#go(parameter, name),
    }, icon(iconName))
  }

  async #go(parameter, name) {
    const { api, router, toasts } = this.#app
    const { q } = router.route.parameters
    const listed = this.#app.view("pushes").neighbor(this.#record.id, parameter === "after" ? -1 : 1)
    if (listed) {
      router.go(listed)
      return
    }
    const order = parameter === "after" ? "asc" : "desc"
    try {
      const from = { [parameter]: this.#record.seq, order, limit: 1, q, fields: "summary" }
      const [push] = (await api.get("/pushes", from)).pushes
      if (push) router.go(this.#link(push.id, location.search))
      else toasts.show(`No ${q ? "matching " : ""}${name.toLowerCase()}.`)
    } catch (error) {
      toasts.problem(error)
    }
  }

  #link(id = this.#record.id, search = null) {
    const path = `/p/${encodeURIComponent(id)}`
    return search === null ? this.#app.router.path(path) : path + search
  }

  #listAddress() {
    const { ns, q, after } = this.#app.router.route.parameters
    return this.#app.router.path("/", { ns, q, after })
  }

  #showFacts(record, isFollowing) {
    const { router } = this.#app
    const { apns, delivery } = record
    const priority = apns.priority === null ? "" : ` · priority ${apns.priority}`
    const type = `${plain(apns.pushType, 40)}${apns.pushTypeDerived ? " (from the topic)" : ""}${priority}`
    const token = apns.token
    const device = delivery.device ? `@${plain(delivery.device, 40)}` : shortToken(token ?? "")
    const following = [chip("Newest match", "good"), h("a", { href: this.#link() }, "Pin this push")]
    const origin = isTopicOfCertificate(record) ? " (from the certificate)" : null
    const topic = [h("span", { class: "said" }, "Topic "), foreign(apns.topic, { class: "mono" }), origin]
    const channel = apns.channel === null ? null : h(
      "a",
      { class: "mono", href: router.path(`/channels/${channelPart(apns.channel)}`) },
      h("span", { class: "said" }, "Channel "), plain(apns.channel, 60)
    )
    const address = token ? router.path(`/devices/${encodeURIComponent(token)}`) : null
    const said = h("span", { class: "said" }, "Device ")
    const link = h("a", { class: "foreign", title: token, href: address }, said, device)
    replace(
      this.#facts,
      isFollowing ? h("li", {}, following) : null,
      record.service === "channels" ? null : h("li", {}, icon("send"), h("span", { class: "foreign" }, type)),
      apns.topic === null ? null : h("li", {}, topic),
      apns.bundleId === null
        ? null : h("li", {}, h("span", { class: "said" }, "App "), foreign(apns.bundleId, { class: "mono" })),
      channel ? h("li", {}, channel) : null,
      token ? h("li", {}, icon("device"), link) : null,
      h(
        "li",
        { title: record.receivedAt },
        icon("clock"),
        h("time", { datetime: record.receivedAt }, timeOfDay(record.receivedAt)),
        this.#age
      ),
      record.imported ? h("li", {}, chip("Imported")) : null,
      record.namespace === "default" ? null : h("li", {}, chip(`Namespace ${plain(record.namespace, 60)}`))
    )
  }

  /// Explains the response and how to fix an error.
  #explanations({ verdict, response, faults }) {
    const { router } = this.#app
    const notes = []
    const fault = faults[0]
    if (fault) {
      const isAnswer = verdict.decidedBy === `fault:${fault}` && response.status !== 200
      const failed = verdict.checks.find((check) => check.ok === false)
      const otherwise = !isAnswer ? "" : failed
        ? ` Without it, the check ${failed.id} would have rejected the push.`
        : " Without it, the push would have been accepted."
      const words = isAnswer ? "A fault decided this response: " : "A fault changed what happened: "
      const link = h("a", { href: router.path(`/faults/${encodeURIComponent(fault)}`) }, fault)
      notes.push(note("warn", "fault", [words, link, `.${otherwise}`]))
    }
    if (verdict.reason || verdict.problem || verdict.hint) {
      const fix = [h("strong", {}, "Fix: "), h("span", { class: "foreign" }, plain(verdict.hint, 600))]
      notes.push(h(
        "div",
        { class: `note ${response.status === 200 ? "" : "bad-note"}` },
        verdict.meaning ? h("p", {}, verdict.meaning) : null,
        verdict.hint ? h("p", {}, fix) : null,
        verdict.problem ? h("p", { class: "foreign" }, plain(verdict.problem, 600)) : null
      ))
    }
    return notes
  }
}
