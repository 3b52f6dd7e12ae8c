// Keeps the list in step with the journal: loads pages, adds new pushes, and shows a sample when too many arrive.

import { Marks } from "./marks.js"
import { Model, markEntry, pushEntry } from "./model.js"
import { INTERVAL, PushRate } from "./push-rate.js"

/// The number of pushes in a page, and the most that one update adds.
const PAGE = 200
const MOST = 1_000
/// Above FLOOD pushes per second the list shows a sample; below CALM it shows all pushes again.
const FLOOD = 200
const CALM = 100
/// The pause before a failed page is loaded again while scrolling. All times are in milliseconds.
const REST = 1_000
/// The shortest interval between two requests of a search, and between two counts.
const REPEAT = 150
const COUNT = 1_000
/// The shortest and the longest interval between two samples, and their size. Pushes that are shown for longer may be
/// evicted.
const SAMPLE = 500
const LATEST = 3_000
const SAMPLED = 50

/// The content of the list, and how it is loaded.
///
/// Without a search, pushes from events are added directly. With a search, only the server knows what matches, so
/// events trigger a request. The event `changed` means that the list has to be redrawn.
export class Feed extends EventTarget {
  model = new Model()
  q = ""
  /// The list starts after this number, if the URL has one.
  after = null
  isPaused = false
  isAtTop = true
  isLoading = false
  /// Whether the oldest matching push is loaded.
  isWhole = false
  isSampling = false
  /// How many new pushes are not shown yet.
  fresh = 0
  /// How many pushes match, and how many the journal has evicted.
  total = 0
  evicted = 0
  /// Whether what has left the server's memory is kept, and can be read.
  isKept = false
  /// Pushes in the last second.
  rate = 0
  error = null

  #app
  #turn = 0
  /// All matching pushes up to this number have been loaded.
  #known = 0
  #marks
  #mustRemoveDeleted = false
  #arrived = new Map()
  #isBehind = false
  #hasMissed = false
  #rate
  /// When loading older pushes failed, until it is tried again.
  #failedAt = null
  /// The range of numbers of pushes that changed and may match now.
  #changed = null
  #requests = { timer: 0, isOut: false, took: 0 }
  #counts = { timer: 0 }
  #sampledAt = 0

