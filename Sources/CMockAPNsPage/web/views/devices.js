// The view of the devices: the table, or one device.

import { h, replace } from "../core/dom.js"
import { emptyState } from "../core/parts.js"
import { addDevice } from "./devices/add.js"
import { DeviceDetail } from "./devices/detail.js"
import { DeviceList } from "./devices/list.js"
import { View } from "./parts/view.js"

const STATES = [["", "All devices"], ["online", "Online"], ["offline", "Offline"]]

export class DevicesView extends View {
  #events = new Map()
  #pushes = new Set()
  #frame = 0
  #loaded = null
  #cameFrom = null
  #timer = 0

  constructor(app) {
    super(app, {
      name: "devices-view",
      title: "Devices",
      stops: ".device-name",
      about: "Simulated devices. Take one offline to see notifications stored, delivered or expired.",
    })
    this.list = new DeviceList(app, (kind) => this.#addButton(kind))
    this.detail = new DeviceDetail(app, () => this.#toList())
    this.search = h("input", { type: "search", placeholder: "Label or token", "aria-label": "Filter devices" })
    this.search.addEventListener("input", () => this.#filterSoon())
    this.state = h(
      "select",
      { "aria-label": "Device state", onchange: () => this.#filter() },
      STATES.map(([value, words]) => h("option", { value }, words))
    )
    this.tools.append(this.search, this.state, this.#addButton("primary"))
  }

  async load() {
    const { device, filter = "", state = "", at } = this.parameters
    this.#loaded = this.#key()
    if (device) {
      await this.#loadDevice(device, at)
    } else {
      if (document.activeElement !== this.search) this.search.value = filter
      this.state.value = state
      await this.list.load({ q: filter, state })
      this.#place(this.list.element)
      if (this.#cameFrom) this.list.focus(this.#cameFrom)
      this.#cameFrom = null
    }
    this.tools.hidden = Boolean(device)
    this.about.hidden = Boolean(device)
  }

  async #loadDevice(device, at) {
    try {
      await this.detail.show(device, at)
      this.#place(this.detail.element)
    } catch (error) {
      if (error.status !== 404 && error.status !== 400) throw error
      const back = h("a", { class: "button", href: this.app.router.path("/devices") }, "All devices")
      replace(this.content, emptyState("Device not found", error.message, back))
    }
  }

  draw() {
    if (this.#key() !== this.#loaded) this.refresh()
  }

  /// Handles `o`, which toggles the focused device online, and Escape, which returns to the table.
  key(name) {
    if (name === "Escape" && this.parameters.device) {
      this.#toList()
      return true
    }
    if (name !== "o") return super.key(name)
    const group = document.activeElement?.closest(".device-group")
      ?? (this.parameters.device ? this.content.querySelector(".device-group") : null)
    group?.querySelector(".device-row input[role=switch]").click()
    return group !== null
  }

  forget() {
    this.list.forget()
    this.detail.forget()
  }

  message(message) {
    const { type } = message
    if (type !== "device.changed" && type !== "channel.changed" && !type.startsWith("push.")) return
    if (!this.isShown) {
      this.markStale()
      return
    }
    if (type === "channel.changed") {
      if (this.detail.subscribes(message.data.id) && this.parameters.device) this.detail.changed()
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
    if (isOurs && this.isShown && this.parameters.device) this.detail.changed()
    this.#events.clear()
    this.#pushes.clear()
  }

  #place(element) {
    if (element.parentElement !== this.content) replace(this.content, element)
  }

  #key() {
    const { device = "", filter = "", state = "", at = "" } = this.parameters
    return JSON.stringify([device, filter, state, at])
  }

  #toList() {
    this.#cameFrom = this.detail.id
    this.app.router.go(this.app.router.path("/devices"))
  }

  #filterSoon() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#filter(), 200)
  }

  #filter() {
    const { router } = this.app
    const path = router.path("/devices", { filter: this.search.value.trim(), state: this.state.value })
    router.go(path, { instead: true })
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
