// One device: its apps, Notification Center and stored pushes.

import {
  actions, api, Call, channelPart, copyable, count, counted, facts, h, openDialog, pageLink, plain, pushType, redraw,
  router, toasts,
} from "../../core/core.js"
import { showResponse } from "../../send/send.js"
import { copyIcon } from "../parts/controls.js"
import { activityTable } from "../parts/activities.js"
import { EntryPage, panel } from "../parts/entry-page.js"
import { Table } from "../parts/table.js"
import { addApp, renameDevice, startActivity } from "./dialogs.js"
import { EntryList, broadcastEntry, notificationEntry, storedEntry } from "./entries.js"
import { DeviceGroup, HEADINGS } from "./group.js"
import { deviceName, pushesOf } from "./labels.js"

/// How a device was created, by the API's names.
const ORIGINS = {
  push: "By a push to an unknown token",
  described: "Through the API",
  "start-up": "At startup; a reset restores it",
}

/// The most channels and Live Activities that are listed.
const MOST_CHANNELS = 10
const MOST_ACTIVITIES = 50

export class DevicePage extends EntryPage {
  #inbox = new EntryList("Notification Center", notificationEntry)
  #broadcasts = new EntryList("Broadcasts", broadcastEntry)
  #stored = new EntryList("Stored", storedEntry)
  #about = h("div")
  #table
  #activities
  #activitiesPanel

  constructor(view) {
    super(view)
    this.#table = new Table("The device and its apps", HEADINGS, {
      kind: "devices-table",
      makeRow: (device) => new DeviceGroup(view, device, { isInTable: false }),
    })
    this.#activities = activityTable({
      empty: () => h("p.weak", "None. A push with event start to the app's push-to-start token starts one."),
      onDone: () => view.refresh(),
    })
    this.#activitiesPanel = panel("Live Activities", this.#activities.element)
    this.element.append(this.#table.element, this.#activitiesPanel, h("div.entry-columns",
      this.#inbox.element, this.#broadcasts.element, this.#stored.element, panel("About", this.#about)))
  }

  /// Shows a device by `@label`, token or ID.
  async show(reference) {
    const path = `/devices/${encodeURIComponent(reference)}`
    const [device, inbox, { stored }, { subscriptions }, { activities }] = await Promise.all(
      ["", "/inbox", "/stored", "/subscriptions", "/activities"].map((part) => api.get(`${path}${part}`))
    )
    this.item = device
    this.#drawTools(device)
    this.#table.show([device])
    const hasActivities = activities.length > 0
      || device.registrations.some(({ topic }) => topic.endsWith(pushType("liveactivity").suffix))
    this.#activitiesPanel.hidden = !hasActivities
    const last = activities.toReversed()
    this.#activities.show(last.slice(0, MOST_ACTIVITIES), activities.length > MOST_ACTIVITIES
      ? `The latest ${count(MOST_ACTIVITIES)} of ${count(activities.length)}.` : "")
    this.#inbox.show(inboxWords(inbox), inbox.notifications)
    const { broadcasts } = inbox
    this.#broadcasts.element.hidden = broadcasts.length + subscriptions.length === 0
    const number = counted(broadcasts.length, "broadcast")
    this.#broadcasts.show(broadcasts.length ? `${number} delivered or stored.` : "None yet.", broadcasts)
    const until = new Map(device.registrations.map((one) => [one.stored, one.storedUntil]))
    this.#stored.show(stored.length
      ? "The newest notification of each app, and the newest broadcast of each channel, is stored until the device is "
        + "online or it expires."
      : "Empty. While the device is offline, the newest notification of each app is stored here.",
    stored.map((push) => ({ ...push, push: push.id, until: until.get(push.id) })))
    this.#drawFacts(device, subscriptions)
  }

  /// Moves the focus to the heading, or to that of the part `at`.
  focus(at) {
    const places = { inbox: this.#inbox.heading, activities: this.#activitiesPanel.firstChild }
    const place = places[at]
    ;(place?.checkVisibility() ? place : this.heading).focus()
  }

  #drawTools(device) {
    const { view } = this
    const search = pushesOf(device)
    const renew = () => view.refresh()
    this.drawHead(plain(deviceName(device), 100), null,
      actions.button("Send test push", () => this.#testPush(), {
        iconName: "send",
        onDone: (answer) => showResponse(answer),
      }),
      h("button", { onclick: () => addApp(this.item, renew) }, "Add app…"),
      device.registrations.length
        ? h("button", { onclick: () => startActivity(this.item, renew) }, "Start Live Activity…")
        : null,
      h("button", { onclick: () => renameDevice(this.item, () => this.#renamed()) }, "Change label…"),
      search === null ? null : pageLink("/", "View pushes", { kind: "button", q: search }))
  }

  /// Leaves the address, which may have the former label.
  #renamed() {
    router.go(router.path(`/devices/${encodeURIComponent(this.item.id)}`), { instead: true })
    this.view.refresh()
  }

  #testPush() {
    const { registrations } = this.item
    const target = registrations.find((one) => one.state === "registered") ?? registrations[0]
    if (!target) {
      toasts.show("This device has no app to push to. Add one first.", { isProblem: true })
      return null
    }
    return new Call("POST", "/pushes/send", { token: target.token, topic: target.topic })
  }

  #drawFacts({ id, label, os, origin, delivered, discarded, connectedClients }, subscriptions) {
    const links = subscriptions.slice(0, MOST_CHANNELS).map(({ channel }) => pageLink(
      `/channels/${channelPart(channel)}`, h("code", channel)))
    const more = subscriptions.length - links.length
    redraw(this.#about, facts([
      ["ID", [h("code", id), copyIcon(id, "the ID")]],
      ["API name", h("code.foreign", label ? `@${plain(label, 100)}` : id)],
      ["System", `iOS ${os}`],
      ["Created", ORIGINS[origin] ?? origin],
      ["Channels", links.length ? h("span.push-links", links, more > 0 ? `and ${count(more)} more` : null) : null],
      ["Delivered", count(delivered)],
      ["Discarded", count(discarded)],
      ["Attached clients", [count(connectedClients), " ", connectButton(id)]],
    ]))
  }
}

/// The button that shows the command to connect as this device.
function connectButton(id) {
  const command = api.curl(new Call("GET", `/devices/${encodeURIComponent(id)}/connect`)).replace("-sS", "-sSN")
  return h("button.small", {
    onclick: () => openDialog("Connect as this device",
      h("p", "The device is online while this command runs. Each push to it is printed as an event."),
      copyable(command, "Copy command")),
  }, "Connect as this device…")
}

function inboxWords({ notifications, badge, note }) {
  const shown = notifications.length ? `${count(notifications.length)} shown.` : "Empty."
  return [shown, badge === null ? null : `The badge is ${badge}.`, note].filter(Boolean).join(" ")
}
