// Reads pages of the journal into the model.

import { api } from "../core/core.js"
import { markEntry, Model, pushEntry } from "./model.js"

/// The number of pushes in a page, of those that fill the list at first, and the most that one update adds.
const PAGE = 200
const FIRST = 70
const MOST = 1_000
/// The number of marks that the server keeps.
const MARKS = 1_000
/// How many estimates of a page's number may miss before the range is halved instead.
const PATIENCE = 2

/// The matching pushes of the journal, of which the model has one part without gaps.
///
/// The methods resolve to whether the result still counts: `open` and `newest` supersede earlier requests.
export class Pages {
  model = new Model()
  q = ""
  /// The list starts after this number, if the URL has one.
  after = null
  /// Whether the oldest matching push is loaded.
  isWhole = false
  /// Whether what has left the server's memory is kept, and can be read.
  isKept = false
  /// How many pushes match, and how many there were in all.
  total = 0
  all = 0
  /// If no push matches, similar searches that match: `{q, count}`.
  suggestions = []
  /// All matching pushes up to this number are rows of the list, loaded or not.
  known = 0
  /// The number of the newest push or event that the server reported, and how many matching pushes are newer than
  /// `known`, when they were last counted.
  heard = 0
  fresh = 0
  /// The rows of the marks between the pushes by key, the oldest first.
  #marks = new Map()
  #turn = 0
  /// The state of the journal as of the last response.
  #journal = { evicted: 0, firstSeq: 1, lastSeq: 0 }
  #misses = 0

