// The server's event stream. It reconnects by itself, continues where it stopped, and reports a gap if it could not.

import { api } from "./api.js"
import { TabGroup } from "./tab-group.js"

const SHORTEST = 1_000
const LONGEST = 30_000
/// The most events to receive in a second. The server reports more as a gap, so that the page never lags behind.
const MOST = 300
/// How many of the newest events are kept for a tab that opens later.
const KEPT = 500

/// The event types of `GET /api/v1/events` that the page listens to.
export const TYPES = [
  "push.received", "push.responded", "push.stored", "push.delivered", "push.discarded", "push.held",
  "push.handed-over", "push.dropped", "push.published", "push.subscribed", "push.changed", "device.changed",
  "channel.changed", "feedback.added", "fault.fired", "connection.opened", "connection.closed", "clock.changed",
  "app.changed", "saved-pushes.changed", "reset", "mark", "gap", "closed",
]

/// Whether an event is a step of a push and has a number of its own. Others repeat that of the newest push or mark.
export function isStep(type) { return type.startsWith("push.") && type !== "push.changed" }

/// Follows the events of the selected namespace.
///
/// A browser opens at most six HTTP/1.1 connections to a host, and a stream occupies one. So the tabs that show the
/// same namespace of the same run share one stream: the leader receives it and forwards the events.
///
/// It dispatches these events:
/// - `status` with `detail.state` (`connecting`, `live`, `down`) and `detail.retryAt` (milliseconds, as `Date.now`);
/// - `message` with the `detail` `{type, seq, data}` for each event of the server;
/// - `restarted` with `detail.info` when the server was restarted, so that event numbers begin again.
class Live extends EventTarget {
  state = "connecting"
  /// The number of the newest event received.
  seq = 0
  #group = null
  #source = null
  #timer = 0
  #wait = SHORTEST
  #retryAt = null
  #run = null
  /// Incremented by start and stop, so that an earlier attempt does not open another stream.
  #turn = 0
  /// The newest events, and the number from which on they are complete.
  #recent = []
  #since = 0
  /// Whether a follower has received from the leader the events since its start.
  #isJoined = false

