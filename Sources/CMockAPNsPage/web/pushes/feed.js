// Keeps the list's model and the journal together: loads, goes on, goes back, and keeps calm when much arrives.

import { Marks } from "./marks.js"
import { Model, markEntry, pushEntry } from "./model.js"
import { BEAT, Pace } from "./pace.js"

/// How many pushes a page of the list has, and a catching up at most.
const PAGE = 200
const MOST = 1_000
/// From how many pushes in a second on the list shows a sample, and below how many it shows all again.
const FLOOD = 200
const CALM = 100
/// How long what went wrong is not tried again, however much the reader scrolls.
const REST = 1_000
/// How often, at most, a search is repeated, the newest are sampled (and how many), and pushes are counted.
const REPEAT = 150
const SAMPLE = 500
const SAMPLED = 50
/// After which time there is another sample, however slow they are: what stands here for long may be evicted.
const LATEST = 3_000
const COUNT = 1_000

/// What the list knows, and how it comes to know it.
///
/// Without a search, what events bring is shown as it is. With one, only the server can tell what fits: then events
/// say when to ask. Its event `changed` says that there is something to draw.
export class Feed extends EventTarget {
  model = new Model()
  q = ""
  /// The list begins behind this number, where the address says so.
  after = null
  isPaused = false
  /// Whether the newest line is in view.
  isAtTop = true
  isLoading = false
  /// Whether there is nothing older.
  isWhole = false
  isSampling = false
  /// How many arrived that are not shown yet.
  fresh = 0
  /// How many there are that fit, and how many the journal had to drop.
  total = 0
  evicted = 0
  /// Pushes in the last second.
  rate = 0
  /// What kept the list from being loaded.
  error = null

  #app
  #turn = 0
  /// All that fits up to this number is in the model.
  #known = 0
  #marks
  #mustSift = false
  #arrived = new Map()
  #isBehind = false
  #hasMissed = false
  #pace
  /// When what is older could not be loaded, until that is tried again.
  #failedAt = null
  /// The numbers of pushes that may fit now and did not before.
  #changed = null
  #asks = { timer: 0, isOut: false, took: 0 }
  #counts = { timer: 0 }
  #sampledAt = 0

