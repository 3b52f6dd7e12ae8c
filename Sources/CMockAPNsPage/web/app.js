// The entry point: builds the page and passes events to its views.

import { api, apps, closeDialogs, count, counts, live, replace, router, toasts } from "./core/core.js"
import { Keyboard } from "./frame/keyboard.js"
import { Shell } from "./frame/shell.js"
import { PushesView } from "./pushes/pushes.js"

/// The views in the order of the header. `App.views` lists what a view must provide. `load` reads the module whose
/// class is the view, such as `DevicesView`, when the view is first shown.
const VIEWS = [
  { name: "pushes", label: "Pushes", path: "/", key: "p", View: PushesView },
  { name: "devices", label: "Devices", path: "/devices", key: "d", load: () => import("./views/devices.js") },
  { name: "channels", label: "Channels", path: "/channels", key: "h", load: () => import("./views/channels.js") },
  { name: "faults", label: "Faults", path: "/faults", key: "f", load: () => import("./views/faults.js") },
  { name: "feedback", label: "Feedback", path: "/feedback", key: "b", load: () => import("./views/feedback.js") },
  { name: "keys", label: "Keys", path: "/keys", key: "k", load: () => import("./views/keys.js") },
  { name: "connections", label: "Connections", path: "/connections", key: "c",
    load: () => import("./views/connections.js") },
  { name: "log", label: "Log", path: "/log", key: "l", load: () => import("./views/log.js") },
]

class App {
  shell = new Shell(VIEWS)
  /// The version of the server that sent this page.
  #version = null

  /// The views by name, created when they are first shown. Each provides:
  /// - `element`: the view's root element;
  /// - `show(parameters)`: called when the URL shows this view or changes its state (see `routeOf`);
  /// - `hide()`: called when another view is shown;
  /// - `message({type, seq, data})`: called for each server event, also while the view is hidden;
  /// - `reload(why)`: called when its data is out of date: `another` (namespace or run of the server), `reset`, or
  ///   `gap` (events were left out);
  /// - `key(name)`, optional: handles a pressed key and returns whether it did.
  views = new Map()
  shown = null
  /// Incremented for each connection attempt, so that a late response for the previous namespace is ignored.
  #turn = 0

  start() {
    replace(document.getElementById("app"), this.shell.element, toasts.element)
    new Keyboard(this, VIEWS)
    live.addEventListener("message", ({ detail }) => this.#heard(detail))
    live.addEventListener("restarted", ({ detail }) => this.#restarted(detail.info))
    router.addEventListener("change", () => this.#routed())
    this.#reach()
  }

  /// Creates a view, and shows it if it is still wanted.
  async #load({ name, label, load }) {
    try {
      const { [`${label}View`]: View } = await load()
      if (!this.views.has(name)) this.views.set(name, new View())
      this.#routed()
    } catch (error) {
      this.shell.fail(error, () => this.#routed())
    }
  }

  /// The server was restarted. Its history is only kept with `--data`.
  #restarted(info) {
    const pushes = counts.known.get("pushes") ?? 0
    const lost = pushes === 1 ? "1 earlier push is gone" : `${count(pushes)} earlier pushes are gone`
    const history = info.data ? "its history was kept" : pushes ? lost : "its journal is empty"
    toasts.show(`The server restarted: ${history}.`)
    this.#reach(info)
  }

  async #reach(info = null) {
    const turn = this.#turn += 1
    try {
      await this.#begin(info ?? await api.get("/info"), turn)
    } catch (error) {
      if (turn !== this.#turn) return
      live.stop()
      this.shown?.hide()
      this.shown = null
      this.shell.fail(error, () => this.#reach())
    }
  }

  async #begin(info, turn) {
    if (turn !== this.#turn) return
    const isAnother = api.info !== null
    this.#version ??= info.version
    this.shell.compareVersions(this.#version, info.version)
    api.info = info
    const before = api.namespace
    api.namespace = router.route.parameters.ns ?? "default"
    const isElsewhere = before !== api.namespace
    // The answer says which event is the newest.
    await apps.load()
    if (turn !== this.#turn) return
    this.shell.begin(info)
    live.start(api.seq, info)
    if (isAnother) for (const view of this.views.values()) view.reload("another")
    if (isElsewhere) closeDialogs()
    this.#routed()
  }

  #routed() {
    const { view: name, parameters } = router.route
    if (!api.info) return
    if ((parameters.ns ?? "default") !== api.namespace) {
      this.#reach(api.info)
      return
    }
    const row = VIEWS.find((view) => view.name === name)
    if (row.View && !this.views.has(name)) this.views.set(name, new row.View())
    const view = this.views.get(name)
    if (!view) {
      this.#load(row)
      return
    }
    if (this.shown !== view) {
      this.shown?.hide()
      closeDialogs()
      this.shown = view
      this.shell.place(view.element, name)
    }
    this.shell.routed(router.route)
    view.show(parameters)
  }

  #heard(message) {
    this.shell.message(message)
    if (["app.changed", "reset", "gap"].includes(message.type)) apps.load().catch(() => {})
    for (const view of this.views.values()) {
      if (message.type === "gap" || message.type === "reset") view.reload(message.type)
      else view.message(message)
    }
  }
}

const app = new App()
// For tests and for debugging in the console.
window.mockAPNs = { api, router }
app.start()