  constructor(app) {
    super()
    this.#app = app
    this.#rate = new PushRate(app.api)
    this.#marks = new Marks(app.api)
    setInterval(() => this.#update(), INTERVAL)
    app.actions.addEventListener("done", ({ detail }) => {
      const deletes = ({ method, path }) => method === "DELETE" && path.startsWith("/pushes")
      if (detail.calls.some(deletes)) this.#removeDeleted()
    })
    app.live.addEventListener("status", ({ detail }) => {
      // An error response would be the same again.
      if (detail.state === "live" && this.error && !this.error.status) this.load()
      if (detail.state === "live") this.retryOlder()
    })
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#catchUpSoon()
    })
  }

  get follows() { return this.isAtTop && !this.isPaused && !document.hidden }
  get filter() { return { q: this.q, after: this.after } }

  /// Shows the pushes that match a search.
  open(q, after) {
    this.q = q
    this.after = after
    this.#marks = new Marks(this.#app.api)
    return this.load()
  }

  /// Removes all rows: they belong to another namespace or another run of the server.
  forget() {
    this.#turn += 1
    this.model.reset([])
  }

  /// Whether nothing is older than a page. `matched` counts what is in memory, and what is on the page.
  #isLast(answer, limit) {
    const isFull = answer.pushes.length >= limit
    return answer.pushes.length >= answer.matched && !(this.isKept && isFull)
  }

  /// Reloads the newest page. A sample is dropped if the user has scrolled meanwhile.
  async load(limit = PAGE, { isSample = false } = {}) {
    const turn = this.#turn += 1
    this.isLoading = true
    this.error = null
    this.#failedAt = null
    this.#arrived.clear()
    this.#isBehind = false
    this.#notify()
    const from = this.#app.api.seq
    try {
      const newest = this.#request({ ...this.filter, order: "desc", limit })
      const [answer] = await Promise.all([newest, isSample ? null : this.#marks.read()])
      if (turn !== this.#turn) return
      if (isSample && !this.follows) {
        this.#isBehind = true
        return this.#loaded()
      }
      this.#known = Math.max(from, answer.pushes[0]?.seq ?? 0)
      this.isKept = answer.journal.evicted > 0 && answer.evictedInWindow === 0
      this.isWhole = this.#isLast(answer, limit)
      const oldest = this.isWhole ? 0 : answer.pushes.at(-1).seq
      this.model.reset([...answer.pushes.map(pushEntry), ...this.#marks.entries(oldest, Infinity)])
      this.total = answer.matched
      this.evicted = answer.journal.evicted
      this.fresh = 0
      this.#app.shell.search.problem(null)
    } catch (error) {
      if (turn !== this.#turn) return
      if (error.status === 400 && this.q) this.#app.shell.search.problem(error)
      this.error = error
    }
    this.#loaded()
  }

  #loaded() {
    this.isLoading = false
    if (this.#mustRemoveDeleted) this.#removeDeleted()
    else this.#catchUpSoon()
    this.#notify()
  }

  /// Removes the rows of deleted pushes and keeps the scroll position.
  async #removeDeleted() {
    this.#mustRemoveDeleted = this.isLoading
    if (this.isLoading) return
    const { oldest, newest } = this.model
    const [turn, there] = [this.#turn, new Set()]
    this.isLoading = true
    try {
      for (let after = oldest ? oldest.seq - 1 : null; after !== null;) {
        const answer = await this.#request({ q: this.q, after, before: newest.seq + 1, order: "asc", limit: MOST })
        if (turn !== this.#turn) return
        for (const { id } of answer.pushes) there.add(id)
        after = answer.pushes.length < answer.matched ? answer.pushes.at(-1).seq : null
      }
      this.model.keep(({ kind, seq, key }) => kind === "mark" || seq > newest.seq || there.has(key))
      this.#countSoon()
    } catch {
      // The server is not responding. The next count shows again that rows are missing.
      if (turn !== this.#turn) return
    }
    if (this.model.pushes === 0) this.load()
    else this.#loaded()
  }

  async older() {
    const { oldest } = this.model
    if (this.isWhole || this.isLoading || this.#failedAt !== null || !oldest) return
    const turn = this.#turn
    this.isLoading = true
    try {
      const answer = await this.#request({ ...this.filter, before: oldest.seq, order: "desc", limit: PAGE })
      if (turn !== this.#turn) return
      this.isWhole = this.#isLast(answer, PAGE)
      const first = this.isWhole ? 0 : answer.pushes.at(-1).seq
      this.model.add([...answer.pushes.map(pushEntry), ...this.#marks.entries(first, oldest.seq)])
    } catch (error) {
      if (turn !== this.#turn) return
      this.#app.toasts.problem(error)
      this.#failedAt = Date.now()
    }
    this.#loaded()
  }

  /// Allows another attempt to load older pushes, after scrolling or reconnecting.
  retryOlder() {
    if (this.#failedAt === null || Date.now() < this.#failedAt + REST) return
    this.#failedAt = null
    this.#notify()
  }

  /// The user scrolled to or away from the newest row, or paused or resumed the list.
  move({ isAtTop = this.isAtTop, isPaused = this.isPaused }) {
    const followed = this.follows
    this.isAtTop = isAtTop
    this.isPaused = isPaused
    if (this.isSampling && !this.follows) this.#isBehind = true
    if (this.follows && !followed) this.#catchUpSoon()
    this.#notify()
  }

  message(message) {
    if (message.type === "mark") this.#marked(message.data)
    if (!message.type.startsWith("push.")) return
    const isNew = message.type === "push.received"
    if (isNew && message.seq > this.#known) {
      this.#rate.count()
      this.#countSoon()
    }
    if (this.isLoading || this.isSampling || document.hidden || this.rate > FLOOD) {
      this.#isBehind = this.#hasMissed = true
      if (isNew && !this.q && !this.follows) this.fresh += 1
      return
    }
    this.#handle(message.data, isNew)
  }

  /// Events were left out: loads what they reported once the newest row is in view.
  eventsMissed() {
    this.#marks.missed()
    this.#isBehind = this.#hasMissed = true
    this.#countSoon()
    this.#requestSoon()
  }

  /// Adds the pushes that arrived since the last frame. Called before each redraw.
  settle() {
    if (this.#arrived.size === 0) return
    const pushes = [...this.#arrived.values()]
    this.#arrived.clear()
    this.model.add(pushes.map(pushEntry))
    for (const push of pushes) this.#known = Math.max(this.#known, push.seq)
    this.total += pushes.length
    this.#notify()
  }

  #handle(push, isNew) {
    if (push.seq <= this.#known) {
      if (!this.model.update(push) && this.q) this.#recheck(push.seq)
    } else if (!this.q && this.follows && !this.#isBehind) {
      if (this.after === null || push.seq > this.after) this.#arrived.set(push.id, push)
    } else {
      this.#isBehind = true
      if (this.q) this.#requestSoon()
      else if (isNew) this.fresh += 1
    }
    this.#notify()
  }

  #recheck(seq) {
    const { oldest } = this.model
    if (!this.isWhole && oldest && seq < oldest.seq) return
    const [low, high] = this.#changed ?? [seq, seq]
    this.#changed = [Math.min(low, seq), Math.max(high, seq)]
    this.#requestSoon()
  }

  #marked(mark) {
    const gone = this.#marks.add(mark)
    if (this.model.get(gone)) this.model.keep(({ key }) => key !== gone)
    if (!this.follows || this.isSampling) return
    this.settle()
    this.model.add([markEntry(mark)])
    this.#notify()
  }

  #catchUpSoon() {
    if (this.#isBehind) this.#requestSoon(0)
  }

  #requestSoon(pause = REPEAT) {
    if (this.#requests.timer || this.isSampling) return
    // A slow search is repeated less often.
    this.#requests.timer = setTimeout(() => this.#requestAgain(), Math.max(pause, 4 * this.#requests.took))
  }

  async #requestAgain() {
    this.#requests.timer = 0
    if (this.#requests.isOut || this.isLoading) return
    const turn = this.#turn
    const began = performance.now()
    this.#requests.isOut = true
    try {
      if (this.#changed) await this.#readChanged(turn)
      if (this.#isBehind && this.follows) await this.#catchUp(turn)
      else if (this.#isBehind && !document.hidden) await this.#readFresh(turn)
    } catch {
      // The server is not responding. Reconnecting leads here again.
      this.#isBehind = true
    }
    this.#requests.isOut = false
    this.#requests.took = performance.now() - began
    // Pushes that changed during this request are still to be read.
    if (this.#changed) this.#requestSoon()
    this.#notify()
  }

  /// Adds all newer pushes, or reloads the newest page if there are too many.
  async #catchUp(turn) {
    const known = this.#known
    // Pushes that arrive during the request may be missing from the response.
    const from = this.#app.api.seq
    this.#isBehind = false
    const after = Math.max(known, this.after ?? 0)
    const newer = this.#request({ q: this.q, after, order: "asc", limit: MOST })
    const [answer] = await Promise.all([newer, this.#marks.read()])
    if (turn !== this.#turn) return
    if (answer.matched > answer.pushes.length) {
      await this.load()
      return
    }
    this.#known = Math.max(known, from, answer.pushes.at(-1)?.seq ?? 0)
    this.total += answer.pushes.filter((push) => !this.model.get(push.id)).length
    this.model.add([...answer.pushes.map(pushEntry), ...this.#marks.entries(known, Infinity)])
    this.evicted = answer.journal.evicted
    this.fresh = 0
    if (this.#hasMissed) await this.#updateNewest(turn)
  }

  /// Reads the number of new pushes. With a search or at a high rate, only the server knows it.
  async #readFresh(turn) {
    const after = Math.max(this.#known, this.after ?? 0)
    const { count } = await this.#app.api.get("/pushes/count", { q: this.q, after })
    if (turn === this.#turn) this.fresh = count
  }

  /// Reads changed pushes that may match now, for example a stored push that was delivered.
  async #readChanged(turn) {
    const [low, high] = this.#changed
    this.#changed = null
    const after = Math.max(low - 1, this.after ?? 0)
    const answer = await this.#request({ q: this.q, after, before: high + 1, limit: MOST })
    if (turn !== this.#turn) return
    this.total += answer.pushes.filter((push) => !this.model.get(push.id)).length
    this.model.add(answer.pushes.map(pushEntry))
  }

  /// Updates the newest rows after events were missed.
  async #updateNewest(turn) {
    this.#hasMissed = false
    const answer = await this.#request({ ...this.filter, before: this.#known + 1, order: "desc", limit: MOST })
    if (turn !== this.#turn) return
    for (const push of answer.pushes) this.model.update(push)
    this.#marks.removeGone(this.model)
  }

  #update() {
    this.rate = this.#rate.update()
    const wasSampling = this.isSampling
    this.isSampling = this.follows && this.rate > (wasSampling ? CALM : FLOOD)
    if (this.isSampling && !this.isLoading && Date.now() >= this.#sampledAt) this.#sample()
    if (wasSampling && !this.isSampling) {
      if (this.follows) this.load()
      else this.#isBehind = true
    } else if (!this.isSampling && this.#isBehind && this.follows && !this.isLoading) {
      this.#requestSoon()
    }
    if (this.rate > 0 && !this.follows) this.#countSoon()
    if (this.isSampling || wasSampling) this.#notify()
  }

  async #sample() {
    const began = performance.now()
    await this.load(SAMPLED, { isSample: true })
    this.#sampledAt = Date.now() + Math.min(LATEST, Math.max(SAMPLE, 4 * (performance.now() - began)))
  }

  #countSoon() {
    if (this.#counts.timer || document.hidden) return
    this.#counts.timer = setTimeout(() => this.#count(), COUNT)
  }

  async #count() {
    const turn = this.#turn
    try {
      const { count, journal } = await this.#app.api.get("/pushes/count", this.filter)
      if (turn === this.#turn) {
        this.total = count
        this.evicted = journal.evicted
        if (journal.evicted && !this.isKept) this.model.trim(journal.firstSeq)
        // Pushes were deleted elsewhere. Those that arrived after the count are not considered.
        if (!this.q && count < this.model.pushesUpTo(journal.lastSeq)) this.#removeDeleted()
        if (this.#isBehind && !this.follows) await this.#readFresh(turn)
        this.#notify()
      }
    } catch {
      // The old count stays until the next push.
    }
    this.#counts.timer = 0
  }

  #request(parameters) {
    return this.#app.api.get("/pushes", { ...parameters, fields: "summary" })
  }

  #notify() { this.dispatchEvent(new Event("changed")) }
}
