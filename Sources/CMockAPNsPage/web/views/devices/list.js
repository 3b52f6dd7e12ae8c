// The table of devices: filtered and paged by the server, and updated by events.

import { h, replace } from "../../core/dom.js"
import { emptyState } from "../../core/parts.js"
import { VisibleRefresh } from "../../core/visible-refresh.js"
import { Rows, refill } from "../../core/rows.js"
import { count } from "../../core/time.js"
import { DeviceGroup, deviceTable } from "./group.js"

const PAGE = 100
/// The most devices that events add to the table, or that one request reads.
const MOST = 1_000
/// The most apps of a device in the table. Its page shows all of them.
const MOST_APPS = 8

export class DeviceList {
  #app
  #addButton
  #next = null
  #matched = 0
  #total = 0
  #filter = {}
  #tokens = new Map()
  /// Loads badges and counts, which need one request per device.
  #refresher = new VisibleRefresh((id) => this.#ask(id))
  #note = null
  #isEnding = false
  /// The current request, and the device events during it, which its response may not include.
  #loading = null
  #late = new Map()
  #isLoaded = false

  constructor(app, addButton) {
    this.#app = app
    this.#addButton = addButton
    const { frame, table } = deviceTable("Devices and their apps")
    this.frame = frame
    this.groups = new Rows(table, (device) => this.#group(device), 2)
    this.more = h("button", { onclick: () => this.#loadMore() }, "Load more")
    this.count = h("p", { class: "weak", role: "status" })
    this.foot = h("div", { class: "list-foot" }, this.count, this.more)
    this.element = h("div", { class: "device-list" })
  }

  forget() {
    this.groups.clear()
    this.#tokens.clear()
    this.#late.clear()
    this.#isLoaded = false
  }

  /// Loads the first page of the devices that match a filter `{q, state}`.
  async load(filter) {
    this.#filter = filter
    const loading = this.#read(filter)
    this.#loading = loading
    try {
      await loading
    } finally {
      if (this.#loading === loading) this.#loading = null
    }
    if (this.#loading) return
    const late = [...this.#late.values()]
    this.#late.clear()
    for (const data of late) {
      if (data.forgotten || !this.groups.get(data.id)) this.changed(data)
    }
  }

  async #read(filter) {
    const limit = Math.max(PAGE, Math.min(this.groups.size, MOST))
    const page = await this.#app.api.get("/devices", { ...filter, limit })
    if (filter !== this.#filter) return
    // More devices were loaded meanwhile, and this response would remove them.
    if (this.#isLoaded && this.groups.size > limit && limit < MOST) {
      await this.#read(filter)
      return
    }
    this.#isLoaded = true
    this.groups.set(page.devices.map((device) => [device.id, device]))
    for (const device of page.devices) {
      this.#know(device)
      this.#refresher.observe(this.groups.get(device.id).element, device.id)
    }
    this.#matched = page.matched
    this.#next = page.nextAfter
    this.#note = page.note
    this.#draw(page.total)
  }

  async #loadMore() {
    try {
      // Its response would replace these devices.
      while (this.#loading) await this.#loading
      const { q, state } = this.#filter
      const page = await this.#app.api.get("/devices", { q, state, limit: PAGE, after: this.#next })
      if (q !== this.#filter.q || state !== this.#filter.state) return
      for (const device of page.devices) this.#put(device)
      this.#matched = page.matched
      this.#next = page.nextAfter
      this.#draw(page.total)
      this.groups.get(page.devices[0]?.id)?.link.focus()
    } catch (error) {
      this.#app.toasts.problem(error)
    }
  }

  #draw(total) {
    this.more.hidden = this.#next === null
    this.#total = total
    this.#drawCount()
    if (this.groups.size > 0) {
      if (this.frame.parentElement !== this.element) replace(this.element, this.frame, this.foot)
      return
    }
    const isFiltered = Object.values(this.#filter).some(Boolean)
    replace(this.element, isFiltered
      ? emptyState("No matching devices", `None of the ${count(total)} devices matches this label or token, and state.`)
      : emptyState("No devices yet",
        "A simulated device is online or offline and has apps, each with a device token. A push to an unknown "
          + "token creates a device. You can also add one here and push to its token.",
        this.#addButton("primary")))
  }

  #drawCount() {
    const rest = this.#matched < this.#total ? `, of ${count(this.#total)} devices.` : "."
    const words = `${count(this.groups.size)} of ${count(this.#matched)} shown${rest}`
    refill(this.count, [words, this.#note].filter(Boolean).join(" "))
  }

  /// Handles a device event: `{id, …}` or `{id, forgotten}`.
  changed(data) {
    if (this.#loading) this.#late.set(data.id, data)
    if (!this.#isLoaded) return
    if (data.forgotten) {
      this.groups.get(data.id)?.forgotten()
    } else if (this.groups.get(data.id) || (this.#next === null && this.#fits(data))) {
      if (!this.groups.get(data.id) && this.groups.size >= MOST) {
        this.#stopGrowing()
        return
      }
      const isFirst = this.groups.size === 0
      this.#put(data)
      this.#refresher.markStale(data.id)
      if (isFirst) this.#draw(1)
    }
  }

  /// Stops adding devices, because each push to an unknown token creates one. The rest is loaded with “Load more”.
  async #stopGrowing() {
    if (this.#isEnding) return
    this.#isEnding = true
    try {
      await this.load(this.#filter)
    } catch {
      // The next new device leads here again.
    }
    this.#isEnding = false
  }

  /// Updates the device with this token after a push to it.
  pushed(token) {
    const id = this.#tokens.get(token)
    if (id) this.#refresher.markStale(id)
  }

  /// Removes a device that was deleted on this page.
  remove(id) {
    const keys = this.groups.keys()
    const index = keys.indexOf(id)
    this.groups.remove(id)
    this.#matched -= 1
    this.#total -= 1
    const near = this.groups.get(keys[index + 1] ?? keys[index - 1])
    this.#draw(this.#total)
    near?.link.focus()
  }

  focus(id) { this.groups.get(id)?.link.focus() }

  #group(device) {
    return new DeviceGroup(this.#app, device, {
      onChanged: (changed) => this.#renew(changed),
      onForgotten: (id) => this.remove(id),
      most: MOST_APPS,
    })
  }

  #put(device) {
    const isNew = !this.groups.get(device.id)
    const group = this.groups.put(device.id, device)
    this.#know(device)
    if (!isNew) return
    if (this.groups.size > this.#matched) {
      this.#matched += 1
      this.#total += 1
    }
    this.#drawCount()
    this.#refresher.observe(group.element, device.id)
  }

  #know(device) {
    for (const { token } of device.registrations) this.#tokens.set(token, device.id)
    if (device.badge === undefined) this.#refresher.markStale(device.id)
  }

  #fits(device) {
    const { q, state } = this.#filter
    if (state && device.state !== state) return false
    const text = q?.toLowerCase()
    return !text || (device.label ?? "").toLowerCase().includes(text)
      || device.registrations.some((one) => one.token.includes(text))
  }

  /// Updates a device from a response, unless the filter has removed it meanwhile.
  #renew(device) {
    if (this.groups.get(device.id)) this.#put(device)
  }

  async #ask(id) {
    const turn = this.groups.get(id)?.turn
    if (turn === undefined) return
    try {
      const device = await this.#app.api.get(`/devices/${encodeURIComponent(id)}`)
      if (this.groups.get(id)?.turn === turn) this.#put(device)
      else this.#refresher.markStale(id)
    } catch (error) {
      if (error.status === 404) this.groups.get(id)?.forgotten()
      // If the server is not responding, the header shows it, and the next event leads here again.
    }
  }
}
