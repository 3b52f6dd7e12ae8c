// Follows the server's events in this tab.

import { api } from "./api.js"
import { runOf, serve } from "./event-stream.js"

/// The most events to receive in a second. The server reports more as a gap, so that the page never lags behind.
const MOST = 300
/// How long the worker may ask nothing (milliseconds). It crashes together with a tab in the same process.
const SILENCE = 12_000
const HAS_WORKERS = "SharedWorker" in self
const SCRIPT = "/ui/core/event-stream.js"
/// The page's policy accepts a script's URL only from this rule.
const RULE = self.trustedTypes?.createPolicy("event-stream", { createScriptURL: () => SCRIPT })

/// Whether an event is a step of a push and has a number of its own. Others repeat that of the newest push or mark.
export function isStep(type) {
  return type.startsWith("push.") && type !== "push.changed" && type !== "push.forwarded"
}

/// Follows the events of the selected namespace, over a stream that it shares with the browser's other tabs.
///
/// It dispatches these events:
/// - `status` with `detail.state` (`connecting`, `live`, `down`) and `detail.retryAt` (milliseconds, as `Date.now`);
/// - `message` with the `detail` `{type, seq, data}` for each event of the server;
/// - `restarted` with `detail.info` when the server was restarted, so that event numbers begin again.
class Live extends EventTarget {
  state = "connecting"
  /// The number of the newest event received.
  seq = 0
  /// The stream that this tab follows, and the port to it.
  #stream = null
  #port = null
  /// The name of the worker. Pages of different versions of the server do not share one.
  #name = null
  #timer = 0

  constructor() {
    super()
    addEventListener("pagehide", () => this.#leave())
    // The page returns from the browser's back/forward cache.
    addEventListener("pageshow", ({ persisted }) => { if (persisted && this.#stream) this.#join() })
  }

  /// Starts after the event `seq` and leaves the previous stream.
  start(seq, info) {
    this.seq = seq
    this.#stream = { url: api.url("/events", { fields: "summary", maxRate: MOST }), run: runOf(info) }
    this.#name ??= `mock-apns ${info.version}`
    this.#join()
  }

  stop() {
    this.#leave()
    if (this.state === "live") this.#become({ state: "connecting" })
  }

  /// Reconnects now instead of waiting for the next attempt.
  retry() {
    if (this.#port) this.#say({ isRetry: true })
    else this.#join()
  }

  #join(port = HAS_WORKERS ? this.#workerPort() : portInPage()) {
    this.#leave()
    this.#become({ state: "connecting" })
    port.onmessage = ({ data }) => this.#heard(data)
    this.#port = port
    this.#say()
  }

  #leave() {
    if (!this.#port) return
    this.#say({ isLeaving: true })
    clearTimeout(this.#timer)
    this.#port.close()
    this.#port = null
  }

  #say(words = {}) {
    this.#port.postMessage({ ...this.#stream, after: this.seq, ...words })
    clearTimeout(this.#timer)
    if (HAS_WORKERS) this.#timer = setTimeout(() => this.#join(), SILENCE)
  }

  #workerPort() {
    const worker = new SharedWorker(RULE?.createScriptURL("") ?? SCRIPT, { type: "module", name: this.#name })
    // The script could not be loaded.
    worker.onerror = () => { if (worker.port === this.#port) this.#join(portInPage()) }
    return worker.port
  }

  #heard({ event, status, isAsked }) {
    // A tab that joins may receive events that it already knows.
    if (event && (event.seq > this.seq || !isStep(event.type))) {
      this.seq = Math.max(this.seq, event.seq)
      this.dispatchEvent(new CustomEvent("message", { detail: message(event) }))
    }
    if (status?.state === "restarted") this.dispatchEvent(new CustomEvent("restarted", { detail: status }))
    else if (status) this.#become(status)
    if (isAsked) this.#say()
  }

  #become({ state, retryAt = null }) {
    this.state = state
    this.dispatchEvent(new CustomEvent("status", { detail: { state, retryAt } }))
  }
}

export const live = new Live()

/// A port to a stream in this page.
function portInPage() {
  const { port1, port2 } = new MessageChannel()
  serve(port2)
  return port1
}

/// An event of the server. Its `data` is parsed on first use, which saves work when many events arrive.
function message({ type, seq, text }) {
  let data
  return { type, seq, get data() { return data ??= JSON.parse(text) } }
}
