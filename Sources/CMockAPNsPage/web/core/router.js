// The page's state is in its URL, so that every state can be linked to.

/// The views by the first part of the path. `parameter` names the second part, `other` the third.
const VIEWS = {
  "": { view: "pushes" },
  p: { view: "pushes", parameter: "push" },
  latest: { view: "pushes", fixed: { push: "latest" } },
  compare: { view: "pushes", parameter: "push", other: "other" },
  devices: { view: "devices", parameter: "device" },
  channels: { view: "channels", parameter: "channel" },
  faults: { view: "faults", parameter: "fault" },
  feedback: { view: "feedback" },
  keys: { view: "keys" },
  connections: { view: "connections", parameter: "connection" },
  log: { view: "log" },
}

/// The view and the parameters of a URL: `{view, parameters}`. Parameters include `q`, `ns`, `tab` and `after`.
export function routeOf(url) {
  const [first = "", ...rest] = url.pathname.split("/").slice(1)
  const known = VIEWS[first] ?? VIEWS[""]
  const parameters = { ...Object.fromEntries(url.searchParams), ...known.fixed }
  // The path takes precedence over the query.
  for (const [position, name] of [known.parameter, known.other].entries()) {
    if (!name) continue
    delete parameters[name]
    if (rest[position]) parameters[name] = decoded(rest[position])
  }
  return { view: known.view, parameters }
}

/// A decoded part of a path, or the part itself if it is not valid percent-encoding.
function decoded(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/// A path with a query, in which some parameters are changed; those without a value are removed.
function addressOf(path, search, changes) {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if ((value ?? "") === "") query.delete(name)
    else query.set(name, value)
  }
  return query.size ? `${path}?${query}` : path
}

/// Changes the URL. The event `change` reports a new URL.
class Router extends EventTarget {
  constructor() {
    super()
    addEventListener("popstate", () => this.#changed())
    document.addEventListener("click", (event) => {
      const anchor = event.target.closest?.("a[href]")
      if (!anchor || event.defaultPrevented || event.button !== 0) return
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const url = new URL(anchor.href)
      const isOwn = url.origin === location.origin && !/^\/(api|docs|metrics|ui)(\/|$)/.test(url.pathname)
      if (!isOwn || anchor.target || anchor.hasAttribute("download") || url.hash) return
      event.preventDefault()
      this.go(url.pathname + url.search)
    })
  }

  get route() { return routeOf(new URL(location.href)) }

  /// The path of a view in the selected namespace.
  path(path, parameters = {}) {
    return addressOf(path, "", { ns: this.route.parameters.ns, ...parameters })
  }

  /// The current path with some parameters changed; `null` removes one.
  here(changes) { return addressOf(location.pathname, location.search, changes) }

  /// Opens a path. With `instead`, it replaces the current history entry.
  go(path, { instead = false } = {}) {
    if (path === location.pathname + location.search) return
    if (instead) history.replaceState(null, "", path)
    else history.pushState(null, "", path)
    this.#changed()
  }

  #changed() { this.dispatchEvent(new CustomEvent("change", { detail: this.route })) }
}

export const router = new Router()
