// The dialogs that add a device, add an app and change a label.

import { APP_STATES, Call, ENVIRONMENT_FIELD, formDialog } from "../../core/core.js"

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
  ENVIRONMENT_FIELD,
  { name: "appState", label: "App state", kind: "select", fallback: "background",
    options: Object.entries(APP_STATES) },
  { name: "notificationsEnabled", label: "Notifications allowed", kind: "check", fallback: true },
  { name: "token", label: "Device token", kind: "text", placeholder: "generated",
    hint: "Hexadecimal digits. Leave empty to generate one." },
]

const APPS = { name: "registrations", item: "app", kind: "list", fields: APP }

/// Opens the dialog that adds a device. `onDone(device)` gets it.
export function addDevice(onDone) {
  return formDialog({
    title: "Add device",
    fields: [...DEVICE, APPS],
    value: { registrations: [{}] },
    makeCall: (value) => new Call("POST", "/devices", value),
    onDone,
  })
}

/// Opens the dialog that adds an app to a device.
export function addApp(device, onDone) {
  return formDialog({
    title: "Add app",
    intro: "Adds an app with its own device token.",
    fields: APP,
    makeCall: (value) => new Call("POST", `/devices/${encodeURIComponent(device.id)}/registrations`, value),
    onDone,
  })
}

/// Opens the dialog that changes the label.
export function renameDevice(device, onDone) {
  return formDialog({
    title: "Change label",
    fields: DEVICE.slice(0, 1),
    value: device,
    button: "Save",
    makeCall: (value) => new Call("PATCH", `/devices/${encodeURIComponent(device.id)}`, value),
    onDone,
  })
}
