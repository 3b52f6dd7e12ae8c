/// What an app may be doing: what each state is called, by the API's names.
export const APP_STATES = {
  foreground: "Foreground",
  background: "Background",
  terminated: "Terminated",
  forceQuit: "Force-quit",
}
