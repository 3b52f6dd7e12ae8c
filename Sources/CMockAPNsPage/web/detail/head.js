// The head of the open push: outcome, buttons, title, facts, and why it was rejected.

import {
  api, appPart, apps, channelPart, chip, count, foreign, h, icon, keepingFocus, note, pageLink, plain, pushLink,
  pushPath, pushType, replace, router, shareMeter, shortToken, timeElement, toasts,
} from "../core/core.js"
import { responseNotes } from "./banner.js"
import { isTopicOfCertificate } from "./certificate.js"
import { deliveryLook, headline, verdictLook, verdictWords } from "./labels.js"
import { Mismatches } from "./mismatches.js"
import { PushActions } from "./push-actions.js"
import { resendNotes } from "./resends.js"

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
    keepingFocus(this.#facts, () => replace(this.#facts, factItems(record, isFollowing)))
    keepingFocus(this.#notes, () => replace(this.#notes,
      resendNotes(record),
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

  /// Whether another push is about to be shown, so that the buttons must not act on this one.
  set isLeaving(isLeaving) { this.#actions.element.inert = isLeaving }

  togglePin() { this.#actions.togglePin() }

  focus() { this.#title.focus({ preventScroll: true }) }

  /// The button that opens the next matching push, `after` or `before` this one.
  #step(iconName, name, parameter) {
    const onclick = async () => {
      const { q, after, tab } = router.route.parameters
      const order = parameter === "after" ? "asc" : "desc"
      const next = { [parameter]: this.#record.seq, order, limit: 1, q, fields: "summary" }
      try {
        const [push] = (await api.get("/pushes", next)).pushes
        if (push) router.go(router.path(pushPath(push.id), { q, after, tab }))
        else toasts.show(`No ${q ? "matching " : ""}${name.toLowerCase()}.`)
      } catch (error) {
        toasts.problem(error)
      }
    }
    return h("button.quiet.small", { "aria-label": name, title: name, onclick }, icon(iconName))
  }
}

function factItems(record, isFollowing) {
  const { apns, delivery, namespace } = record
  const appTopic = apns.topic ?? apns.bundleId
  const facts = [
    isFollowing && [chip("Newest match", "good"), pushLink(record.id, "Stay on this push")],
    record.service !== "channels" && [icon("send"), foreign(typeWords(record))],
    appTopic !== null && apps.of(appTopic) && named("App", appPart(appTopic)),
    apns.topic !== null && named("Topic", foreign(apns.topic, "mono"),
      isTopicOfCertificate(record) ? " (from the certificate)" : null),
    apns.bundleId !== null && named("App", foreign(apns.bundleId, "mono")),
    apns.channel !== null && channelLink(apns.channel),
    apns.token && [icon("device"), deviceLink(apns.token, delivery.device)],
    record.request.bodySize > 0 && sizePart(record),
    [icon("clock"), timeElement(record.receivedAt), durationPart(record.response)],
    record.pinned && chip("Pinned", "", "pin"),
    record.imported && chip("Imported"),
    namespace !== "default" && chip(`Namespace ${plain(namespace, 60)}`),
  ]
  return facts.filter(Boolean).map((fact) => h("li", fact))
}

/// A fact with a name for screen readers.
function named(name, ...content) { return [h("span.said", `${name} `), content] }

function channelLink(id) {
  return pageLink(`/channels/${channelPart(id)}`, named("Channel", plain(id, 60)), { kind: "mono" })
}

function deviceLink(token, name) {
  const words = name ? `@${plain(name, 40)}` : shortToken(token)
  return pageLink(`/devices/${encodeURIComponent(token)}`, named("Device", words), { kind: "foreign", title: token })
}

function durationPart({ status, durationMs }) {
  const title = "From the complete request to the response"
  return status === 0 ? null : h("span", { title }, `· ${Number(durationMs.toPrecision(2))} ms`)
}

function sizePart({ request: { bodySize, limitShare }, verdict }) {
  const limit = verdict.checks.find((check) => check.limit !== undefined)?.limit
  const percent = `${Math.round(limitShare * 100)} %`
  return [shareMeter(limitShare), limit
    ? `${count(bodySize)} of ${count(limit)} bytes, ${percent}`
    : `${count(bodySize)} bytes, ${percent} of the limit`]
}

function typeWords({ apns: { pushType: type, pushTypeDerived, priority }, request: { payload } }) {
  const event = payload?.aps?.event
  return plain(type, 40) + (pushType(type).events?.has(event) ? ` ${event}` : "")
    + (pushTypeDerived ? " (from the topic)" : "")
    + (priority === null ? "" : ` · priority ${priority}`)
}
