// Keeps the list in step with the journal: loads pages, adds new pushes, and shows a sample when too many arrive.

import { actions, toasts } from "../core/actions.js"
import { live } from "../core/live.js"
import { search } from "../core/search-field.js"
import { soon } from "../core/soon.js"
import { Pages } from "./pages.js"
import { INTERVAL, PushRate } from "./push-rate.js"

/// How close to the end of the loaded rows more are loaded, and how far beyond it other rows are loaded instead.
const NEAR = 40
const FAR = 200
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

/// The content of the list: decides when pushes are loaded.
///
/// Without a search, pushes from events are added directly. With a search, only the server knows what matches, so
/// events trigger a request. The event `changed` means that the list has to be redrawn.
export class Feed extends EventTarget {
  pages = new Pages()
  isPaused = false
  isAtTop = true
  /// Whether the newest pushes are being loaded, also before the first time.
  isLoading = true
  isSampling = false
  /// How many new pushes are not shown yet.
  fresh = 0
  /// Pushes in the last second.
  rate = 0
  error = null

  #mustRemoveDeleted = false
  #arrived = new Map()
  #isBehind = false
  #hasMissed = false
  #rate = new PushRate()
  /// When loading while scrolling failed, until it is tried again.
  #failedAt = null
  /// The range of numbers of pushes that changed and may match now.
  #changed = null
  /// How long the last request of a search took.
  #took = 0
  #requestIn = soon(() => this.#request())
  #countSoon = soon(() => this.#count(), COUNT)
  #sampledAt = 0