  /// How many pushes the journal has evicted.
  get evicted() { return this.#journal.evicted }
  get filter() { return { q: this.q, after: this.after } }
  /// Whether the server may have newer matching pushes.
  get isBehind() { return this.heard > this.known }

  /// Selects the pushes that match a search.
  open(q, after) {
    this.q = q
    this.after = after
    this.known = this.heard = 0
    this.#marks = new Map()
  }

  /// Removes all rows.
  forget() {
    this.#turn += 1
    this.model.reset([])
  }

  /// Loads the newest page instead of all that is loaded. `isWanted` is asked when the response has arrived.
  async newest(limit = FIRST, isWanted = () => true) {
    this.#turn += 1
    const from = api.seq
    const newest = this.#read({ ...this.filter, order: "desc", limit })
    const [answer] = await Promise.all([newest, this.#readMarks()])
    if (!answer || !isWanted()) return answer !== null
    this.#knows(Math.max(from, this.after ?? 0), answer.pushes[0])
    this.isKept = answer.journal.evicted > 0 && answer.evictedInWindow === 0
    this.isWhole = this.#isLast(answer, limit)
    this.total = answer.matched
    this.all = answer.total
    this.suggestions = answer.suggestions
    const oldest = this.isWhole ? 0 : answer.pushes.at(-1).seq
    this.model.reset(this.#entries(answer, oldest, Infinity))
    return true
  }

  /// Loads the page before the oldest push that is loaded.
  async older() {
    const { seq } = this.model.oldest
    const answer = await this.#read({ ...this.filter, before: seq, order: "desc", limit: PAGE })
    if (!answer) return false
    this.isWhole = this.#isLast(answer, PAGE)
    this.model.add(this.#entries(answer, this.isWhole ? 0 : answer.pushes.at(-1).seq, seq))
    return true
  }

  /// Loads the page after the newest push that is loaded.
  async newer() {
    const { seq } = this.model.newest
    const answer = await this.#read({ q: this.q, after: seq, before: this.known + 1, order: "asc", limit: PAGE })
    if (!answer) return false
    const above = answer.matched - answer.pushes.length
    this.model.add(this.#entries(answer, seq + 1, above ? answer.pushes.at(-1).seq : Infinity), above)
    return true
  }

  /// Loads the page around a row instead of all that is loaded. Its number is estimated, so it may take several steps.
  async around(index, rows) {
    const last = index + PAGE / 2
    const base = this.isKept ? this.#journal.firstSeq - 1 : this.after ?? 0
    const isEnd = last >= rows
    const after = isEnd ? base : this.#estimate(last, rows, Math.max(base, this.#journal.firstSeq - 1))
    const answer = await this.#read({ q: this.q, after, before: this.known + 1, order: "asc", limit: PAGE })
    if (!answer) return false
    const above = answer.matched - answer.pushes.length
    this.#misses = above > index || above + PAGE < index ? this.#misses + 1 : 0
    this.isWhole = isEnd && !this.isKept
    const [low, high] = [this.isWhole ? 0 : after + 1, above ? answer.pushes.at(-1).seq : Infinity]
    this.model.reset(this.#entries(answer, low, high), above)
    return true
  }

  /// Loads what is newer than `known`. Resolves to `more` if that is too much for one page.
  async later() {
    // Pushes that arrive during the request may be missing from the response.
    const from = api.seq
    const { known } = this
    const newer = this.#read({ q: this.q, after: known, order: "asc", limit: MOST })
    const [answer] = await Promise.all([newer, this.#readMarks()])
    if (!answer) return false
    if (answer.matched > answer.pushes.length) return "more"
    this.#knows(from, answer.pushes.at(-1))
    this.#addMatching(answer, this.#marksBetween(known, Infinity))
    return true
  }

  /// Loads the pushes with these numbers that match, for example a stored push that was delivered.
  async between(low, high) {
    const after = Math.max(low - 1, this.after ?? 0)
    const answer = await this.#read({ q: this.q, after, before: high + 1, limit: MOST })
    if (answer) this.#addMatching(answer)
    return answer !== null
  }

  /// Updates the newest rows after events were missed.
  async refresh() {
    const answer = await this.#read({ ...this.filter, before: this.known + 1, order: "desc", limit: MOST })
    if (!answer) return false
    for (const push of answer.pushes) this.model.update(push)
    return true
  }

  /// Removes the rows of deleted pushes.
  async removeDeleted() {
    const { oldest, newest } = this.model
    const there = new Set()
    for (let after = oldest ? oldest.seq - 1 : null; after !== null;) {
      const answer = await this.#read({ q: this.q, after, before: newest.seq + 1, order: "asc", limit: MOST })
      if (!answer) return false
      for (const { id } of answer.pushes) there.add(id)
      after = answer.pushes.length < answer.matched ? answer.pushes.at(-1).seq : null
    }
    let { above } = this.model
    if (above > 0) {
      const left = await this.#read({ q: this.q, after: newest.seq, before: this.known + 1, limit: 1 })
      if (!left) return false
      above = left.matched
    }
    this.model.keep(({ kind, seq, key }) => kind === "mark" || seq > newest.seq || there.has(key), above)
    return true
  }

  /// Counts the matching pushes and those that are newer than `known`, and removes the rows of those that were evicted.
  async count() {
    const { q, known } = this
    const read = (parameters) => this.#read(parameters, "/pushes/count")
    const [answer, newer] = await Promise.all([read(this.filter), this.isBehind ? read({ q, after: known }) : null])
    if (!answer) return false
    const { count, journal } = answer
    this.total = count
    if (newer && this.known === known) this.fresh = newer.count
    if (journal.evicted && !this.isKept) this.model.keep(({ seq }) => seq >= journal.firstSeq)
    return true
  }

  /// Whether pushes were deleted elsewhere. Those that arrived after the count are not considered.
  get hasDeleted() { return !this.q && this.total < this.model.above + this.model.pushesUpTo(this.#journal.lastSeq) }

  /// Adds the newest push, which matches.
  arrived(push) {
    this.known = push.seq
    this.#addMatching({ pushes: [push] })
  }

  /// Adds a mark, and its row if the list is to show it.
  marked(mark, isShown) {
    const entry = markEntry(mark)
    this.#keepMarks([...this.#marks.values(), entry])
    if (isShown) this.model.add([entry])
  }

  /// Keeps the newest marks, and removes the rows of the others. A mark may arrive twice.
  #keepMarks(entries) {
    const known = new Map(entries.map((entry) => [entry.key, entry]))
    this.#marks = new Map([...known].sort(([, a], [, b]) => a.seq - b.seq).slice(-MARKS))
    this.model.keep(({ kind, key }) => kind === "push" || this.#marks.has(key))
  }

  /// Reads the marks that may be new. Without them, the list is shown all the same.
  async #readMarks() {
    const turn = this.#turn
    const answer = await api.get("/marks", { after: this.known }).catch(() => null)
    if (answer && turn === this.#turn) this.#keepMarks([...this.#marks.values(), ...answer.marks.map(markEntry)])
  }

  /// Returns a response, or `null` if it is superseded.
  async #read(parameters, path = "/pushes") {
    const turn = this.#turn
    const fields = path === "/pushes" ? "summary" : null
    try {
      const answer = await api.get(path, { ...parameters, fields })
      if (turn !== this.#turn) return null
      this.#journal = answer.journal
      return answer
    } catch (error) {
      if (turn !== this.#turn) return null
      throw error
    }
  }

  /// The rows of a page, with the marks from number `low` up to, but not including, `high`.
  #entries(answer, low, high) { return [...answer.pushes.map(pushEntry), ...this.#marksBetween(low, high)] }

  #marksBetween(low, high) { return [...this.#marks.values()].filter(({ seq }) => seq >= low && seq < high) }

  /// The list has all rows up to the number `from` and up to a push.
  #knows(from, push) {
    this.known = Math.max(this.known, from, push?.seq ?? 0)
    this.fresh = 0
  }

  #addMatching({ pushes }, marks = []) {
    this.total += pushes.filter((push) => !this.model.get(push.id)).length
    this.model.add([...pushes.map(pushEntry), ...marks])
  }

  /// Whether nothing is older than a page. `matched` counts what is in memory, and what is on the page.
  #isLast(answer, limit) {
    const isFull = answer.pushes.length >= limit
    return answer.pushes.length >= answer.matched && !(this.isKept && isFull)
  }

  /// The number of the push in a row that is not loaded, estimated between the rows whose numbers are known.
  #estimate(index, rows, base) {
    const { above, end, newest, oldest } = this.model
    const known = [[0, this.known + 1], [above, newest.seq], [end - 1, oldest.seq], [rows, base]]
    const at = Math.max(1, known.findIndex(([row]) => row > index))
    const [[row, seq], [nextRow, nextSeq]] = [known[at - 1], known[at]]
    const share = this.#misses > PATIENCE ? 0.5 : (index - row) / Math.max(1, nextRow - row)
    return Math.max(base, Math.round(seq + share * (nextSeq - seq)))
  }
}
