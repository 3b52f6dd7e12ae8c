// Names of the API that several views use.

/// The labels of the app states, by their API names.
export const APP_STATES = {
  foreground: "Foreground",
  background: "Background",
  terminated: "Terminated",
  forceQuit: "Force-quit",
}

/// The push types, the most common first.
export const PUSH_TYPES = [
  "alert", "background", "voip", "liveactivity", "location", "complication", "fileprovider", "mdm", "pushtotalk",
  "widgets", "controls",
]

/// The suffixes of topics and their purpose.
export const TOPIC_SUFFIXES = {
  ".voip": "calls",
  ".voip-ptt": "Push to Talk",
  ".complication": "complications",
  ".location-query": "location queries",
  ".pushkit.fileprovider": "the File Provider",
  ".push-type.liveactivity": "Live Activities",
  ".push-type.widgets": "widgets",
  ".push-type.controls": "controls",
}

/// What happens to a push, by the API's names of the events; `checked` and `fault` are the page's own.
export const PUSH_EVENTS = {
  received: { words: "Received", icon: "down", tone: "" },
  checked: { words: "Checked", icon: "accepted", tone: "" },
  fault: { words: "Fault fired", icon: "fault", tone: "warn" },
  responded: { words: "Responded", icon: "send", tone: "" },
  stored: { words: "Stored", icon: "stored", tone: "wait" },
  delivered: { words: "Delivered", icon: "device", tone: "good" },
  discarded: { words: "Discarded", icon: "rejected", tone: "bad" },
  published: { words: "Published to the channel", icon: "accepted", tone: "good" },
  subscribed: { words: "Subscribed to the channel", icon: "accepted", tone: "good" },
  held: { words: "Waiting on the device", icon: "pause", tone: "wait" },
  "handed-over": { words: "Handed over to the app", icon: "accepted", tone: "good" },
  dropped: { words: "Discarded on the device", icon: "rejected", tone: "bad" },
}

/// Why it happens, by the API's names of the details. Unknown ones are shown as they are.
export const EVENT_DETAILS = {
  "device-offline": "the device is offline",
  "power-considerations": "the device is in low power mode",
  "from-storage": "from storage",
  "token-unregistered": "the app was uninstalled",
  expired: "expired before the device was online",
  disabled: "notifications are turned off for the app",
  "newer-notification": "replaced by a newer notification",
  collapsed: "replaced by a newer notification",
  "device-inactive": "the device was offline for too long",
  "app-not-running": "until the app is launched",
  "app-launched": "the app was launched",
  "force-quit": "the user force-quit the app",
  "app-uninstalled": "the app was uninstalled",
  "unknown-channel": "the app has no such channel",
}

/// Why a device token is invalid, by the API's names.
export const FEEDBACK_CAUSES = {
  uninstalled: "The app was uninstalled",
  rotated: "The app has a new token",
  expired: "The token expired",
  inactive: "The device was offline for too long",
  fault: "A fault or an answer token returned 410",
}

/// The environments of keys and certificates, by their API names.
export const ENVIRONMENTS = [["both", "Sandbox and production"], ["sandbox", "Sandbox"], ["production", "Production"]]

/// A field for one environment.
export const ENVIRONMENT_FIELD = { name: "environment", label: "Environment", kind: "select", fallback: "sandbox",
  options: ENVIRONMENTS.slice(1) }

export function environmentWords(name) { return ENVIRONMENTS.find(([one]) => one === name)?.[1] ?? name }
