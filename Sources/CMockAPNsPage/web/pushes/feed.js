// Keeps the list in step with the journal: loads pages, adds new pushes, and shows a sample when too many arrive.

import { actions, live, search, soon, toasts } from "../core/core.js"
import { Pages } from "./pages.js"
import { PushRate } from "./push-rate.js"

/// How close to the end of the loaded rows more are loaded, and how far beyond it other rows are loaded instead.
const NEAR = 40
const FAR = 200
/// How often the rate of pushes is measured. All times are in milliseconds.
const INTERVAL = 250
/// Above FLOOD pushes per second the list shows a sample; below CALM it shows all pushes again.
const FLOOD = 200
const CALM = 100
/// The pause before a failed page is loaded again while scrolling.
const REST = 1_000
/// The shortest interval between two requests of newer pushes, and between two counts.
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
  /// Whether rows are being loaded, also before the first time.
  isLoading = true
  isSampling = false
  /// Pushes in the last second.
  rate = 0
  error = null

  #mustRemoveDeleted = false
  /// Whether events were missed, which may have changed rows, or added marks.
  #hasMissed = false
  #rate = new PushRate()
  /// When loading failed.
  #failedAt = 0
  /// The range of numbers of pushes that changed and may match now.
  #changed = null
  /// How long the last request took.
  #took = 0
  #requestIn = soon(() => this.#request())
  #countSoon = soon(() => this.#count(), COUNT)

  constructor() {
    super()
    setInterval(() => this.#update(), INTERVAL)
    actions.addEventListener("done", ({ detail }) => {
      const deletes = ({ method, path }) => method === "DELETE" && path.startsWith("/pushes")
      if (detail.calls.some(deletes)) this.#removeDeleted()
    })
    live.addEventListener("status", ({ detail }) => {
      if (detail.state !== "live") return
      // An error response would be the same again.
      if (this.error && !this.error.status) this.load()
      else this.#notify()
    })
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#requestSoon(0)
    })
  }

  get model() { return this.pages.model }
  get q() { return this.pages.q }
  get after() { return this.pages.after }
  get filter() { return this.pages.filter }
  get total() { return this.pages.total }
  /// How many new pushes are not shown yet.
  get fresh() { return this.pages.fresh }
  get follows() { return this.isAtTop && this.model.above === 0 && !this.isPaused && !document.hidden }

  /// Whether rows may be missing or out of date.
  get #isBehind() { return this.pages.isBehind || this.#hasMissed }

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

  /// Reloads the newest page.
  load() {
    this.error = null
    this.#failedAt = 0
    this.#hasMissed = false
    this.#notify()
    return this.#loading(async () => {
      const counts = await this.pages.newest()
      if (counts) search.problem(null)
      return counts
    }, (error) => {
      if (error.status === 400 && this.q) search.problem(error)
      this.error = error
      this.#failedAt = Date.now()
    })
  }

  /// Loads rows with `work`, which resolves to whether its result still counts: if not, another load has begun. Events
  /// meanwhile are caught up with.
  async #loading(work, onError) {
    this.isLoading = true
    try {
      if (!(await work())) return
    } catch (error) {
      onError(error)
    }
    this.isLoading = false
    if (this.#mustRemoveDeleted) this.#removeDeleted()
    this.#requestSoon(0)
    this.#notify()
  }

  /// Removes the rows of deleted pushes and keeps the scroll position.
  #removeDeleted() {
    this.#mustRemoveDeleted = this.isLoading
    if (this.isLoading) return
    this.#loading(async () => {
      const counts = await this.pages.removeDeleted()
      this.#countSoon()
      return counts && this.model.pushes === 0 ? this.pages.newest() : counts
    }, () => {
      // The server is not responding. The next count shows again that rows are missing.
    })
  }

  /// Loads what is missing of these rows.
  async need(first, last) {
    const { pages, model, rows } = this
    if (this.isLoading || this.isSampling || Date.now() < this.#failedAt + REST) return undefined
    if (model.pushes === 0) return this.total > 0 ? this.load() : undefined
    const isFar = first > model.end + FAR || last < model.above - FAR
    const isBelow = !pages.isWhole && last + NEAR >= model.end
    if (isFar && first < FAR) return this.load()
    if (!isFar && !isBelow && (model.above === 0 || first - NEAR >= model.above)) return undefined
    return this.#loading(() => isFar ? pages.around(first, rows) : isBelow ? pages.older() : pages.newer(), (error) => {
      toasts.problem(error)
      this.#failedAt = Date.now()
    })
  }

  /// The user scrolled to or away from the newest row, or paused or resumed the list.
  move({ isAtTop = this.isAtTop, isPaused = this.isPaused }) {
    this.isAtTop = isAtTop
    this.isPaused = isPaused
    if (this.follows) this.#requestSoon(0)
    this.#notify()
  }

  message(message) {
    const { pages } = this
    const { type, seq } = message
    if (type === "mark") {
      pages.marked(message.data, this.follows && !this.isSampling)
      this.#notify()
    }
    if (!type.startsWith("push.")) return
    // Whether pushes before this one are missing.
    const isBehind = this.#isBehind
    if (type === "push.received" && seq > pages.known) {
      pages.heard = seq
      this.#rate.count()
      this.#countSoon()
    }
    if (this.isLoading || this.isSampling || document.hidden || this.rate > FLOOD) this.#hasMissed = true
    else this.#handle(message.data, isBehind)
  }

  /// Events were left out: loads what they reported once the newest row is in view.
  eventsMissed() {
    this.pages.heard = live.seq
    this.#hasMissed = true
    this.#countSoon()
    this.#requestSoon()
  }

  /// Shows an event of a push. A new push is added directly, unless earlier ones have to be loaded first.
  #handle(push, isBehind) {
    const { pages, q } = this
    if (push.seq <= pages.known) {
      if (!this.model.update(push) && q) this.#recheck(push.seq)
    } else if (!q && !isBehind && this.follows) {
      pages.arrived(push)
    } else {
      this.#requestSoon()
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

  /// Slow requests are repeated less often.
  #requestSoon(pause = REPEAT) {
    const [least, most] = this.isSampling ? [SAMPLE, LATEST] : [pause, Infinity]
    this.#requestIn(Math.min(most, Math.max(least, 4 * this.#took)))
  }

  /// Brings the list up to date: loads what is newer or has changed, or another sample.
  async #request() {
    const isNeeded = this.isSampling || this.#changed || this.#isBehind
    // An invalid search stays invalid.
    if (!isNeeded || this.isLoading || this.error?.status === 400) return
    const began = performance.now()
    try {
      if (this.isSampling) await this.#sample()
      else if (this.#changed) await this.#readChanged()
      if (this.#isBehind && !this.isSampling) await (this.follows ? this.#catchUp() : this.#count())
    } catch {
      // The server is not responding. This is tried again.
      this.#hasMissed = true
    }
    this.#took = performance.now() - began
    // Pushes that changed during this request are still to be read.
    if (this.#changed) this.#requestSoon()
    this.#notify()
  }

  /// Loads the newest pushes. They are dropped if the user has scrolled meanwhile.
  #sample() {
    return this.#loading(() => this.pages.newest(SAMPLED, () => this.follows), () => {
      // The next sample is soon.
    })
  }

  /// Adds all newer pushes, or reloads the newest page if there are too many.
  async #catchUp() {
    const hasMissed = this.#hasMissed
    this.#hasMissed = false
    const result = await this.pages.later()
    if (result === "more") await this.load()
    else if (result && hasMissed) await this.pages.refresh()
  }

  async #readChanged() {
    const [low, high] = this.#changed
    this.#changed = null
    await this.pages.between(low, high)
  }

  #update() {
    this.rate = this.#rate.update()
    const wasSampling = this.isSampling
    this.isSampling = this.follows && this.rate > (wasSampling ? CALM : FLOOD)
    if (this.isSampling || this.#isBehind && this.follows) this.#requestSoon()
    if (this.isSampling || wasSampling) this.#notify()
  }

  /// Counts the pushes that match and those that are new. With a search or at a high rate, only the server knows.
  async #count() {
    if (document.hidden) return
    const { known } = this.pages
    try {
      if (await this.pages.count()) {
        if (this.pages.hasDeleted) this.#removeDeleted()
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
