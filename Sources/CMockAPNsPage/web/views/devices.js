// The view of the devices: the table, or one device.

import { h } from "../core/dom.js"
import { addDevice } from "./devices/add.js"
import { DeviceDetail } from "./devices/detail.js"
import { DeviceList } from "./devices/list.js"
import { CollectionView } from "./parts/collection-view.js"

const STATES = [["", "All devices"], ["online", "Online"], ["offline", "Offline"]]

export class DevicesView extends CollectionView {
  #events = new Map()
  #pushes = new Set()
  #frame = 0

  constructor(app) {
    super(app, {
      name: "devices-view",
      title: "Devices",
      stops: ".device-name",
      about: "Simulated devices. Take one offline to see notifications stored, delivered or expired.",
      entry: "device",
      path: "/devices",
      searches: "Label or token",
    })
    this.list = new DeviceList(app, (kind) => this.#addButton(kind))
    this.detail = new DeviceDetail(app, () => this.toList())
    this.state = h(
      "select",
      { "aria-label": "Device state", onchange: () => this.applyFilter() },
      STATES.map(([value, words]) => h("option", { value }, words))
    )
    this.tools.append(this.state, this.#addButton("primary"))
  }

  filterOf({ filter = "", state = "" }) { return { q: filter, state } }

  get filterParameters() { return { ...super.filterParameters, state: this.state.value } }

  async load() {
    this.state.value = this.parameters.state ?? ""
    await super.load()
  }

  /// Handles `o`, which toggles the focused device online.
  key(name) {
    if (name !== "o") return super.key(name)
    const group = document.activeElement?.closest(".device-group")
      ?? (this.entry ? this.content.querySelector(".device-group") : null)
    group?.querySelector(".device-row input[role=switch]").click()
    return group !== null
  }

  message(message) {
    const { type } = message
    if (type !== "device.changed" && type !== "channel.changed" && !type.startsWith("push.")) return
    if (!this.isShown) {
      this.markStale()
      return
    }
    if (type === "channel.changed") {
      if (this.detail.subscribes(message.data.id) && this.entry) this.detail.changed()
      return
    }
    if (type === "device.changed") this.#events.set(message.data.id, message.data)
    else if (message.data.token) this.#pushes.add(message.data.token)
    this.#frame ||= requestAnimationFrame(() => this.#flush())
  }

  #flush() {
    this.#frame = 0
    for (const data of this.#events.values()) {
      this.list.changed(data)
      if (data.id === this.detail.id) this.detail.changed(data)
    }
    let isOurs = false
    for (const token of this.#pushes) {
      this.list.pushed(token)
      isOurs ||= this.detail.has(token)
    }
    if (isOurs && this.isShown && this.entry) this.detail.changed()
    this.#events.clear()
    this.#pushes.clear()
  }

  #addButton(kind) {
    return h("button", {
      class: kind,
      onclick: () => addDevice(this.app, (device) => {
        this.list.changed(device)
        this.app.router.go(this.app.router.path(`/devices/${encodeURIComponent(device.id)}`))
      }),
    }, "Add device…")
  }
}
