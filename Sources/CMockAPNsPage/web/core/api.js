// The server's API, as every client sees it: the page can do nothing that a curl cannot.

/// What the API answers when it cannot do what it was asked for: a problem document (RFC 9457).
export class Problem extends Error {
  constructor(status, document) {
    super(document.detail ?? document.title ?? `The server answered ${status}.`)
    this.status = status
    this.title = document.title ?? `Status ${status}`
    this.errors = document.errors ?? []
    this.document = document
  }

  /// The whole of it in words: the detail, then each error with its place and what was probably meant.
  get text() {
    const lines = this.errors.map((error) => {
      const suggestion = error.suggestion ? ` Did you mean ${error.suggestion}?` : ""
      return `${error.path ? `${error.path}: ` : ""}${error.message}${suggestion}`
    })
    return [this.message, ...lines.filter((line) => !this.message.includes(line))].join("\n")
  }
}

const JSON_TYPE = "application/json"

/// One request, told before it is sent: it can be sent, or shown as a command.
///
/// `body` goes as JSON; with another `contentType` it is a text or a file that goes as it is.
export class Call {
  constructor(method, path, body = undefined, parameters = {}, contentType = JSON_TYPE) {
    this.method = method
    this.path = path
    this.body = body
    this.parameters = parameters
    this.contentType = contentType
  }

  /// What is sent; `undefined` where nothing is.
  get content() {
    return this.body === undefined || this.contentType !== JSON_TYPE ? this.body : JSON.stringify(this.body)
  }
}

/// The paths that every namespace shares: they stand outside of it.
const SHARED = ["/info", "/namespaces", "/openapi.json", "/ca.pem", "/shutdown"]

const isShared = (path) => SHARED.some((shared) => path === shared || path.startsWith(`${shared}/`))

export class API {
  /// The number of the newest event of that namespace, as the last answer said, and when that came.
  seq = 0
  seqAt = 0
  /// The namespace that is shown; `default` is what paths without a name are about.
  namespace = "default"

  /// The address of a path of the API, which begins behind `/api/v1`.
  ///
  /// `parameters`: values by name; a list repeats the name; `null`, `undefined` and "" are left out.
  url(path, parameters = {}) {
    const scope = isShared(path) || this.namespace === "default"
      ? ""
      : `/namespaces/${encodeURIComponent(this.namespace)}`
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(parameters)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== null && one !== undefined && one !== "") query.append(name, one)
      }
    }
    const text = query.toString()
    return `/api/v1${scope}${path}${text ? `?${text}` : ""}`
  }

  /// Reads a path: its JSON.
  get(path, parameters = {}, options = {}) {
    return this.send(new Call("GET", path, undefined, parameters), options)
  }

  /// Reads a path that answers text.
  async text(path, parameters = {}) {
    const response = await fetch(this.url(path, parameters), { headers: { accept: "text/plain, */*" } })
    if (!response.ok) throw await API.#problem(response)
    return response.text()
  }

  /// Sends a call.
  ///
  /// Returns the answer's JSON, `null` where it has none. Throws `Problem` for what the API refuses, an `Error` that
  /// says so where nobody answers, and the browser's own for what was aborted.
  async send(call, { signal } = {}) {
    const headers = { accept: "application/json" }
    if (call.body !== undefined) headers["content-type"] = call.contentType
    const request = { method: call.method, headers, body: call.content, signal }
    const { namespace } = this
    const response = await fetch(this.url(call.path, call.parameters), request).catch((error) => {
      throw signal?.aborted ? error : new Error("The server does not answer.", { cause: error })
    })
    // Each namespace has numbers of its own, and a late answer is about the one before.
    if (!isShared(call.path) && namespace === this.namespace) {
      this.seq = Number(response.headers.get("x-mock-apns-seq") ?? this.seq)
      this.seqAt = performance.now()
    }
    if (!response.ok) throw await API.#problem(response)
    if (response.status === 204) return null
    const text = await response.text()
    return text === "" ? null : JSON.parse(text)
  }

  /// The command that does the same as a call.
  curl(call) {
    const parts = ["curl -sS"]
    if (call.method !== "GET") parts.push(`-X ${call.method}`)
    parts.push(quoted(`${location.origin}${this.url(call.path, call.parameters)}`))
    if (call.body !== undefined) {
      const words = call.body instanceof File ? `@${call.body.name}` : call.content
      parts.push(`-H 'content-type: ${call.contentType}'`, `--data-binary ${quoted(words)}`)
    }
    return parts.join(" ")
  }

  static async #problem(response) {
    const text = await response.text()
    try {
      return new Problem(response.status, JSON.parse(text))
    } catch {
      // An answer that is no problem document comes from something between the page and the server.
      return new Problem(response.status, {
        title: `Status ${response.status}`,
        detail: text || `The server does not answer; something in between says ${response.status}.`,
      })
    }
  }
}

/// A word of a command, for every POSIX shell.
export function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