  constructor(app) {
    super()
    this.#app = app
    this.#pace = new Pace(app.api)
    this.#marks = new Marks(app.api)
    setInterval(() => this.#beat(), BEAT)
    app.actions.addEventListener("done", ({ detail }) => {
      const deletes = ({ method, path }) => method === "DELETE" && path.startsWith("/pushes")
      if (detail.calls.some(deletes)) this.#sift()
    })
    app.live.addEventListener("status", ({ detail }) => {
      // What the API refused, it would refuse again.
      if (detail.state === "live" && this.error && !this.error.status) this.load()
      if (detail.state === "live") this.retryOlder()
    })
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#catchUpSoon()
    })
  }

  get follows() { return this.isAtTop && !this.isPaused && !document.hidden }
  get filter() { return { q: this.q, after: this.after } }

  /// Shows what fits a search.
  open(q, after) {
    this.q = q
    this.after = after
    this.#marks = new Marks(this.#app.api)
    return this.load()
  }

  /// What is shown is of another namespace, or another run of the server.
  forget() {
    this.#turn += 1
    this.model.reset([])
  }

  /// Loads the newest page anew. A sample is thrown away where the reader went on reading meanwhile.
  async load(limit = PAGE, { isSample = false } = {}) {
    const turn = this.#turn += 1
    this.isLoading = true
    this.error = null
    this.#failedAt = null
    this.#arrived.clear()
    this.#isBehind = false
    this.#say()
    const from = this.#app.api.seq
    try {
      const marks = isSample ? null : this.#marks.read()
      const answer = await this.#ask({ ...this.filter, order: "desc", limit })
      await marks
      if (turn !== this.#turn) return
      if (isSample && !this.follows) {
        this.#isBehind = true
        return this.#loaded()
      }
      this.#known = Math.max(from, answer.pushes[0]?.seq ?? 0)
      this.isWhole = answer.pushes.length >= answer.matched
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
    if (this.#mustSift) this.#sift()
    else this.#catchUpSoon()
    this.#say()
  }

  /// Something is gone: asks which of the lines are still there, so that who reads stays where they are.
  async #sift() {
    this.#mustSift = this.isLoading
    if (this.isLoading) return
    const { oldest, newest } = this.model
    const [turn, there] = [this.#turn, new Set()]
    this.isLoading = true
    try {
      for (let after = oldest ? oldest.seq - 1 : null; after !== null;) {
        const answer = await this.#ask({ q: this.q, after, before: newest.seq + 1, order: "asc", limit: MOST })
        if (turn !== this.#turn) return
        for (const { id } of answer.pushes) there.add(id)
        after = answer.pushes.length < answer.matched ? answer.pushes.at(-1).seq : null
      }
      this.model.keep(({ kind, seq, key }) => kind === "mark" || seq > newest.seq || there.has(key))
      this.#countSoon()
    } catch {
      // The server is away; the next count sees that there are fewer than lines.
      if (turn !== this.#turn) return
    }
    if (this.model.pushes === 0) this.load()
    else this.#loaded()
  }

  /// Loads the page behind the oldest line.
  async older() {
    const { oldest } = this.model
    if (this.isWhole || this.isLoading || this.#failedAt !== null || !oldest) return
    const turn = this.#turn
    this.isLoading = true
    try {
      const answer = await this.#ask({ ...this.filter, before: oldest.seq, order: "desc", limit: PAGE })
      if (turn !== this.#turn) return
      this.isWhole = answer.pushes.length >= answer.matched
      const first = this.isWhole ? 0 : answer.pushes.at(-1).seq
      this.model.add([...answer.pushes.map(pushEntry), ...this.#marks.entries(first, oldest.seq)])
    } catch (error) {
      if (turn !== this.#turn) return
      this.#app.toasts.problem(error)
      this.#failedAt = Date.now()
    }
    this.#loaded()
  }

  /// The reader scrolls on, or the server is back: what is older may be had now.
  retryOlder() {
    if (this.#failedAt === null || Date.now() < this.#failedAt + REST) return
    this.#failedAt = null
    this.#say()
  }

  /// The reader goes to the newest, or away from it; pauses, or goes on.
  move({ isAtTop = this.isAtTop, isPaused = this.isPaused }) {
    const followed = this.follows
    this.isAtTop = isAtTop
    this.isPaused = isPaused
    if (this.isSampling && !this.follows) this.#isBehind = true
    if (this.follows && !followed) this.#catchUpSoon()
    this.#say()
  }

  message(message) {
    if (message.type === "mark") this.#marked(message.data)
    if (!message.type.startsWith("push.")) return
    const isNew = message.type === "push.received"
    if (isNew && message.seq > this.#known) {
      this.#pace.heard()
      this.#countSoon()
    }
    if (this.isLoading || this.isSampling || document.hidden || this.rate > FLOOD) {
      this.#isBehind = this.#hasMissed = true
      if (isNew && !this.q && !this.follows) this.fresh += 1
      return
    }
    this.#take(message.data, isNew)
  }

  /// Events were left out: what they told of is asked for, when the reader is where it goes.
  miss() {
    this.#isBehind = this.#hasMissed = true
    this.#countSoon()
    this.#askSoon()
  }

  /// Puts on the list what came since the last frame. The list calls this before it draws.
  settle() {
    if (this.#arrived.size === 0) return
    const pushes = [...this.#arrived.values()]
    this.#arrived.clear()
    this.model.add(pushes.map(pushEntry))
    for (const push of pushes) this.#known = Math.max(this.#known, push.seq)
    this.total += pushes.length
    this.#say()
  }

  #take(push, isNew) {
    if (push.seq <= this.#known) {
      if (!this.model.update(push) && this.q) this.#lookAgain(push.seq)
    } else if (!this.q && this.follows && !this.#isBehind) {
      if (this.after === null || push.seq > this.after) this.#arrived.set(push.id, push)
    } else {
      this.#isBehind = true
      if (this.q) this.#askSoon()
      else if (isNew) this.fresh += 1
    }
    this.#say()
  }

  #lookAgain(seq) {
    const { oldest } = this.model
    if (!this.isWhole && oldest && seq < oldest.seq) return
    const [low, high] = this.#changed ?? [seq, seq]
    this.#changed = [Math.min(low, seq), Math.max(high, seq)]
    this.#askSoon()
  }

  #marked(mark) {
    const gone = this.#marks.add(mark)
    if (this.model.get(gone)) this.model.keep(({ key }) => key !== gone)
    if (!this.follows || this.isSampling) return
    this.settle()
    this.model.add([markEntry(mark)])
    this.#say()
  }

  #catchUpSoon() {
    if (this.#isBehind) this.#askSoon(0)
  }

  #askSoon(pause = REPEAT) {
    if (this.#asks.timer || this.isSampling) return
    // A search that takes long is repeated less often.
    this.#asks.timer = setTimeout(() => this.#askAgain(), Math.max(pause, 4 * this.#asks.took))
  }

  async #askAgain() {
    this.#asks.timer = 0
    if (this.#asks.isOut || this.isLoading) return
    const turn = this.#turn
    const began = performance.now()
    this.#asks.isOut = true
    try {
      if (this.#changed) await this.#readChanged(turn)
      if (this.#isBehind && this.follows) await this.#catchUp(turn)
      else if (this.#isBehind && !document.hidden) await this.#readFresh(turn)
    } catch {
      // The server is away: when it is back, the stream goes on and brings the page here again.
      this.#isBehind = true
    }
    this.#asks.isOut = false
    this.#asks.took = performance.now() - began
    // What changed while this was under way found nobody to ask.
    if (this.#changed) this.#askSoon()
    this.#say()
  }

  /// Adds all that came behind what is known; where that is too much, begins anew with the newest.
  async #catchUp(turn) {
    const known = this.#known
    // What arrives while the server looks may be missing from its answer.
    const from = this.#app.api.seq
    this.#isBehind = false
    const after = Math.max(known, this.after ?? 0)
    const answer = await this.#ask({ q: this.q, after, order: "asc", limit: MOST })
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
    if (this.#hasMissed) await this.#renew(turn)
  }

  /// How many are new: with a search, or when much comes, only the server knows.
  async #readFresh(turn) {
    const after = Math.max(this.#known, this.after ?? 0)
    const { count } = await this.#app.api.get("/pushes/count", { q: this.q, after })
    if (turn === this.#turn) this.fresh = count
  }

  /// What did not fit before may fit now: a stored push that is delivered.
  async #readChanged(turn) {
    const [low, high] = this.#changed
    this.#changed = null
    const after = Math.max(low - 1, this.after ?? 0)
    const answer = await this.#ask({ q: this.q, after, before: high + 1, limit: MOST })
    if (turn !== this.#turn) return
    this.total += answer.pushes.filter((push) => !this.model.get(push.id)).length
    this.model.add(answer.pushes.map(pushEntry))
  }

  /// Reads the newest lines again: what became of them while nobody listened.
  async #renew(turn) {
    this.#hasMissed = false
    const answer = await this.#ask({ ...this.filter, before: this.#known + 1, order: "desc", limit: MOST })
    if (turn !== this.#turn) return
    for (const push of answer.pushes) this.model.update(push)
  }

  #beat() {
    this.rate = this.#pace.beat()
    const wasSampling = this.isSampling
    this.isSampling = this.follows && this.rate > (wasSampling ? CALM : FLOOD)
    if (this.isSampling && !this.isLoading && Date.now() >= this.#sampledAt) this.#sample()
    if (wasSampling && !this.isSampling) {
      if (this.follows) this.load()
      else this.#isBehind = true
    } else if (!this.isSampling && this.#isBehind && this.follows && !this.isLoading) {
      this.#askSoon()
    }
    if (this.rate > 0 && !this.follows) this.#countSoon()
    if (this.isSampling || wasSampling) this.#say()
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
        if (journal.evicted) this.model.trim(journal.firstSeq)
        // Somebody else deleted some. What came since it was counted is not meant.
        if (!this.q && count < this.model.pushesUpTo(journal.lastSeq)) this.#sift()
        if (this.#isBehind && !this.follows) await this.#readFresh(turn)
        this.#say()
      }
    } catch {
      // The old number stands until the next push.
    }
    this.#counts.timer = 0
  }

  #ask(parameters) {
    return this.#app.api.get("/pushes", { ...parameters, fields: "summary" })
  }

  #say() { this.dispatchEvent(new Event("changed")) }
}
