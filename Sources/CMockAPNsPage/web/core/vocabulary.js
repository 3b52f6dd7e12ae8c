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

/// The environments of keys and certificates, by their API names.
export const ENVIRONMENTS = [["both", "Sandbox and production"], ["sandbox", "Sandbox"], ["production", "Production"]]
