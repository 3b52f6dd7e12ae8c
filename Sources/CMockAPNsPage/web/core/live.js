// The stream of what happens. It comes back by itself, goes on where it was, and says when it could not.

const SHORTEST = 1_000
const LONGEST = 30_000
/// How many events in a second are wanted at most: of more, a gap is told, and nobody hears of anything minutes late.
const MOST = 300

/// What the page hears of; one name for each `event:` of `GET /api/v1/events`.
export const TYPES = [
  "push.received", "push.responded", "push.stored", "push.delivered", "push.discarded", "push.held",
  "push.handed-over", "push.dropped", "device.changed", "feedback.added", "fault.fired", "connection.opened",
  "connection.closed", "clock.changed", "reset", "mark", "gap", "closed",
]

/// Follows the events of the namespace that is shown.
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
  #source = null
  #timer = 0
  #wait = SHORTEST
  #run = null
  /// What was begun before somebody started or stopped it must not open another stream.
  #turn = 0

  constructor(api) {
    super()
    this.#api = api
  }

  /// Begins behind `seq`; what was open is closed.
  start(seq, info) {
    this.stop()
    this.seq = seq
    this.#run = runOf(info)
    this.#open()
  }

  stop() {
    this.#turn += 1
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = null
    if (this.state === "live") this.#become("connecting")
  }

  /// Tries at once, without waiting for the next turn.
  retry() {
    if (this.state === "live") return
    this.stop()
    this.#reopen()
  }

  #open() {
    this.#become("connecting")
    const source = new EventSource(this.#api.url("/events", { after: this.seq, fields: "summary", maxRate: MOST }))
    this.#source = source
    source.onopen = () => this.#opened(source)
    // While there is nothing to tell, a stream may not even say that it is there. Who answers this has it open too.
    this.#api.get("/seq").then(() => this.#opened(source), () => {})
    source.onerror = () => {
      // The browser's own way of coming back knows neither how long to wait nor that a server may be another one.
      source.close()
      if (this.#source === source) this.#later()
    }
    for (const type of TYPES) {
      source.addEventListener(type, (event) => {
        if (this.#source !== source) return
        const message = new Message(type, Number(event.lastEventId) || this.seq, event.data)
        // What a gap tells of is not to be had, or not wanted.
        this.seq = Math.max(this.seq, type === "gap" ? message.data.to : message.seq)
        this.dispatchEvent(new CustomEvent("message", { detail: message }))
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
    this.#become("connecting")
    try {
      const info = await this.#api.get("/info")
      if (turn !== this.#turn) return
      if (runOf(info) !== this.#run) {
        this.dispatchEvent(new CustomEvent("restarted", { detail: { info } }))
      } else {
        this.#open()
      }
    } catch {
      // Nobody answers, or an answer that is none: both are told by the dot in the header, and tried again.
      if (turn === this.#turn) this.#later()
    }
  }

  #become(state, retryAt = null) {
    this.state = state
    this.dispatchEvent(new CustomEvent("status", { detail: { state, retryAt } }))
  }
}

/// One event of the server. Its `data` are read when somebody asks for them: when a thousand come in a second, nobody
/// may.
class Message {
  #text
  #data

  constructor(type, seq, text) {
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
