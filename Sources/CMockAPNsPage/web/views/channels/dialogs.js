// The dialogs that create a channel and subscribe a device, and the button that deletes a channel.

import {
  actions, Call, channelPart, counted, ENVIRONMENT_FIELD, formDialog, shortChannel, STORAGE,
} from "../../core/core.js"

const CHANNEL = [
  { name: "topic", label: "App", kind: "text", placeholder: "com.example.app", isRequired: true,
    hint: "The bundle identifier." },
  ENVIRONMENT_FIELD,
  { name: "storagePolicy", label: "Stored for offline devices", kind: "select", fallback: "1",
    options: Object.entries(STORAGE).toReversed(), hint: "For up to 8 hours, and at most until it expires." },
]

const DEVICE = [
  { name: "device", label: "Device", kind: "text", placeholder: "@alice", isRequired: true,
    hint: "@ and a label, a device token, or a device ID. The app must be installed on the device." },
]

/// Opens the dialog that creates a channel. `onDone(channel)` gets it.
export function createChannel(onDone) {
  return formDialog({
    title: "Create channel",
    intro: "Providers create channels with POST /1/apps/<bundle id>/channels.",
    fields: CHANNEL,
    makeCall: ({ storagePolicy = 1, ...others }) => new Call("POST", "/channels",
      { ...others, storagePolicy: Number(storagePolicy) }),
    onDone,
  })
}

/// Opens the dialog that subscribes a device to a channel.
export function subscribeDevice(channel, onDone) {
  return formDialog({
    title: "Subscribe device",
    intro: "Apps subscribe when a Live Activity starts on the channel. This does the same.",
    fields: DEVICE,
    makeCall: ({ device = "@" }) => subscription("POST", channel, device),
    onDone,
  })
}

/// The call that subscribes (`POST`) or unsubscribes (`DELETE`) a device.
export function subscription(method, { id, bundleId }, device) {
  const path = `/devices/${encodeURIComponent(device)}/subscriptions`
  return new Call(method, path, { topic: bundleId, channel: id })
}

/// The button that deletes a channel, the `item` of its row or page.
export function deleteButton(shown, kind, onDone) {
  const { id } = shown.item
  const ask = { title: `Delete channel ${shortChannel(id)}?`, button: "Delete channel" }
  return actions.button("Delete…", () => {
    ask.text = deletionWords(shown.item)
    return new Call("DELETE", `/channels/${channelPart(id)}`)
  }, { kind, name: `Delete channel ${id}`, ask, onDone })
}

function deletionWords({ metrics, stored }) {
  const number = metrics.uniqueSubscribers
  const ended = number ? `Ends ${counted(number, "subscription")}. ` : ""
  const discarded = stored ? "Discards the stored message. " : ""
  return `${ended}${discarded}Broadcasts to the channel are rejected from then on. The ID is never used again.`
}
