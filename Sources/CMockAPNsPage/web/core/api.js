// The client of the debug API. The page uses only the public API, so everything it does also works with curl.

/// An error response of the API: a problem document (RFC 9457).
export class Problem extends Error {
  constructor(status, document) {
    super(document.detail ?? document.title ?? `The server returned ${status}.`)
    this.status = status
    this.title = document.title ?? `Status ${status}`
    this.errors = document.errors ?? []
    this.document = document
  }

  /// The detail, followed by each error with its path and a suggestion.
  get text() {
    const lines = this.errors.map((error) => {
      const suggestion = error.suggestion ? ` Did you mean ${error.suggestion}?` : ""
      return `${error.path ? `${error.path}: ` : ""}${error.message}${suggestion}`
    })
    return [this.message, ...lines.filter((line) => !this.message.includes(line))].join("\n")
  }
}

const JSON_TYPE = "application/json"

/// A request that can be sent or shown as a command.
///
/// `body` is sent as JSON. With another `contentType` it is a text or a file and is sent unchanged.
export class Call {
  constructor(method, path, body = undefined, parameters = {}, contentType = JSON_TYPE) {
    this.method = method
    this.path = path
    this.body = body
    this.parameters = parameters
    this.contentType = contentType
  }

  /// The encoded body; `undefined` if there is none.
  get content() {
    const isAsGiven = this.body === undefined || this.body instanceof File || this.contentType !== JSON_TYPE
    return isAsGiven ? this.body : JSON.stringify(this.body)
  }
}

/// The paths that do not belong to a namespace, as `ServerPaths` has them.
const SHARED = [
  "/namespaces", "/shutdown", "/ca.pem", "/certificates", "/info", "/openapi.json", "/openapi.yaml",
]

const isShared = (path) => SHARED.some((shared) => path === shared || path.startsWith(`${shared}/`))

class API {
  /// The response of `GET /api/v1/info` for this run of the server.
  info = null
  /// The number of the namespace's newest event as of the last response, and when that response arrived.
  seq = 0
  seqAt = 0
  /// The selected namespace. Paths without a namespace refer to `default`.
  namespace = "default"

  /// The URL of an API path, given without `/api/v1`.
  ///
  /// `parameters` holds values by name. A list repeats the name; `null`, `undefined` and "" are left out.
  url(path, parameters = {}) {
    const scope = isShared(path) || this.namespace === "default"
      ? ""
      : `/namespaces/${encodeURIComponent(this.namespace)}`
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(parameters)) {
      for (const one of [value].flat()) if ((one ?? "") !== "") query.append(name, one)
    }
    const text = query.toString()
    return `/api/v1${scope}${path}${text ? `?${text}` : ""}`
  }

  /// Returns the JSON of a path.
  get(path, parameters = {}, options = {}) {
    return this.send(new Call("GET", path, undefined, parameters), options)
  }

  /// Returns the text of a path.
  text(path, parameters = {}) { return this.send(new Call("GET", path, undefined, parameters), { isText: true }) }

  /// Sends a call.
  ///
  /// Returns the response's JSON, or `null` if it has no body. Throws a `Problem` for an error response, an `Error` if
  /// the server does not respond, and the browser's own error for an aborted request.
  async send(call, { signal, isText = false } = {}) {
    const headers = { accept: isText ? "text/plain, */*" : JSON_TYPE }
    if (call.body !== undefined) headers["content-type"] = call.contentType
    const request = { method: call.method, headers, body: call.content, signal }
    const { namespace } = this
    const response = await fetch(this.url(call.path, call.parameters), request).catch((error) => {
      throw signal?.aborted ? error : new Error("The server is not responding.", { cause: error })
    })
    // Each namespace counts its own events, and a late response may be from the previous namespace.
    if (!isShared(call.path) && namespace === this.namespace) {
      this.seq = Number(response.headers.get("x-mock-apns-seq") ?? this.seq)
      this.seqAt = performance.now()
    }
    if (!response.ok) throw await API.#problem(response)
    const text = await response.text()
    if (isText) return text
    return text === "" ? null : JSON.parse(text)
  }

  /// The curl command for a call.
  curl(call) {
    const parts = ["curl -sS"]
    if (call.method !== "GET") parts.push(`-X ${call.method}`)
    parts.push(shellQuoted(`${location.origin}${this.url(call.path, call.parameters)}`))
    if (call.body !== undefined) {
      const words = call.body instanceof File ? `@${call.body.name}` : call.content
      parts.push(`-H 'content-type: ${call.contentType}'`, `--data-binary ${shellQuoted(words)}`)
    }
    return parts.join(" ")
  }

  static async #problem(response) {
    const text = await response.text()
    try {
      return new Problem(response.status, JSON.parse(text))
    } catch {
      // A response that is not a problem document comes from a proxy between the page and the server.
      return new Problem(response.status, {
        title: `Status ${response.status}`,
        detail: text || `The server is not responding. A proxy in between returned ${response.status}.`,
      })
    }
  }
}

export const api = new API()

/// A text shellQuoted for a POSIX shell.
export function shellQuoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
