// A device in the table: one row for the device and one for each of its apps.

import {
  actions, APP_STATES, appPart, Call, chip, count, counted, h, icon, openApp, pageLink, plain, pushLink, Rows,
  shortToken, timeElement, toasts,
} from "../../core/core.js"
import { apiSelect, apiSwitch, tokenPart } from "../parts/controls.js"
import { TableRow } from "../parts/table.js"
import { deadWords, deliveryWords, deviceName, hasNews } from "./labels.js"

/// The columns of the table of devices.
export const HEADINGS = [
  { label: "Device and apps" }, { label: "Token" }, { label: "State" }, { label: "Options" },
  { label: "Stored", kind: "number" }, { label: "Delivered", kind: "number" }, { label: "Badge", kind: "number" },
  { label: "Last push" }, { label: "Actions", kind: "row-actions" },
]

/// The most apps of a device in the table. Its page shows all of them.
const MOST_APPS = 8

const isAlive = ({ state }) => state === "registered"

/// The rows of a device: a `tbody`.
export class DeviceGroup {
  #view
  #isInTable
  #row
  #apps
  /// The known badges, by the device's ID and by the tokens of its apps.
  #badges = new Map()
  /// The device of the last list, as JSON.
  #listed = null

  /// `view` is the `DevicesView`, which shows a table of devices, or only this one.
  constructor(view, device, { isInTable }) {
    this.#view = view
    this.#isInTable = isInTable
    this.#row = new TableRow(this.#deviceColumns(device), device, "device-row")
    this.element = h("tbody.device-group", { role: "rowgroup", data: { device: device.id } }, this.#row.element)
    this.#apps = new Rows(this.element, (one) => new TableRow(this.#appColumns(one), one, "app-row"), 1)
  }

  /// Lists contain no badges, because the server would have to read every push. The known ones are shown until the view
  /// has loaded the device.
  update(device) {
    const text = JSON.stringify(device)
    if (device.badge !== undefined) {
      for (const { id, token, badge } of [device, ...device.registrations]) this.#badges.set(token ?? id, badge)
    } else if (text !== this.#listed) {
      this.#listed = text
      this.#view.badges.markStale(this.element)
    }
    const withBadge = (one) => ({ ...one, badge: this.#badges.get(one.token ?? one.id) })
    const registrations = device.registrations.map(withBadge).toSorted((one, other) => isAlive(other) - isAlive(one))
    this.#row.update({ ...withBadge(device), registrations })
    const shown = this.#isInTable ? registrations.slice(0, MOST_APPS) : registrations
    this.#apps.set(shown.map((one) => [one.token, one]))
    for (const one of shown) this.#apps.get(one.token).element.classList.toggle("dead", !isAlive(one))
  }

  focus() { this.#row.focus() }

  #deviceColumns(device) {
    const nameOf = (one) => plain(deviceName(one), 60)
    const path = `/devices/${encodeURIComponent(device.id)}`
    const onDone = (answer) => this.#changed(answer)
    const call = (body) => new Call("PATCH", path, body)
    return [
      { isHead: true, isBare: true, show: (one) => [
        h("div.device-title", icon("device"),
          pageLink(path, plain(deviceName(one), 100), { kind: "device-name foreign" })),
        h("div.weak.small-print", originWords(one))] },
      { label: "Apps", kind: "weak", show: ({ registrations }) => this.#appWords(registrations) },
      { isBare: true, show: (one) => [
        apiSwitch({
          name: `${nameOf(one)} online`,
          words: one.state === "online" ? "Online" : "Offline",
          isOn: one.state === "online",
          makeCall: (isOn) => call({ state: isOn ? "online" : "offline" }),
          onDone,
        }),
        one.offlineSince
          ? h("div.weak.small-print", timeElement(one.offlineSince, { isOfClock: true }))
          : null] },
      { isBare: true, show: (one) => apiSwitch({
        name: `${nameOf(one)} low power`,
        words: "Low power",
        isOn: one.lowPower,
        makeCall: (lowPower) => call({ lowPower }),
        onDone,
      }) },
      { label: "Stored", kind: "number", show: ({ stored }) => (stored ? chip(count(stored), "wait", "stored") : "0") },
      { label: "Delivered", kind: "number", show: ({ delivered }) => count(delivered) },
      { label: "Badge", kind: "number", show: ({ badge }) => badge ?? "–" },
      { label: "Last push", show: ({ lastPush }) => (lastPush
        ? pushLink(lastPush.id, `#${lastPush.seq}`)
        : h("span.weak", "none yet")) },
      { kind: "row-actions", isBare: true, show: (one) => [
        this.#isInTable
          ? pageLink(path, "View inbox", { kind: "button small", name: `Inbox of ${nameOf(one)}`, at: "inbox" })
          : null,
        actions.button("Delete…", () => new Call("DELETE", path), {
          kind: "small",
          name: `Delete ${nameOf(one)}`,
          ask: {
            title: `Delete ${nameOf(one)}?`,
            text: "Its device tokens become unknown to the server. Its pushes stay in the list.",
            button: "Delete device",
          },
          onDone: () => this.#view.removed(),
        })] },
    ]
  }

  #appColumns({ topic, token, environment }) {
    const path = `/registrations/${encodeURIComponent(token)}`
    const name = `${plain(topic, 60)} ${shortToken(token)}`
    const onDone = (answer) => this.#changed(answer)
    const call = (body) => new Call("PATCH", path, body)
    const button = (label, makeCall, options = {}) => actions.button(
      label, makeCall, { kind: "small", name: `${label} ${name}`, onDone, ...options })
    return [
      { kind: "app-name", isBare: true, show: ({ state, deadSince }) => [
        appPart(topic, "foreign app-topic"), " ",
        h("button.quiet.small", {
          title: "Edit name and icon",
          "aria-label": `Edit name and icon of ${plain(topic, 60)}`,
          onclick: () => openApp(topic),
        }, icon("note")), " ",
        environment === "sandbox" ? null : chip(environment, "warn"),
        h("div.bad.small-print", deadWords({ state, deadSince }))] },
      { label: "Token", show: () => tokenPart(token) },
      { isBare: true, show: (one) => isAlive(one) && apiSelect({
        name: `App state of ${name}`,
        options: Object.entries(APP_STATES),
        chosen: one.appState,
        makeCall: (appState) => call({ appState }),
        onDone,
      }) },
      { isBare: true, show: (one) => isAlive(one) && apiSwitch({
        name: `Notifications of ${name}`,
        words: "Notifications",
        isOn: one.notificationsEnabled,
        makeCall: (isOn) => call({ notificationsEnabled: isOn }),
        onDone,
      }) },
      { label: "Stored", kind: "number", show: ({ stored, storedUntil }) => (stored
        ? pushLink(stored, "1", { title: storedUntil ? `Stored until ${storedUntil}` : "Stored" })
        : "0") },
      { label: "Delivered", kind: "number", show: ({ delivered }) => count(delivered) },
      { label: "Badge", kind: "number", show: ({ badge }) => badge ?? "–" },
      { label: "Last push", show: ({ lastPush }) => (lastPush
        ? pushLink(lastPush, "View", { name: "View the last push to this app" })
        : "–") },
      { kind: "row-actions", isBare: true, show: ({ state }) => {
        if (state === "uninstalled" || state === "expired") {
          return button("Reinstall", () => call({ state: "registered" }))
        }
        if (state !== "registered") return null
        return [
          button("Uninstall", () => call({ state: "uninstalled" })),
          button("Rotate token", () => new Call("POST", `${path}/rotate`), {
            title: "Creates a new token, as after a restore. Pushes to the old one get 410.",
            onDone: ({ token: next }) => {
              toasts.show(`The new token is ${shortToken(next)}. Pushes to the old one get 410.`)
              this.#view.refresh()
            },
          }),
        ]
      } },
    ]
  }

  /// Handles a response with a device or a registration and the resulting deliveries.
  #changed(answer) {
    const isNewlyOnline = answer.device?.state === "online" && this.#row.item.state === "offline"
    if (isNewlyOnline || hasNews(answer)) toasts.show(deliveryWords(answer))
    this.#view.refresh()
  }

  #appWords(registrations) {
    const words = counted(registrations.filter(isAlive).length, "app")
    const more = registrations.length - MOST_APPS
    return this.#isInTable && more > 0 ? `${words}; ${count(more)} more tokens in the device's details` : words
  }
}

function originWords({ origin, connectedClients, os, activities, pushMagic }) {
  const created = { push: "created by a push", "start-up": "created at startup" }[origin]
  const clients = connectedClients ? `${counted(connectedClients, "client")} attached` : null
  const live = activities ? counted(activities, "Live Activity", "Live Activities") : null
  const enrolled = pushMagic ? "enrolled in MDM" : null
  return [`iOS ${os}`, created, clients, live, enrolled].filter(Boolean).join(" · ")
}
