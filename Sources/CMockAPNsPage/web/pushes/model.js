// The rows of the list: pushes and marks by number, oldest first.

/// The row of a push, with its summary.
export function pushEntry(push) { return { kind: "push", seq: push.seq, key: push.id, data: push } }

/// The row of a mark. It follows the push with the same number.
export function markEntry(mark) {
  return { kind: "mark", seq: mark.seq, key: mark.id ?? `mark ${mark.seq} ${mark.at} ${mark.text}`, data: mark }
}

/// The rows that are loaded, without gaps. They are stored oldest first, so that new rows are appended cheaply, but
/// their indexes count from the newest, also of those that are not loaded.
export class Model {
  /// How many of the loaded rows are pushes.
  pushes = 0
  /// How many newer rows are not loaded.
  above = 0
  /// Wraps each change of the rows, so that the list can keep its scroll position.
  around = (change) => change()
  #entries = []
  #byKey = new Map()

  get length() { return this.#entries.length }
  /// The index after the last loaded row.
  get end() { return this.above + this.#entries.length }
  get oldest() { return this.#entries.find((entry) => entry.kind === "push") ?? null }
  get newest() { return this.#entries.findLast((entry) => entry.kind === "push") ?? null }

  /// The row at an index, counted from the newest; `null` if it is not loaded.
  at(index) { return this.#entries[this.end - 1 - index] ?? null }

  get(key) { return this.#byKey.get(key) ?? null }

  /// The key of the push with a number, or `null`.
  keyOf(seq) {
    const entry = this.#entries[this.#firstAt(seq)]
    return entry?.kind === "push" && entry.seq === seq ? entry.key : null
  }

  /// How many pushes have this number or a smaller one.
  pushesUpTo(most) { return this.#entries.filter(({ kind, seq }) => kind === "push" && seq <= most).length }

  /// The index of a row, counted from the newest, or -1.
  indexOf(key) {
    const entry = this.#byKey.get(key)
    if (!entry) return -1
    const index = this.#entries.indexOf(entry, this.#firstAt(entry.seq))
    return index < 0 ? -1 : this.end - 1 - index
  }

  /// Replaces all rows.
  reset(entries, above = 0) {
    this.around(() => {
      this.above = above
      this.pushes = 0
      this.#entries = []
      this.#byKey.clear()
      this.#insert(entries)
    })
  }

  /// Adds rows at their positions. Known rows are skipped.
  add(entries, above = this.above) {
    if (entries.length === 0 && above === this.above) return
    this.around(() => {
      this.above = above
      this.#insert(entries)
    })
  }

  /// Updates a push. Returns whether it is in the list.
  update(push) {
    const entry = this.#byKey.get(push.id)
    if (entry) entry.data = push
    return Boolean(entry)
  }

  /// Removes the rows for which `isKept` returns false.
  keep(isKept, above = this.above) {
    const gone = this.#entries.filter((entry) => !isKept(entry))
    if (gone.length === 0 && above === this.above) return
    this.around(() => {
      this.above = above
      this.#entries = this.#entries.filter(isKept)
      for (const { key, kind } of gone) {
        this.#byKey.delete(key)
        if (kind === "push") this.pushes -= 1
      }
    })
  }

  /// The index of the next push from an index on, with `step` 1 or -1, or -1 if there is none.
  pushFrom(index, step) {
    let at = index
    while (this.at(at)?.kind === "mark") at += step
    return this.at(at) ? at : -1
  }

  #insert(entries) {
    // A mark may arrive twice: with its event and in the list of marks.
    const added = entries.filter(({ key }) => !this.#byKey.has(key)).sort(inOrder)
    if (added.length === 0) return
    const newest = this.#entries.at(-1)
    for (const entry of added) {
      this.#byKey.set(entry.key, entry)
      this.#entries.push(entry)
      if (entry.kind === "push") this.pushes += 1
    }
    if (newest && inOrder(newest, added[0]) > 0) this.#entries.sort(inOrder)
  }

  /// The index, counted from the oldest, of the first row with this number or a larger one.
  #firstAt(seq) {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#entries[middle].seq < seq) low = middle + 1
      else high = middle
    }
    return low
  }
}

function inOrder(a, b) {
  return a.seq - b.seq || (a.kind === "mark") - (b.kind === "mark")
}