  constructor() {
    super()
    setInterval(() => this.#update(), INTERVAL)
    actions.addEventListener("done", ({ detail }) => {
      const deletes = ({ method, path }) => method === "DELETE" && path.startsWith("/pushes")
      if (detail.calls.some(deletes)) this.#removeDeleted()
    })
    live.addEventListener("status", ({ detail }) => {
      // An error response would be the same again.
      if (detail.state === "live" && this.error && !this.error.status) this.load()
      if (detail.state === "live") this.retryOlder()
    })
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#catchUpSoon()
    })
  }

  get model() { return this.pages.model }
  get q() { return this.pages.q }
  get after() { return this.pages.after }
  get filter() { return this.pages.filter }
  get total() { return this.pages.total }
  get follows() { return this.isAtTop && this.model.above === 0 && !this.isPaused && !document.hidden }

  /// The number of rows of the list, loaded or not.
  get rows() {
    const { above, pushes, end } = this.model
    if (this.isSampling || pushes === 0) return end
    return this.pages.isWhole ? end : end + Math.max(1, this.total - this.fresh - above - pushes)
  }

  /// Shows the pushes that match a search.
  open(q, after) {
    this.pages.open(q, after)
    return this.load()
  }

  /// Removes all rows: they belong to another namespace or another run of the server.
  forget() { this.pages.forget() }

  /// Reloads the newest page. A sample is dropped if the user has scrolled meanwhile.
  async load(sample = null) {
    this.isLoading = true
    this.error = null
    this.#failedAt = null
    this.#arrived.clear()
    this.#isBehind = false
    this.#notify()
    try {
      const isWanted = () => sample === null || this.follows
      const options = sample === null ? {} : { limit: sample, withMarks: false, isWanted }
      if (!(await this.pages.newest(options))) return
      if (isWanted()) this.fresh = 0
      else this.#isBehind = true
      search.problem(null)
    } catch (error) {
      if (error.status === 400 && this.q) search.problem(error)
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
    this.isLoading = true
    try {
      if (!(await this.pages.removeDeleted())) return
      this.#countSoon()
    } catch {
      // The server is not responding. The next count shows again that rows are missing.
    }
    if (this.model.pushes === 0) this.load()
    else this.#loaded()
  }

  /// Loads what is missing of these rows.
  async need(first, last) {
    const { pages, model, rows } = this
    if (this.isLoading || this.isSampling || this.#failedAt !== null) return undefined
    if (model.pushes === 0) return this.total > 0 ? this.load() : undefined
    const isFar = first > model.end + FAR || last < model.above - FAR
    const isBelow = !pages.isWhole && last + NEAR >= model.end
    if (isFar && first < FAR) return this.load()
    if (!isFar && !isBelow && (model.above === 0 || first - NEAR >= model.above)) return undefined
    this.isLoading = true
    try {
      const load = isFar ? pages.around(first, rows) : isBelow ? pages.older() : pages.newer()
      if (!(await load)) return undefined
    } catch (error) {
      toasts.problem(error)
      this.#failedAt = Date.now()
    }
    return this.#loaded()
  }

  /// Allows another attempt to load rows, after scrolling or reconnecting.
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
    if (isNew && message.seq > this.pages.known) {
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
    this.#isBehind = this.#hasMissed = true
    this.#countSoon()
    this.#requestSoon()
  }

  /// Adds the pushes that arrived since the last frame. Called before each redraw.
  settle() {
    if (this.#arrived.size === 0) return
    const pushes = [...this.#arrived.values()]
    this.#arrived.clear()
    this.pages.arrived(pushes)
    this.#notify()
  }

  #handle(push, isNew) {
    if (push.seq <= this.pages.known) {
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
    const { oldest, newest, above } = this.model
    if (oldest && (!this.pages.isWhole && seq < oldest.seq || above > 0 && seq > newest.seq)) return
    const [low, high] = this.#changed ?? [seq, seq]
    this.#changed = [Math.min(low, seq), Math.max(high, seq)]
    this.#requestSoon()
  }

  #marked(mark) {
    // The marks that are just being read may not include it.
    this.#isBehind ||= this.isLoading
    this.settle()
    this.pages.marked(mark, this.follows && !this.isSampling)
    this.#notify()
  }

  #catchUpSoon() {
    if (this.#isBehind) this.#requestSoon(0)
  }

  #requestSoon(pause = REPEAT) {
    // A slow search is repeated less often.
    if (!this.isSampling) this.#requestIn(Math.max(pause, 4 * this.#took))
  }

  async #request() {
    if (this.isLoading) return
    const began = performance.now()
    try {
      if (this.#changed) await this.#readChanged()
      if (this.#isBehind && this.follows) await this.#catchUp()
      else if (this.#isBehind && !document.hidden) await this.#readFresh()
    } catch {
      // The server is not responding. Reconnecting leads here again.
      this.#isBehind = true
    }
    this.#took = performance.now() - began
    // Pushes that changed during this request are still to be read.
    if (this.#changed) this.#requestSoon()
    this.#notify()
  }

  /// Adds all newer pushes, or reloads the newest page if there are too many.
  async #catchUp() {
    this.#isBehind = false
    const result = await this.pages.later()
    if (result === "more") await this.load()
    if (result !== true) return
    this.fresh = 0
    if (!this.#hasMissed) return
    this.#hasMissed = false
    await this.pages.refresh()
  }

  /// Reads the number of new pushes. With a search or at a high rate, only the server knows it.
  async #readFresh() { this.fresh = (await this.pages.fresh()) ?? this.fresh }

  async #readChanged() {
    const [low, high] = this.#changed
    this.#changed = null
    await this.pages.between(low, high)
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
    await this.load(SAMPLED)
    this.#sampledAt = Date.now() + Math.min(LATEST, Math.max(SAMPLE, 4 * (performance.now() - began)))
  }

  async #count() {
    if (document.hidden) return
    const { known } = this.pages
    try {
      if (await this.pages.count()) {
        if (this.pages.hasDeleted) this.#removeDeleted()
        if (this.#isBehind && !this.follows) await this.#readFresh()
        this.#notify()
      }
    } catch {
      // The old count stays until the next push.
    }
    // The response may not include what arrived meanwhile.
    if (this.pages.known > known) this.#countSoon()
  }

  #notify() { this.dispatchEvent(new Event("changed")) }
}