  constructor() {
    super()
    // A page in the browser's back/forward cache must not hold the lead.
    addEventListener("pagehide", () => {
      this.#close()
      this.#group?.leave()
    })
    addEventListener("pageshow", ({ persisted }) => {
      if (!persisted || !this.#group) return
      this.stop()
      this.#join()
    })
  }

  /// Starts after the event `seq` and closes the previous stream.
  start(seq, info) {
    this.stop()
    this.seq = seq
    this.#run = runOf(info)
    this.#join()
  }

  stop() {
    this.#close()
    this.#group?.leave()
    this.#group = null
    if (this.state === "live") this.#setState("connecting")
  }

  /// Reconnects now instead of waiting for the next attempt.
  retry() {
    if (this.state === "live") return
    if (!this.#group) {
      this.#join()
    } else if (this.#group.isLeader) {
      this.#close()
      this.#reopen()
    } else {
      this.#group.ask({ isRetry: true })
    }
  }

  #join() {
    this.#recent = []
    this.#since = this.seq
    this.#isJoined = false
    this.#setState("connecting")
    this.#group = new TabGroup(`${api.namespace} ${this.#run}`, {
      lead: () => this.#lead(),
      follow: () => this.#close(),
      asked: (question) => this.#answer(question),
      heard: (message) => this.#received(message),
    })
    this.#group.ask({ after: this.seq })
  }

  // As the leader.

  #lead() {
    this.#isJoined = true
    this.#wait = SHORTEST
    this.#reopen()
  }

  #close() {
    this.#turn += 1
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = null
  }

  #open() {
    const source = new EventSource(api.url("/events", { after: this.seq, fields: "summary", maxRate: MOST }))
    this.#source = source
    source.onopen = () => this.#opened(source)
    source.onerror = () => {
      // The browser's own reconnection has no back-off and does not notice a restarted server.
      source.close()
      if (this.#source === source) this.#retryLater()
    }
    for (const type of TYPES) {
      source.addEventListener(type, (event) => {
        if (this.#source !== source) return
        const words = { type, seq: Number(event.lastEventId) || this.seq, text: event.data }
        // The events of a gap are not available, so continue after it.
        if (type === "gap") words.seq = JSON.parse(event.data).to
        this.#group.send({ event: words })
        this.#handle(words)
      })
    }
  }

  #opened(source) {
    if (this.#source !== source || source.readyState === EventSource.CLOSED || this.state === "live") return
    this.#wait = SHORTEST
    this.#setState("live")
  }

  #retryLater() {
    const wait = this.#wait
    this.#wait = Math.min(this.#wait * 2, LONGEST)
    this.#setState("down", Date.now() + wait)
    this.#timer = setTimeout(() => this.#reopen(), wait)
  }

  async #reopen() {
    const turn = this.#turn
    // A change of the leader should not be visible.
    if (this.state === "live") this.#answer({})
    else this.#setState("connecting")
    try {
      const info = await api.get("/info")
      if (turn !== this.#turn) return
      if (runOf(info) !== this.#run) {
        this.#group.send({ restarted: info })
        this.#restarted(info)
      } else {
        this.#open()
      }
    } catch {
      // No response, or an invalid one: the header shows that, and it is tried again.
      if (turn === this.#turn) this.#retryLater()
    }
  }

  /// Sends the status to the followers, and the events since `after` to a tab that asked for them.
  #answer({ isRetry = false, from = null, after = null }) {
    if (isRetry) this.retry()
    const { state, seq } = this
    const words = { status: { state, retryAt: this.#retryAt, seq } }
    if (after !== null) {
      const events = this.#recent.filter((event) => event.seq >= after)
      words.welcome = { to: from, since: this.#since, events }
    }
    this.#group?.send(words)
  }

  // As a follower.

  #received({ welcome, status, event, restarted }) {
    if (welcome?.to === this.#group.id && !this.#isJoined) {
      this.#isJoined = true
      this.#reportGap(welcome.since)
      for (const words of welcome.events) this.#handleOnce(words)
    }
    if (!this.#isJoined) {
      // The welcome includes the events that were sent before it. A new leader may have missed the question, so ask
      // again.
      if (status && !welcome) this.#group.ask({ after: this.seq })
      return
    }
    if (event) this.#handleOnce(event)
    if (status) {
      this.#reportGap(status.seq)
      if (status.state !== this.state || status.retryAt !== this.#retryAt) this.#setState(status.state, status.retryAt)
    }
    if (restarted) this.#restarted(restarted)
  }

  /// A new leader may repeat some events of the previous one.
  #handleOnce(words) {
    if (words.seq > this.seq || !isStep(words.type)) this.#handle(words)
  }

  #reportGap(to) {
    if (to <= this.seq) return
    this.#handle({ type: "gap", seq: to, text: JSON.stringify({ from: this.seq + 1, to }) })
  }

  // As either.

  #handle(words) {
    this.seq = Math.max(this.seq, words.seq)
    this.#recent.push(words)
    if (this.#recent.length > KEPT) this.#since = this.#recent.shift().seq + 1
    this.dispatchEvent(new CustomEvent("message", { detail: new Message(words) }))
  }

  #restarted(info) { this.dispatchEvent(new CustomEvent("restarted", { detail: { info } })) }

  #setState(state, retryAt = null) {
    this.state = state
    this.#retryAt = retryAt
    this.#answer({})
    this.dispatchEvent(new CustomEvent("status", { detail: { state, retryAt } }))
  }
}

export const live = new Live()

/// An event of the server. Its `data` is parsed on first use, which saves work when many events arrive.
class Message {
  #text
  #data

  constructor({ type, seq, text }) {
    this.type = type
    this.seq = seq
    this.#text = text
  }

  get data() {
    if (this.#data === undefined) this.#data = JSON.parse(this.#text)
    return this.#data
  }
}

/// Identifies a run of the server.
function runOf(info) {
  return `${info.pid} ${info.startedAt}`
}
