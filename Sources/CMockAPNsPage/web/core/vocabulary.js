// Names of the API that several views use.

/// The labels of the app states, by their API names.
export const APP_STATES = {
  foreground: "Foreground",
  background: "Background",
  terminated: "Terminated",
  forceQuit: "Force-quit",
}

/// The push types by their names, the most common first: the suffix of their topics, what a push without a text is
/// called (by its event, if the type has `events`), and what the type is for.
export const PUSH_TYPES = {
  alert: { untitled: "Alert without text", purpose: "Shows an alert, plays a sound or sets the badge." },
  background: { untitled: "Background push", purpose: "Wakes the app without showing anything." },
  voip: { suffix: ".voip", untitled: "Call", purpose: "Announces a call, which the app must report to CallKit." },
  liveactivity: { suffix: ".push-type.liveactivity", untitled: "Live Activity without text",
    events: new Map([["start", "Live Activity started"], ["update", "Live Activity updated"],
      ["end", "Live Activity ended"]]),
    purpose: "Starts, updates or ends a Live Activity." },
  location: { suffix: ".location-query", untitled: "Location request", purpose: "Requests the location." },
  complication: { suffix: ".complication", untitled: "Complication update", purpose: "Updates a watch complication." },
  fileprovider: { suffix: ".pushkit.fileprovider", untitled: "File Provider change",
    purpose: "Tells the File Provider extension about changes." },
  mdm: { untitled: "Device management check-in", purpose: "Tells the device to contact its management server." },
  pushtotalk: { suffix: ".voip-ptt", untitled: "Push to Talk", purpose: "Announces speech on a Push to Talk channel." },
  widgets: { suffix: ".push-type.widgets", untitled: "Widget reload", purpose: "Reloads the app's widgets." },
  controls: { suffix: ".push-type.controls", untitled: "Control reload", purpose: "Reloads the app's controls." },
  accessory: { suffix: ".push-type.accessory", untitled: "Accessory response",
    purpose: "Hands over what the user did on an accessory." },
}

/// The row of a push type; an empty one for a type that is not documented.
export function pushType(name) { return Object.hasOwn(PUSH_TYPES, name) ? PUSH_TYPES[name] : {} }

const SUFFIXES = Object.values(PUSH_TYPES).flatMap(({ suffix }) => suffix ?? [])

/// The suffix of a topic that belongs to a push type, or "".
export function suffixOf(topic) { return SUFFIXES.find((one) => topic.endsWith(one)) ?? "" }

/// The bundle identifier in a topic.
export function withoutSuffix(topic) { return topic.slice(0, topic.length - suffixOf(topic).length) }

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
  started: { words: "Live Activity started", icon: "accepted", tone: "good" },
  updated: { words: "Live Activity updated", icon: "accepted", tone: "good" },
  ended: { words: "Live Activity ended", icon: "accepted", tone: "good" },
  ignored: { words: "Ignored by the device", icon: "warning", tone: "warn" },
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
  "device-inactive": "the device was offline for too long",
  "app-not-running": "until the app is launched",
  "app-launched": "the app was launched",
  "force-quit": "the user force-quit the app",
  "app-uninstalled": "the app was uninstalled",
  "app-not-installed": "the app was uninstalled, and the push service does not know yet",
  "unknown-channel": "the app has no such channel",
  "input-push-channel": "as the push asked",
  "live-activity": null,
}

/// The states of Live Activities by the API's names: what they are called, and their color.
export const ACTIVITY_STATES = {
  active: { words: "Active", tone: "good" },
  stale: { words: "Stale", tone: "warn" },
  ended: { words: "Ended", tone: "" },
  dismissed: { words: "Dismissed", tone: "" },
}

/// Why something happens to a Live Activity, by the API's names.
export const ACTIVITY_REASONS = {
  push: "by a push",
  broadcast: "by a broadcast",
  app: "by the app",
  "stale-date": "its stale-date has passed",
  lifetime: "it ran for 8 hours",
  "dismissal-date": "its dismissal-date has passed",
  user: "by the user",
  uninstalled: "the app was uninstalled",
  "device-removed": "the device was deleted",
  rotation: "iOS replaced its token",
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
