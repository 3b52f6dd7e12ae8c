// The dialogs that add a device, add an app and change a label.

import { APP_STATES, Call, ENVIRONMENT_FIELD, formDialog, withoutSuffix } from "../../core/core.js"

const DEVICE = [
  { name: "label", label: "Label", kind: "text", placeholder: "alice",
    hint: "Identifies the device, as @alice in the API." },
  { name: "state", label: "State", kind: "select", fallback: "online",
    options: [["online", "Online"], ["offline", "Offline"]] },
  { name: "os", label: "iOS version", kind: "text", placeholder: "the newest",
    hint: "Such as 17.4. Starting Live Activities by push needs 17.2, channels for them 18.0." },
  { name: "pushMagic", label: "PushMagic", kind: "text", placeholder: "not enrolled",
    hint: "Enrolls the device in device management (MDM) with this value, which each MDM push has as mdm." },
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

const ACTIVITY = [
  { name: "attributesType", label: "Attributes type", kind: "text", placeholder: "RideAttributes", isRequired: true,
    hint: "The name of the ActivityAttributes structure." },
  { name: "attributes", label: "Attributes", kind: "json", placeholder: "{}" },
  { name: "contentState", label: "Content state", kind: "json", placeholder: "{}" },
  { name: "staleAt", label: "Stale at", kind: "time" },
  { name: "channel", label: "Channel", kind: "text", hint: "The channel that it follows instead of having a token." },
]

/// Opens the dialog that starts a Live Activity, as the app does it itself.
export function startActivity(device, onDone) {
  const topics = [...new Set(device.registrations.map(({ topic }) => withoutSuffix(topic)))]
  const topic = { name: "topic", label: "App", kind: "select", options: topics.map((one) => [one, one]) }
  return formDialog({
    title: "Start Live Activity",
    intro: "Starts it as the app does, without a push.",
    fields: [topic, ...ACTIVITY],
    button: "Start",
    makeCall: (value) => new Call("POST", `/devices/${encodeURIComponent(device.id)}/activities`, value),
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
