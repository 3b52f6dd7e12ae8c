// The head of the open push: outcome, buttons, title, facts, and why it was rejected.

import { toasts } from "../core/actions.js"
import { api } from "../core/api.js"
import { appPart, apps } from "../core/apps.js"
import { channelPart } from "../core/channels.js"
import {
  chip, count, foreign, h, icon, keepingFocus, note, plain, replace, shareMeter, shortToken, timeElement,
} from "../core/elements.js"
import { router } from "../core/router.js"
import { responseNotes } from "./banner.js"
import { isTopicOfCertificate } from "./certificate.js"
import { deliveryLook, headline, verdictLook, verdictWords } from "./labels.js"
import { Mismatches } from "./mismatches.js"
import { PushActions } from "./push-actions.js"

export class Head {
  #record = null
  #isFollowing = false
  #verdict = h("p.verdict", { role: "status" })
  #actions = new PushActions((record) => {
    if (record.id === this.#record.id) this.show(record, this.#isFollowing)
  })
  #title = h("h2.foreign", { tabindex: "-1" })
  #number = h("span.weak.mono")
  #notes = h("div.head-notes")
  #facts = h("ul.head-facts")
  #gone = h("div", { role: "status" })
  #mismatches = new Mismatches()

  constructor() {
    apps.addEventListener("changed", () => this.#record && this.show(this.#record, this.#isFollowing))
    this.element = h("header.push-head",
      h("div.head-line", this.#verdict, this.#actions.element),
      h("div.head-line.title-line", this.#title, h("div.head-steps",
        this.#number, this.#step("up", "Newer push", "after"), this.#step("down", "Older push", "before"))),
      this.#gone,
      this.#mismatches.element,
      this.#notes,
      this.#facts)
  }

  /// `isFollowing` means that the newest push is shown and replaced when another arrives.
  show(record, isFollowing) {
    this.#record = record
    this.#isFollowing = isFollowing
    replace(this.#gone)
    const { text, isOwn } = headline(record)
    replace(this.#title, plain(text, 200))
    this.#title.classList.toggle("not-own", !isOwn)
    replace(this.#number, `#${record.seq}`)
    this.#actions.show(record)
    this.#mismatches.show(record, router.route.parameters.match)
    keepingFocus(this.#facts, () => this.#showFacts(record, isFollowing))
    keepingFocus(this.#notes, () => replace(this.#notes,
      record.note ? note("", "note", plain(record.note, 1_000)) : null,
      responseNotes(record)))
    const look = verdictLook(record)
    const delivery = deliveryLook(record)
    replace(this.#verdict,
      h("strong.verdict-word", { class: look.tone }, icon(look.icon), plain(verdictWords(record))),
      delivery ? chip(plain(delivery.words, 80), delivery.tone, delivery.icon) : null)
  }

  /// The record was deleted or evicted. What is shown stays.
  gone() {
    if (this.#gone.firstChild) return
    const words = "This push is no longer in the journal. This is its last known state."
    replace(this.#gone, note("warn", "clock", words))
  }

  togglePin() { this.#actions.togglePin() }

  focus() { this.#title.focus({ preventScroll: true }) }

  #step(iconName, name, parameter) {
    return h("button.quiet.small", {
      "aria-label": name,
      title: name,
      onclick: () => this.#go(parameter, name),
    }, icon(iconName))
  }

  async #go(parameter, name) {
    const { q, after, tab } = router.route.parameters
    const order = parameter === "after" ? "asc" : "desc"
    try {
      const from = { [parameter]: this.#record.seq, order, limit: 1, q, fields: "summary" }
      const [push] = (await api.get("/pushes", from)).pushes
      if (push) router.go(router.path(`/p/${encodeURIComponent(push.id)}`, { q, after, tab }))
      else toasts.show(`No ${q ? "matching " : ""}${name.toLowerCase()}.`)
    } catch (error) {
      toasts.problem(error)
    }
  }

  #showFacts(record, isFollowing) {
    const { apns, delivery, response, namespace } = record
    const following = [chip("Newest match", "good"),
      h("a", { href: router.path(`/p/${encodeURIComponent(record.id)}`) }, "Stay on this push")]
    const origin = isTopicOfCertificate(record) ? " (from the certificate)" : null
    const appTopic = apns.topic ?? apns.bundleId
    const topic = [h("span.said", "Topic "), foreign(apns.topic, { class: "mono" }), origin]
    const facts = [
      isFollowing ? following : null,
      record.service === "channels" ? null : [icon("send"), foreign(typeWords(apns))],
      appTopic !== null && apps.of(appTopic) ? [h("span.said", "App "), appPart(appTopic)] : null,
      apns.topic === null ? null : topic,
      apns.bundleId === null ? null : [h("span.said", "App "), foreign(apns.bundleId, { class: "mono" })],
      apns.channel === null ? null : this.#link("Channel", plain(apns.channel, 60),
        `/channels/${channelPart(apns.channel)}`, "mono"),
      apns.token ? [icon("device"), this.#link("Device",
        delivery.device ? `@${plain(delivery.device, 40)}` : shortToken(apns.token),
        `/devices/${encodeURIComponent(apns.token)}`, "foreign", apns.token)] : null,
      record.request.bodySize > 0 ? sizePart(record) : null,
      [icon("clock"), timeElement(record.receivedAt), response.status === 0 ? null : h("span",
        { title: "From the complete request to the response" }, `· ${Number(response.durationMs.toPrecision(2))} ms`)],
      record.pinned ? chip("Pinned", "", "pin") : null,
      record.imported ? chip("Imported") : null,
      namespace === "default" ? null : chip(`Namespace ${plain(namespace, 60)}`),
    ]
    replace(this.#facts, facts.filter(Boolean).map((fact) => h("li", fact)))
  }

  #link(name, words, path, kind, title = null) {
    const said = h("span.said", `${name} `)
    return h("a", { class: kind, title, href: router.path(path) }, said, words)
  }
}

function sizePart({ request: { bodySize, limitShare }, verdict }) {
  const limit = verdict.checks.find((check) => check.limit !== undefined)?.limit
  const percent = `${Math.round(limitShare * 100)} %`
  return [shareMeter(limitShare), limit
    ? `${count(bodySize)} of ${count(limit)} bytes, ${percent}`
    : `${count(bodySize)} bytes, ${percent} of the limit`]
}

function typeWords({ pushType, pushTypeDerived, priority }) {
  return plain(pushType, 40) + (pushTypeDerived ? " (from the topic)" : "")
    + (priority === null ? "" : ` · priority ${priority}`)
}
