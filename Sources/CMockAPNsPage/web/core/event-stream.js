// Reads the server's event streams for all tabs: in a SharedWorker, or in the page where the browser has none.

/// The shortest and the longest pause before reconnecting, and after how long a silent tab is asked whether it still
/// exists, and then left out (milliseconds).
const SHORTEST = 1_000
const LONGEST = 30_000
const SILENCE = 5_000
/// How many of the newest events are kept for a tab that joins later.
const KEPT = 500

/// The event types of `GET /api/v1/events` that the page listens to.
const TYPES = [
  "push.received", "push.responded", "push.stored", "push.delivered", "push.discarded", "push.held",
  "push.handed-over", "push.dropped", "push.published", "push.subscribed", "push.started", "push.updated",
  "push.ended", "push.ignored", "push.changed", "push.forwarded", "device.changed", "activity.started",
  "activity.updated", "activity.stale", "activity.ended", "activity.dismissed", "activity.token", "channel.changed",
  "feedback.added", "fault.fired", "connection.opened", "connection.closed", "clock.changed", "app.changed",
  "saved-pushes.changed", "reset", "mark", "gap", "closed",
]

const streams = new Map()

/// Passes the events of a URL to `hear({type, seq, text})`. `seq` is 0 until there is a number.
export function listen(url, hear) {
  const source = new EventSource(url)
  for (const type of TYPES) {
    source.addEventListener(type, ({ data, lastEventId }) => hear({ type, seq: Number(lastEventId), text: data }))
  }
  return source
}

/// Identifies a run of the server.
export function runOf(info) { return `${info.pid} ${info.startedAt}` }

/// Serves a tab, which says which stream it follows, and after which event: at first, when asked with `isAsked`, and to
/// reconnect at once or to leave. It receives each `event` and `status` (see `Live`).
export function serve(port) {
  let stream = null
  let timer = 0
  const leave = () => stream?.leave(port)
  // A crashed tab does not answer. A suspended one joins again when it does.
  const ask = () => {
    port.postMessage({ isAsked: true })
    timer = setTimeout(leave, SILENCE)
  }
  port.onmessage = ({ data: { url, run, after, isRetry, isLeaving } }) => {
    clearTimeout(timer)
    if (isLeaving) return leave()
    const key = `${url} ${run}`
    stream = streams.get(key) ?? new Stream(key, url, run, after)
    stream.join(port, after)
    if (isRetry) stream.retry()
    timer = setTimeout(ask, SILENCE)
  }
}

/// The one stream of all tabs that show the same namespace of the same run of the server: a browser opens at most six
/// HTTP/1.1 connections to a host, and a stream occupies one.
class Stream {
  #key
  #url
  #run
  #ports = new Set()
  /// The number of the newest event, and the number from which on the kept ones are complete.
  #seq
  #since
  #recent = []
  #status
  #wait = SHORTEST
  #timer = 0
  /// Ends the connection, or the attempt to open it.
  #end = new AbortController()

  constructor(key, url, run, after) {
    this.#key = key
    this.#url = url
    this.#run = run
    this.#seq = this.#since = after
    streams.set(key, this)
    this.#connect()
  }

  join(port, after) {
    if (this.#ports.has(port)) return
    this.#ports.add(port)
    const [from, to] = [after + 1, this.#since]
    if (from <= to) port.postMessage({ event: { type: "gap", seq: to, text: JSON.stringify({ from, to }) } })
    for (const event of this.#recent) if (event.seq >= after) port.postMessage({ event })
    port.postMessage({ status: this.#status })
  }

  leave(port) {
    if (!this.#ports.delete(port) || this.#ports.size > 0) return
    this.#close()
    streams.delete(this.#key)
  }

  retry() {
    if (this.#status.state !== "live") this.#connect()
  }

  #close() {
    clearTimeout(this.#timer)
    this.#end.abort()
  }

  async #connect() {
    this.#close()
    this.#end = new AbortController()
    const { signal } = this.#end
    this.#become({ state: "connecting" })
    try {
      const response = await fetch("/api/v1/info", { signal })
      if (!response.ok) throw new Error(`The server returned ${response.status}.`)
      const info = await response.json()
      if (runOf(info) === this.#run) this.#open(signal)
      else this.#become({ state: "restarted", info })
    } catch { if (!signal.aborted) this.#retryLater() }
  }

  #open(signal) {
    const source = listen(`${this.#url}&after=${this.#seq}`, (event) => this.#heard(event))
    signal.addEventListener("abort", () => source.close())
    source.onopen = () => {
      this.#wait = SHORTEST
      this.#become({ state: "live" })
    }
    // The browser's own reconnection has no back-off and does not notice a restarted server.
    source.onerror = () => this.#retryLater()
  }

  #retryLater() {
    this.#close()
    this.#timer = setTimeout(() => this.#connect(), this.#wait)
    this.#become({ state: "down", retryAt: Date.now() + this.#wait })
    this.#wait = Math.min(this.#wait * 2, LONGEST)
  }

  #heard({ type, seq, text }) {
    // The events of a gap are not available, so continue after it.
    this.#seq = Math.max(this.#seq, type === "gap" ? JSON.parse(text).to : seq)
    const event = { type, seq: this.#seq, text }
    this.#recent.push(event)
    if (this.#recent.length > KEPT) this.#since = this.#recent.shift().seq + 1
    this.#tell({ event })
  }

  #become(status) {
    this.#status = status
    this.#tell({ status })
  }

  #tell(words) {
    for (const port of this.#ports) port.postMessage(words)
  }
}

// Only a SharedWorker receives this event.
addEventListener("connect", ({ ports: [port] }) => serve(port))
