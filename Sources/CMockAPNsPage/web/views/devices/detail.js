// One device: its apps, Notification Center and stored pushes.

import { copyable, openDialog } from "../../core/actions.js"
import { Call } from "../../core/api.js"
import { channelPart } from "../../core/channels.js"
import { h, plain, replace } from "../../core/dom.js"
import { fact } from "../../core/parts.js"
import { Rows, refill } from "../../core/rows.js"
import { count, counted } from "../../core/time.js"
import { timeElement } from "../../core/time-element.js"
import { showResponse } from "../../send/send.js"
import { backLink, copyIcon } from "../parts/controls.js"
import { addApp, renameDevice } from "./add.js"
import { DeviceGroup, deviceTable } from "./group.js"
import { deviceName, pushesOf } from "./labels.js"

/// How a device was created, by the API's names.
const ORIGINS = {
  push: "By a push to an unknown token",
  described: "Through the API",
  "start-up": "At startup; a reset restores it",
}

export class DeviceDetail {
  #app
  #back
  #device = null
  #group = null
  #subscriptions = []
  #isAsking = false
  #asksAgain = false
  #timer = 0
  /// How long the last request took. The server reads every push to the device for it.
  #took = 0

  /// `back()` returns to the table.
  constructor(app, back) {
    this.#app = app
    this.#back = back
    this.heading = h("h2", { class: "foreign", tabindex: "-1" })
    this.buttons = h("div", { class: "page-tools" })
    this.table = h("div", {})
    this.inboxHeading = h("h2", { tabindex: "-1" }, "Notification Center")
    this.inboxNote = h("p", { class: "weak" })
    this.inboxList = h("ul", { class: "notifications" })
    this.inbox = new Rows(this.inboxList, () => new Entry(app, notificationEntry))
    this.broadcastNote = h("p", { class: "weak" })
    this.broadcastList = h("ul", { class: "notifications" })
    this.broadcasts = new Rows(this.broadcastList, () => new Entry(app, broadcastEntry))
    this.broadcastPanel = h("section", { class: "panel" },
      h("h2", {}, "Broadcasts"), this.broadcastNote, this.broadcastList)
    this.storedHeading = h("h2", {}, "Stored")
    this.storedNote = h("p", { class: "weak" })
    this.storedList = h("ul", { class: "notifications" })
    this.stored = new Rows(this.storedList, () => new Entry(app, storedEntry))
    this.facts = h("dl", { class: "fact-list" })
    this.element = h(
      "div",
      { class: "device-detail" },
      h("div", { class: "device-head" },
        (this.back = backLink("All devices", () => this.#back())),
        this.heading, this.buttons),
      this.table,
      h("div", { class: "device-columns" },
        h("section", { class: "panel" }, this.inboxHeading, this.inboxNote, this.inboxList),
        this.broadcastPanel,
        h("section", { class: "panel" }, this.storedHeading, this.storedNote, this.storedList),
        h("section", { class: "panel" }, h("h2", {}, "About"), this.facts))
    )
  }

  get id() { return this.#device?.id ?? null }

  has(token) { return this.#device?.registrations.some((one) => one.token === token) ?? false }

  subscribes(channel) {
    return this.#device !== null && this.#subscriptions.some((one) => one.channel === channel)
  }

  /// Shows a device by `@label`, token or ID. With `isAgain`, it is updated only if it is still the current device.
  async show(reference, { isAgain = false } = {}) {
    const path = `/devices/${encodeURIComponent(reference)}`
    const [device, inbox, stored, { subscriptions }] = await Promise.all(
      ["", "/inbox", "/stored", "/subscriptions"].map((part) => this.#app.api.get(`${path}${part}`))
    )
    // The user opened another device meanwhile.
    if (isAgain && this.#device?.id !== device.id) return
    if (this.#device?.id !== device.id) this.#begin(device)
    this.#draw(device, inbox, stored, subscriptions)
  }

  /// Moves the focus to the heading, or to that of the part `at`.
  focus(at) {
    const heading = at === "inbox" ? this.inboxHeading : this.heading
    heading.focus({ preventScroll: true })
    if (at === "inbox") heading.scrollIntoView({ block: "nearest" })
  }

  /// Reloads after a change, with one request at a time.
  changed(data) {
    if (data?.forgotten) {
      this.#group?.forgotten()
      return
    }
    this.#timer ||= setTimeout(() => {
      this.#timer = 0
      this.#ask()
    }, Math.max(300, 4 * this.#took))
  }

  async #ask() {
    if (!this.#device || this.#isAsking) {
      this.#asksAgain = Boolean(this.#device)
      return
    }
    this.#isAsking = true
    const began = performance.now()
    try {
      await this.show(this.#device.id, { isAgain: true })
    } catch (error) {
      if (error.status === 404) this.#group?.forgotten()
      // If the server is not responding, the header shows it, and the next event leads here again.
    }
    this.#isAsking = false
    this.#took = performance.now() - began
    if (this.#asksAgain) {
      this.#asksAgain = false
      this.changed()
    }
  }

  forget() { this.#device = null }

  #begin(device) {
    this.back.href = this.#app.router.path("/devices")
    this.inbox.clear()
    this.stored.clear()
    const { actions, toasts } = this.#app
    this.#group = new DeviceGroup(this.#app, device, {
      onChanged: (changed) => {
        this.#group.update(changed)
        this.changed()
      },
      onForgotten: () => {
        toasts.show("Deleted the device.")
        this.#back()
      },
    })
    this.#group.inbox.hidden = true
    const { frame, table } = deviceTable("The device and its apps")
    table.append(this.#group.element)
    replace(this.table, frame)
    const renew = () => this.changed()
    replace(
      this.buttons,
      actions.button("Send test push", () => this.#testPush(), {
        iconName: "send",
        onDone: (answer) => showResponse(this.#app, answer),
      }),
      h("button", { onclick: () => addApp(this.#app, this.#device, renew) }, "Add app…"),
      h("button", { onclick: () => renameDevice(this.#app, this.#device, renew) }, "Change label…"),
      (this.pushes = h("a", { class: "button" }, "View pushes"))
    )
    this.#device = device
  }

  #testPush() {
    const { registrations } = this.#device
    const target = registrations.find((one) => one.state === "registered") ?? registrations[0]
    if (!target) {
      this.#app.toasts.show("This device has no app to push to. Add one first.", { isProblem: true })
      return null
    }
    return new Call("POST", "/pushes/send", { token: target.token, topic: target.topic })
  }

  #draw(device, inbox, stored, subscriptions) {
    this.#subscriptions = subscriptions
    this.#device = device
    this.#group.update(device)
    refill(this.heading, plain(deviceName(device), 100))
    const search = pushesOf(device)
    this.pushes.hidden = search === null
    this.pushes.href = this.#app.router.path("/", { q: search })
    refill(this.inboxNote, inboxWords(inbox))
    this.inbox.set(inbox.notifications.slice(0, 200).map((one) => [one.push, one]))
    this.broadcastPanel.hidden = inbox.broadcasts.length + subscriptions.length === 0
    refill(this.broadcastNote, inbox.broadcasts.length
      ? `${counted(inbox.broadcasts.length, "broadcast")} delivered or stored.`
      : "None yet.")
    this.broadcasts.set(inbox.broadcasts.slice(0, 200).map((one) => [one.push, one]))
    refill(this.storedNote, stored.stored.length
      ? "The newest notification of each app, and the newest broadcast of each channel, is stored until the device is "
        + "online or it expires."
      : "Empty. While the device is offline, the newest notification of each app is stored here.")
    const until = new Map(device.registrations.map((one) => [one.stored, one.storedUntil]))
    this.stored.set(stored.stored.map((push) => [push.id, { push, until: until.get(push.id) }]))
    const { id, label, origin, delivered, discarded, connectedClients } = device
    refill(this.facts, [id, label, origin, delivered, discarded, connectedClients, subscriptions], () => [
      fact("ID", h("code", {}, device.id), copyIcon(this.#app, device.id, "the ID")),
      fact("API name", h("code", { class: "foreign" }, device.label ? `@${plain(device.label, 100)}` : device.id)),
      fact("Created", ORIGINS[device.origin] ?? device.origin),
      subscriptions.length ? fact("Channels", channelLinks(this.#app, subscriptions)) : null,
      fact("Delivered", count(device.delivered)),
      fact("Discarded", count(device.discarded)),
      fact("Attached clients", count(device.connectedClients), " ", connectButton(this.#app, device.id)),
    ])
  }
}

/// An entry of a list of pushes to a device. `entryOf(item)` returns its content: `{topic, chip, at, lines, push, seq,
/// state}`, with a title as the first of the `lines`.
class Entry {
  element = h("li", { class: "notification" })
  #app
  #entryOf

  constructor(app, entryOf) {
    this.#app = app
    this.#entryOf = entryOf
  }

  update(item) {
    refill(this.element, item, () => {
      const { topic, thread = null, at, lines, push, seq, state } = this.#entryOf(item)
      const [title, ...texts] = lines
      return [
        h("div", { class: "notification-head weak" },
          h("span", { class: "foreign one-line" }, plain(topic, 120)),
          thread ? h("span", { class: "chip foreign one-line" }, plain(thread, 40)) : null,
          at),
        title === null ? null : h("div", { class: "notification-title foreign" }, plain(title)),
        texts.map((text) => (text === null ? null : h("div", { class: "foreign" }, plain(text, 600)))),
        h("div", { class: "notification-foot" },
          h("a", { href: this.#app.router.path(`/p/${encodeURIComponent(push)}`) }, `#${seq}`),
          h("span", { class: "weak" }, state)),
      ]
    })
  }
}

/// A notification in Notification Center.
function notificationEntry({ topic, threadId, deliveredAt, title, subtitle, body, push, seq, reaction }) {
  const at = timeElement(deliveredAt, { isOfClock: true })
  return { topic, thread: threadId, at, lines: [title, subtitle, body], push, seq, state: reaction?.summary ?? "" }
}

/// A broadcast that the device got, or that is stored for it.
function broadcastEntry({ bundleId, sentAt, title, body, event, push, seq, state }) {
  const at = timeElement(sentAt, { isOfClock: true })
  const line = title ?? body ?? `Live Activity ${event ?? "update"}`
  return { topic: bundleId, at, lines: [line], push, seq, state: STATES[state] ?? state }
}

/// A push that is stored for the device.
function storedEntry({ push: { id, seq, apns, receivedAt, service, delivery, request }, until }) {
  const state = [
    service === "broadcast" ? "Broadcast" : delivery?.status ?? "",
    until ? [" · expires ", timeElement(until, { isOfClock: true })] : null,
  ]
  const lines = [titleOf(request)]
  return { topic: apns.topic ?? apns.bundleId, at: timeElement(receivedAt), lines, push: id, seq, state }
}

/// The states of a broadcast on a device, by the API's names.
const STATES = {
  "delivered": "Delivered",
  "delivered-from-storage": "Delivered from storage",
  "stored-device-offline": "Stored: the device is offline",
  "stored-power-considerations": "Stored: the device is in low power mode",
}

/// The most channels that are listed.
const MOST_CHANNELS = 10

function channelLinks(app, subscriptions) {
  const links = subscriptions.slice(0, MOST_CHANNELS).map(({ channel }) => h("a", {
    href: app.router.path(`/channels/${channelPart(channel)}`),
  }, h("code", {}, channel)))
  const more = subscriptions.length - links.length
  return h("span", { class: "push-links" }, links, more > 0 ? `and ${count(more)} more` : null)
}

/// The button that shows the command to connect as this device.
function connectButton(app, id) {
  const command = app.api.curl(new Call("GET", `/devices/${encodeURIComponent(id)}/connect`)).replace("-sS", "-sSN")
  return h("button", {
    class: "small",
    onclick: () => openDialog(
      "Connect as this device",
      h("p", {}, "The device is online while this command runs. Each push to it is printed as an event."),
      copyable(command, "Copy command")
    ),
  }, "Connect as this device…")
}

/// The title of a push from its untrusted payload.
function titleOf(request) {
  const alert = request?.payload?.aps?.alert
  if (typeof alert === "string") return alert
  const text = alert?.title ?? alert?.body
  return typeof text === "string" ? text : "(silent)"
}

function inboxWords(inbox) {
  const shown = inbox.notifications.length
  const badge = inbox.badge === null || inbox.badge === undefined ? "" : ` The badge is ${inbox.badge}.`
  const words = shown ? `${count(shown)} shown.${badge}` : `Empty.${badge}`
  return [words, inbox.note].filter(Boolean).join(" ")
}
