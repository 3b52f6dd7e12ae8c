/// The labels of the app states, by their API names.
export const APP_STATES = {
  foreground: "Foreground",
  background: "Background",
  terminated: "Terminated",
  forceQuit: "Force-quit",
}
