// The stream of what happens. It comes back by itself, goes on where it was, and says when it could not.

import { Group } from "./group.js"

const SHORTEST = 1_000
const LONGEST = 30_000
/// How many events in a second are wanted at most: of more, a gap is told, and nobody hears of anything minutes late.
const MOST = 300
/// How many of the newest events are kept for a tab that joins.
const KEPT = 500

/// What the page hears of; one name for each `event:` of `GET /api/v1/events`.
export const TYPES = [
  "push.received", "push.responded", "push.stored", "push.delivered", "push.discarded", "push.held",
  "push.handed-over", "push.dropped", "device.changed", "feedback.added", "fault.fired", "connection.opened",
  "connection.closed", "clock.changed", "reset", "mark", "gap", "closed",
]

/// Follows the events of the namespace that is shown.
///
/// A browser has six connections to a host over HTTP/1.1, and a stream takes one for as long as it lasts. So the tabs
/// that show the same namespace of the same run share one: their leader has the stream, and tells the others.
///
/// Its own events, for `addEventListener`:
/// - `status` with `detail.state`: `connecting`, `live`, `down`; and `detail.retryAt` (milliseconds, as `Date.now`).
/// - `message` with `detail`: `{type, seq, data}`, each event of the server.
/// - `restarted` with `detail.info`: another run of the server answers now, whose numbers begin again.
export class Live extends EventTarget {
  state = "connecting"
  /// The number of the newest event that was heard of.
  seq = 0
  #api
  #group = null
  #source = null
  #timer = 0
  #wait = SHORTEST
  #retryAt = null
  #run = null
  /// What was begun before somebody started or stopped it must not open another stream.
  #turn = 0
  /// The newest events, and the number from which on none is missing there.
  #recent = []
  #since = 0
  /// Whether everything behind the first number was heard of: one who follows has to be told of what came before.
  #isIn = false

  constructor(api) {
    super()
    this.#api = api
    // A page that the browser keeps for the way back may not keep others from the lead.
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

  /// Begins behind `seq`; what was open is closed.
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
    if (this.state === "live") this.#become("connecting")
  }

  /// Tries at once, without waiting for the next turn.
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
    this.#isIn = false
    this.#become("connecting")
    this.#group = new Group(`${this.#api.namespace} ${this.#run}`, {
      lead: () => this.#lead(),
      follow: () => this.#close(),
      asked: (question) => this.#answer(question),
      heard: (words) => this.#heard(words),
    })
    this.#group.ask({ after: this.seq })
  }

  // The leader's part.

  #lead() {
    this.#isIn = true
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
    const source = new EventSource(this.#api.url("/events", { after: this.seq, fields: "summary", maxRate: MOST }))
    this.#source = source
    source.onopen = () => this.#opened(source)
    source.onerror = () => {
      // The browser's own way of coming back knows neither how long to wait nor that a server may be another one.
      source.close()
      if (this.#source === source) this.#later()
    }
    for (const type of TYPES) {
      source.addEventListener(type, (event) => {
        if (this.#source !== source) return
        const words = { type, seq: Number(event.lastEventId) || this.seq, text: event.data }
        // What a gap tells of is not to be had, or not wanted.
        if (type === "gap") words.seq = JSON.parse(event.data).to
        this.#group.tell({ event: words })
        this.#take(words)
      })
    }
  }

  #opened(source) {
    if (this.#source !== source || source.readyState === EventSource.CLOSED || this.state === "live") return
    this.#wait = SHORTEST
    this.#become("live")
  }

  #later() {
    const wait = this.#wait
    this.#wait = Math.min(this.#wait * 2, LONGEST)
    this.#become("down", Date.now() + wait)
    this.#timer = setTimeout(() => this.#reopen(), wait)
  }

  async #reopen() {
    const turn = this.#turn
    // From one leader to the next, nobody has to see that there was a change.
    if (this.state === "live") this.#answer({})
    else this.#become("connecting")
    try {
      const info = await this.#api.get("/info")
      if (turn !== this.#turn) return
      if (runOf(info) !== this.#run) {
        this.#group.tell({ restarted: info })
        this.#restarted(info)
      } else {
        this.#open()
      }
    } catch {
      // Nobody answers, or an answer that is none: both are told by the dot in the header, and tried again.
      if (turn === this.#turn) this.#later()
    }
  }

  /// Tells how things are; and one who comes from a number `after`, what has happened since.
  #answer({ isRetry = false, from = null, after = null }) {
    if (isRetry) this.retry()
    const { state, seq } = this
    const words = { status: { state, retryAt: this.#retryAt, seq } }
    if (after !== null) {
      const events = this.#recent.filter((event) => event.seq >= after)
      words.welcome = { to: from, since: this.#since, events }
    }
    this.#group?.tell(words)
  }

  // The part of those who follow.

  #heard({ welcome, status, event, restarted }) {
    if (welcome?.to === this.#group.id && !this.#isIn) {
      this.#isIn = true
      this.#missed(welcome.since)
      for (const words of welcome.events) this.#takeOnce(words)
    }
    if (!this.#isIn) {
      // Whatever is heard until then comes again. A leader who has just begun was not there when it was asked.
      if (status && !welcome) this.#group.ask({ after: this.seq })
      return
    }
    if (event) this.#takeOnce(event)
    if (status) {
      this.#missed(status.seq)
      if (status.state !== this.state || status.retryAt !== this.#retryAt) this.#become(status.state, status.retryAt)
    }
    if (restarted) this.#restarted(restarted)
  }

  /// One leader may begin a little before the place where the other ended.
  #takeOnce(words) {
    if (words.seq > this.seq || !words.type.startsWith("push.")) this.#take(words)
  }

  #missed(to) {
    if (to <= this.seq) return
    this.#take({ type: "gap", seq: to, text: JSON.stringify({ from: this.seq + 1, to }) })
  }

  // What both do.

  #take(words) {
    this.seq = Math.max(this.seq, words.seq)
    this.#recent.push(words)
    if (this.#recent.length > KEPT) this.#since = this.#recent.shift().seq + 1
    this.dispatchEvent(new CustomEvent("message", { detail: new Message(words) }))
  }

  #restarted(info) { this.dispatchEvent(new CustomEvent("restarted", { detail: { info } })) }

  #become(state, retryAt = null) {
    this.state = state
    this.#retryAt = retryAt
    this.#answer({})
    this.dispatchEvent(new CustomEvent("status", { detail: { state, retryAt } }))
  }
}

/// One event of the server. Its `data` are read when somebody asks for them: when a thousand come in a second, nobody
/// may.
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

/// What tells one run of a server from another.
function runOf(info) {
  return `${info.pid} ${info.startedAt}`
}
