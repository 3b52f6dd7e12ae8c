// A device in the table: one row for the device and one for each of its apps.

import { Call } from "../../core/api.js"
import { APP_STATES } from "../../core/vocabulary.js"
import { h, plain, shortToken } from "../../core/dom.js"
import { icon } from "../../core/icons.js"
import { Rows, refill } from "../../core/rows.js"
import { count, counted } from "../../core/time.js"
import { timeElement } from "../../core/time-element.js"
import { TableRow, cell, framedTable, rowActions } from "../parts/table.js"
import { apiSelect, apiSwitch, tokenPart } from "../parts/controls.js"
import { DEAD, deliveryWords, deviceName, hasNews } from "./labels.js"

const HEADINGS = [
  "Device and apps", "Token", "State", "Options", "Stored", "Delivered", "Badge", "Last push", "Actions",
]

/// Creates the table of devices: `{frame, table}`.
export function deviceTable(caption) {
  const numbers = ["Stored", "Delivered", "Badge"]
  return framedTable(caption, { headings: HEADINGS, numbers, kind: "devices-table" })
}

/// The rows of a device: a `tbody`.
export class DeviceGroup {
  /// Incremented for each change made here, so that earlier requests are ignored.
  turn = 0
  #app
  #onChanged
  #onForgotten
  #device = null
  #most
  #registrations = []

  /// `onChanged(device)` and `onForgotten(id)` are called after changes by this group's controls. At most `most` apps
  /// are shown.
  constructor(app, device, { onChanged, onForgotten, most = Infinity }) {
    this.#app = app
    this.#most = most
    this.#onChanged = onChanged
    this.#onForgotten = onForgotten
    const name = plain(deviceName(device), 60)
    const path = `/devices/${encodeURIComponent(device.id)}`
    const call = (body) => new Call("PATCH", path, body)
    this.link = h("a", { class: "device-name foreign" })
    this.origin = h("div", { class: "weak small-print" })
    this.state = apiSwitch(app, {
      name: `${name} online`,
      words: (isOn) => (isOn ? "Online" : "Offline"),
      makeCall: (isOn) => call({ state: isOn ? "online" : "offline" }),
      onDone: (answer) => this.#changed(answer),
    })
    this.since = h("div", { class: "weak small-print" })
    this.power = apiSwitch(app, {
      name: `${name} low power`,
      words: () => "Low power",
      makeCall: (isOn) => call({ lowPower: isOn }),
      onDone: (answer) => this.#changed(answer),
    })
    this.apps = cell("Apps", "weak")
    this.stored = cell("Stored", "number")
    this.delivered = cell("Delivered", "number")
    this.badge = cell("Badge", "number")
    this.last = cell("Last push")
    this.actions = rowActions(
      this.inbox = h("a", { class: "button small", "aria-label": `Inbox of ${name}` }, "View inbox"),
      app.actions.button("Delete…", () => new Call("DELETE", path), {
        kind: "small",
        name: `Delete ${name}`,
        ask: {
          title: `Delete ${name}?`,
          text: "Its device tokens become unknown to the server. Its pushes stay in the list.",
          button: "Delete device",
        },
        onDone: () => this.#onForgotten(device.id),
      })
    )
    const row = h(
      "tr",
      { class: "device-row", role: "row" },
      h("th", { scope: "row", role: "rowheader" },
        h("div", { class: "device-title" }, icon("device"), this.link), this.origin),
      this.apps,
      h("td", { role: "cell" }, this.state, this.since),
      h("td", { role: "cell" }, this.power),
      this.stored, this.delivered, this.badge, this.last, this.actions
    )
    this.element = h("tbody", { class: "device-group", role: "rowgroup", data: { device: device.id } }, row)
    this.element.addEventListener("change", () => { this.turn += 1 })
    this.rows = new Rows(this.element, () => new AppRow(app, this), 1)
  }

