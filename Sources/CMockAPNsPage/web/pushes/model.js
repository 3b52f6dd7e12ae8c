// The rows of the list: pushes and marks by number, oldest first.

/// A row of the list: the summary of a push, or a mark.
///
/// `version` is incremented when the push changes, so that the row is redrawn.
class Entry {
  version = 0

  constructor(kind, seq, key, data) {
    this.kind = kind
    this.seq = seq
    this.key = key
    this.data = data
  }
}

export const pushEntry = (push) => new Entry("push", push.seq, push.id, push)

/// The row of a mark. It follows the push with the same number.
export function markEntry(mark) {
  return new Entry("mark", mark.seq, mark.id ?? `mark ${mark.seq} ${mark.at} ${mark.text}`, mark)
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
  pushesUpTo(seq) {
    let later = 0
    for (let at = this.#entries.length - 1; at >= 0 && this.#entries[at].seq > seq; at -= 1) {
      if (this.#entries[at].kind === "push") later += 1
    }
    return this.pushes - later
  }

  /// The index of a row, counted from the newest, or -1.
  indexOf(key) {
    const entry = this.#byKey.get(key)
    if (!entry) return -1
    const index = this.#entries.indexOf(entry, this.#firstAt(entry.seq))
    return index < 0 ? -1 : this.end - 1 - index
  }

  /// Replaces all rows. A push that stays keeps its entry, so that its element stays too.
  reset(entries, above = 0) {
    this.around(() => {
      this.above = above
      const before = this.#byKey
      this.#byKey = new Map()
      this.#entries = []
      this.pushes = 0
      this.#insert(entries.map((entry) => {
        const same = before.get(entry.key)
        if (!same) return entry
        become(same, entry.data)
        return same
      }))
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
    if (!entry) return false
    become(entry, push)
    return true
  }

  trim(firstSeq) {
    const end = this.#firstAt(firstSeq)
    if (end > 0) this.around(() => this.#drop(this.#entries.splice(0, end)))
  }

  /// Removes the rows for which `isKept` returns false.
  keep(isKept, above = this.above) {
    const gone = this.#entries.filter((entry) => !isKept(entry))
    if (gone.length === 0 && above === this.above) return
    this.around(() => {
      this.above = above
      this.#entries = this.#entries.filter(isKept)
      this.#drop(gone)
    })
  }

  /// The index of the next push from an index on, with `step` 1 or -1, or -1 if there is none.
  pushFrom(index, step) {
    let at = index
    while (this.at(at)?.kind === "mark") at += step
    return this.at(at) ? at : -1
  }

  #insert(entries) {
    const added = []
    for (const entry of entries) {
      // A mark may arrive twice: with its event and in the list of marks.
      if (this.#byKey.has(entry.key)) continue
      this.#byKey.set(entry.key, entry)
      added.push(entry)
      if (entry.kind === "push") this.pushes += 1
    }
    if (added.length === 0) return
    added.sort(inOrder)
    const old = this.#entries
    if (old.length === 0 || inOrder(old.at(-1), added[0]) <= 0) {
      for (const entry of added) old.push(entry)
    } else if (inOrder(added.at(-1), old[0]) <= 0) {
      this.#entries = added.concat(old)
    } else {
      this.#entries = old.concat(added).sort(inOrder)
    }
  }

  #drop(entries) {
    for (const entry of entries) {
      this.#byKey.delete(entry.key)
      if (entry.kind === "push") this.pushes -= 1
    }
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

function become(entry, data) {
  entry.data = data
  entry.version += 1
}
