// The dialogs that add a device, add an app and change a label.

import { Call } from "../../core/api.js"
import { APP_STATES } from "../../core/vocabulary.js"
import { h } from "../../core/dom.js"
import { Fields } from "../../core/forms.js"
import { icon } from "../../core/icons.js"
import { formDialog } from "../../core/form-dialog.js"

const DEVICE = [
  { name: "label", label: "Label", kind: "text", placeholder: "alice",
    hint: "Identifies the device, as @alice in the API." },
  { name: "state", label: "State", kind: "select", fallback: "online",
    options: [["online", "Online"], ["offline", "Offline"]] },
  { name: "lowPower", label: "Low power: priority 5 and 1 wait", kind: "check", fallback: false },
]

const APP = [
  { name: "topic", label: "Topic", kind: "text", placeholder: "com.example.app", isRequired: true,
    hint: "The bundle identifier, with the push type's suffix, for example com.example.app.voip." },
  { name: "environment", label: "Environment", kind: "select", fallback: "sandbox",
    options: [["sandbox", "Sandbox"], ["production", "Production"]] },
  { name: "appState", label: "App state", kind: "select", fallback: "background",
    options: Object.entries(APP_STATES) },
  { name: "notificationsEnabled", label: "Notifications allowed", kind: "check", fallback: true },
  { name: "token", label: "Device token", kind: "text", placeholder: "generated",
  hint: "Hexadecimal digits. Leave empty to generate one." },
]

/// The fields of a device and its apps.
class DeviceFields {
  #device = new Fields(DEVICE)
  #apps = []

  constructor() {
    this.list = h("div", { class: "app-fields" })
    const onclick = () => this.#add().focus()
    const more = h("button", { type: "button", class: "small", onclick }, "Add app")
    this.element = h("div", { class: "fields" }, this.#device.element, this.list, h("div", {}, more))
    this.#add()
  }

  get value() {
    const registrations = this.#apps.map((app) => app.value)
    return { ...this.#device.value, ...(registrations.length ? { registrations } : {}) }
  }

  complain(errors) {
    let left = this.#device.complain(errors)
    this.#apps.forEach((app, index) => { left = app.complain(left, `/registrations/${index}`) })
    return left
  }

  focus() { this.#device.focus() }

  #add() {
    const app = new Fields(APP)
    this.#apps.push(app)
    const group = h("fieldset", { class: "form-group" }, h("legend", {}, "App"), app.element)
    const remove = h("button", {
      type: "button",
      class: "quiet small",
      "aria-label": "Remove this app",
      onclick: () => {
        this.#apps.splice(this.#apps.indexOf(app), 1)
        group.remove()
        this.#device.focus()
      },
    }, icon("trash"), "Remove")
    group.append(remove)
    this.list.append(group)
    return app
  }
}

/// Opens the dialog that adds a device. `onDone(device)` gets it.
export function addDevice(app, onDone) {
  const fields = new DeviceFields()
  return formDialog(app, {
    title: "Add device",
    fields,
    button: "Add",
    makeCall: () => new Call("POST", "/devices", fields.value),
    onDone,
  })
}

/// Opens the dialog that adds an app to a device.
export function addApp(app, device, onDone) {
  const fields = new Fields(APP)
  return formDialog(app, {
    title: "Add app",
    intro: "Adds an app with its own device token.",
    fields,
    button: "Add",
    makeCall: () => new Call("POST", `/devices/${encodeURIComponent(device.id)}/registrations`, fields.value),
    onDone,
  })
}

/// Opens the dialog that changes the label. `onDone(device)` gets the device.
export function renameDevice(app, device, onDone) {
  const fields = new Fields(DEVICE.slice(0, 1), device)
  return formDialog(app, {
    title: "Change label",
    fields,
    button: "Save",
    makeCall: () => new Call("PATCH", `/devices/${encodeURIComponent(device.id)}`, fields.value),
    onDone: (answer) => onDone(answer.device),
  })
}