  get device() { return this.#device }

  update(device) {
    // Lists contain no badges, because the server would have to read every push to each device. Keep the known badge.
    const badge = device.badge === undefined ? this.#device?.badge : device.badge
    this.#device = { ...device, badge }
    const { router } = this.#app
    const path = `/devices/${encodeURIComponent(device.id)}`
    this.link.href = router.path(path)
    this.inbox.href = router.path(path, { at: "inbox" })
    refill(this.link, plain(deviceName(device), 100))
    refill(this.origin, originWords(device))
    this.state.show(device.state === "online")
    refill(this.since, device.offlineSince, (since) => (since ? timeElement(since, { isOfClock: true }) : null))
    this.power.show(device.lowPower)
    refill(this.apps, appWords(device.registrations, this.#most))
    refill(this.stored, device.stored, storedPart)
    refill(this.delivered, count(device.delivered))
    refill(this.badge, badge ?? "–")
    refill(this.last, device.lastPush, (push) => pushLink(this.#app, push))
    const known = new Map(this.#registrations.map((one) => [one.token, one.badge]))
    this.#registrations = device.registrations
      .map((one) => (one.badge === undefined ? { ...one, badge: known.get(one.token) } : one))
      .toSorted((one, other) => Number(one.state !== "registered") - Number(other.state !== "registered"))
    this.rows.set(this.#registrations.slice(0, this.#most).map((one) => [one.token, one]))
    this.element.classList.remove("forgotten")
  }

  /// Marks a device that was deleted elsewhere. Its rows stay, so that the table does not move.
  forgotten() {
    this.element.classList.add("forgotten")
    refill(this.origin, "Deleted")
    for (const control of this.element.querySelectorAll("button, input, select")) control.disabled = true
  }

  /// Handles a response with a device or a registration and the resulting deliveries.
  #changed(answer) {
    this.turn += 1
    const device = answer.device ?? this.#device
    const isNewlyOnline = answer.device && device.state === "online" && this.#device.state === "offline"
    if (isNewlyOnline || hasNews(answer)) this.#app.toasts.show(deliveryWords(answer))
    if (answer.device) this.#onChanged(answer.device)
    else this.refresh()
  }

  changedApp(answer) { this.#changed(answer) }

  async refresh() {
    try {
      this.#onChanged(await this.#app.api.get(`/devices/${encodeURIComponent(this.#device.id)}`))
    } catch (error) {
      if (error.status === 404) this.forgotten()
      else this.#app.toasts.problem(error)
    }
  }
}

class AppRow extends TableRow {
  #group

  constructor(app, group) {
    super(app, "app-row")
    this.#group = group
  }

  fill(registration) {
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null
    const isAlive = registration.state === "registered"
    this.element.classList.toggle("dead", !isAlive)
    this.environment.hidden = registration.environment === "sandbox"
    refill(this.topic, plain(registration.topic, 120))
    refill(this.environment, registration.environment)
    refill(this.dead, isAlive ? null : registration.state, (state) => (state ? DEAD[state] ?? state : null))
    this.appState.hidden = !isAlive
    this.appState.show(registration.appState)
    this.notifications.hidden = !isAlive
    this.notifications.show(registration.notificationsEnabled)
    refill(this.stored, [registration.stored, registration.storedUntil], () => this.#storedPart(registration))
    refill(this.delivered, count(registration.delivered))
    refill(this.badge, registration.badge ?? "–")
    refill(this.last, registration.lastPush, (id) => (id ? pushLink(this.app, { id }) : "–"))
    this.uninstall.hidden = !isAlive
    this.rotate.hidden = !isAlive
    this.install.hidden = !["uninstalled", "expired"].includes(registration.state)
    // The pressed button may be hidden now and have lost the focus.
    if (!focused?.closest("[hidden]")) return
    const next = [this.install, this.uninstall].find((button) => !button.hidden)
    if (next) next.focus()
    else this.#group.link.focus()
  }

  make(registration) {
    const { actions } = this.app
    const path = `/registrations/${encodeURIComponent(registration.token)}`
    const name = `${plain(registration.topic, 60)} ${shortToken(registration.token)}`
    const onDone = (answer) => this.#group.changedApp(answer)
    const call = (body) => new Call("PATCH", path, body)
    this.topic = h("span", { class: "foreign app-topic" })
    this.environment = h("span", { class: "chip warn" })
    this.dead = h("div", { class: "bad small-print" })
    this.appState = apiSelect(this.app, {
      name: `App state of ${name}`,
      options: Object.entries(APP_STATES),
      makeCall: (appState) => call({ appState }),
      onDone,
    })
    this.notifications = apiSwitch(this.app, {
      name: `Notifications of ${name}`,
      words: () => "Notifications",
      makeCall: (isOn) => call({ notificationsEnabled: isOn }),
      onDone,
    })
    this.stored = cell("Stored", "number")
    this.delivered = cell("Delivered", "number")
    this.badge = cell("Badge", "number")
    this.last = cell("Last push")
    this.uninstall = actions.button("Uninstall", () => call({ state: "uninstalled" }), { kind: "small", onDone })
    this.install = actions.button("Reinstall", () => call({ state: "registered" }), { kind: "small", onDone })
    this.rotate = actions.button("Rotate token", () => new Call("POST", `${path}/rotate`), {
      kind: "small",
      title: "Creates a new token, as after a restore. Pushes to the old one get 410.",
      onDone: (answer) => {
        this.app.toasts.show(`The new token is ${shortToken(answer.token)}. Pushes to the old one get 410.`)
        this.#group.refresh()
      },
    })
    for (const button of [this.uninstall, this.install, this.rotate]) {
      button.setAttribute("aria-label", `${button.textContent} ${name}`)
    }
    return [
      h("td", { role: "cell", class: "app-name" }, this.topic, " ", this.environment, this.dead),
      cell("Token", null, tokenPart(this.app, registration.token)),
      h("td", { role: "cell" }, this.appState),
      h("td", { role: "cell" }, this.notifications),
      this.stored, this.delivered, this.badge, this.last,
      rowActions(this.uninstall, this.install, this.rotate),
    ]
  }

  #storedPart({ stored, storedUntil }) {
    if (!stored) return "0"
    const link = h("a", { href: this.app.router.path(`/p/${encodeURIComponent(stored)}`) }, "1")
    link.title = storedUntil ? `Stored until ${storedUntil}` : "Stored"
    return link
  }
}

function storedPart(stored) {
  return stored ? h("span", { class: "chip wait" }, icon("stored"), count(stored)) : "0"
}

/// A link to a push, with its number if known.
function pushLink(app, push) {
  if (!push) return h("span", { class: "weak" }, "none yet")
  const href = app.router.path(`/p/${encodeURIComponent(push.id)}`)
  if (push.seq) return h("a", { href }, `#${push.seq}`)
  return h("a", { href, "aria-label": "View the last push to this app" }, "View")
}

function appWords(registrations, most) {
  const living = registrations.filter((one) => one.state === "registered").length
  const words = counted(living, "app")
  const more = registrations.length - most
  return more > 0 ? `${words}; ${count(more)} more tokens in the device's details` : words
}

function originWords(device) {
  const parts = []
  if (device.origin === "push") parts.push("created by a push")
  if (device.origin === "start-up") parts.push("created at startup")
  const clients = device.connectedClients
  if (clients) parts.push(`${counted(clients, "client")} connected`)
  return parts.join(" · ")
}
