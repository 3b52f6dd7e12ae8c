// The view of the devices: the table, or one device.

import { api, count, emptyState, h, VisibleRefresh } from "../core/core.js"
import { addDevice } from "./devices/dialogs.js"
import { DeviceGroup, HEADINGS } from "./devices/group.js"
import { DevicePage } from "./devices/page.js"
import { CollectionView } from "./parts/collection-view.js"
import { PagedTable } from "./parts/paged-table.js"

const STATES = [["", "All devices"], ["online", "Online"], ["offline", "Offline"]]

export class DevicesView extends CollectionView {
  /// Loads the badges of the table, which need one request per device.
  badges = new VisibleRefresh((element) => this.#loadBadges(element))

  constructor() {
    super({
      noun: "device",
      about: "Simulated devices. Take one offline to see notifications stored, delivered or expired.",
      searches: "Label or token",
      events: /^(push|activity)\.|^(device|channel)\.changed$/,
    })
    this.list = new PagedTable("devices", "Devices and their apps", HEADINGS, {
      kind: "devices-table",
      makeRow: (device) => new DeviceGroup(this, device, { isInTable: true }),
      empty: (filter, total) => (filter.q || filter.state
        ? emptyState("No matching devices",
          `None of the ${count(total)} devices matches this label or token, and state.`)
        : emptyState("No devices yet",
          "A simulated device is online or offline and has apps, each with a device token. A push to an unknown "
            + "token creates a device. You can also add one here and push to its token.",
          this.#addButton("primary"))),
    })
    this.list.element.classList.add("device-list")
    this.detail = new DevicePage(this)
    this.filters.state = h("select", { "aria-label": "Device state", onchange: () => this.applyFilter() },
      STATES.map(([value, words]) => h("option", { value }, words)))
    this.tools.append(this.filters.state, this.#addButton("primary"))
  }

  /// Handles `o`, which toggles the focused device online.
  key(name) {
    if (name !== "o") return super.key(name)
    const group = document.activeElement?.closest(".device-group")
      ?? (this.entry ? this.content.querySelector(".device-group") : null)
    group?.querySelector(".device-row input[role=switch]").click()
    return group !== null
  }

  async #loadBadges(element) {
    const id = element.dataset.device
    try {
      const device = await api.get(`/devices/${encodeURIComponent(id)}`)
      this.list.rows.get(id)?.update(device)
    } catch (error) {
      // The next reload removes a deleted device. If the server is not responding, the header shows that.
      if (error.status === undefined) this.badges.markStale(element)
    }
  }

  #addButton(kind) {
    return h("button", { class: kind, onclick: () => addDevice(({ id }) => this.open(id)) }, "Add device…")
  }
}
