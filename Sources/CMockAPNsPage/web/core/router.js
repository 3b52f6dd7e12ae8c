// The address says everything that is shown, so that every state of the page is a link.

/// The views, by the first part of the path. `parameter` names what the second part stands for.
const VIEWS = {
  "": { view: "pushes" },
  p: { view: "pushes", parameter: "push" },
  latest: { view: "pushes", fixed: { push: "latest" } },
  devices: { view: "devices", parameter: "device" },
  faults: { view: "faults", parameter: "fault" },
  feedback: { view: "feedback" },
  keys: { view: "keys" },
  connections: { view: "connections", parameter: "connection" },
  log: { view: "log" },
}

/// What an address shows: `{view, parameters}`, with `q`, `ns`, `tab`, `after` and the like among the parameters.
export function routeOf(url) {
  const [first = "", second] = url.pathname.split("/").slice(1)
  const known = VIEWS[first] ?? VIEWS[""]
  const parameters = { ...Object.fromEntries(url.searchParams), ...known.fixed }
  // What stands in the path is said there alone.
  if (known.parameter) delete parameters[known.parameter]
  if (known.parameter && second) parameters[known.parameter] = decoded(second)
  return { view: known.view, parameters }
}

/// A part of a path as it was meant; as it stands where it is no such thing.
function decoded(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/// Leads from one state to the next. Its event `change` says that the address is another one.
export class Router extends EventTarget {
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

  /// The address of a view, with the namespace that is shown: for links.
  path(path, parameters = {}) {
    const query = new URLSearchParams()
    const all = { ns: this.route.parameters.ns, ...parameters }
    for (const [name, value] of Object.entries(all)) {
      if (value !== null && value !== undefined && value !== "") query.set(name, value)
    }
    const text = query.toString()
    return text ? `${path}?${text}` : path
  }

  /// The present address with some of its parameters changed; `null` takes one away.
  here(changes) {
    const query = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === undefined || value === "") query.delete(name)
      else query.set(name, value)
    }
    const text = query.toString()
    return text ? `${location.pathname}?${text}` : location.pathname
  }

  /// Goes to an address; `instead` of the present one where going back should not lead here.
  go(path, { instead = false } = {}) {
    if (path === location.pathname + location.search) return
    if (instead) history.replaceState(null, "", path)
    else history.pushState(null, "", path)
    this.#changed()
  }

  #changed() { this.dispatchEvent(new CustomEvent("change", { detail: this.route })) }
}
