/// The pushes that are not yet in the table `search`.
///
/// Entries are divided into parts by key. A round writes each part as a row, one part at a time, so a search for a key
/// reads one row per round. `indexed` advances after the last part. After a crash, entries may be written twice, which
/// is harmless.
struct SearchBacklog {
    private var parts: [[SearchEntry]] = Array(repeating: [], count: SearchSegment.partCount)
    /// The last push of the last complete round.
    private(set) var indexed: UInt64
    /// The number of pushes added since the last round started.
    private(set) var pushCount = 0
    private var last: UInt64 = 0
    /// The next part to write, and the last push of the round; `nil` between rounds.
    private var round: (part: Int, last: UInt64)?

    init(indexed: UInt64) { self.indexed = indexed }

    /// Adds the entries of pushes, whose numbers must be higher than all before.
    mutating func add(_ entries: [SearchEntry], of pushes: Int, upTo last: UInt64) {
        for entry in entries { parts[SearchSegment.part(of: entry.key)].append(entry) }
        pushCount += pushes
        self.last = max(self.last, last)
    }

    /// Returns the numbers of waiting pushes with one of these keys, newest first.
    func pushes(_ keys: [Int64]) -> [UInt64] {
        let found = Set(keys).flatMap { key in
            parts[SearchSegment.part(of: key)].compactMap { $0.key == key ? $0.seq : nil }
        }
        return Array(Set(found)).sorted(by: >)
    }

    /// Returns the next part to write; `nil` if fewer than `least` pushes are waiting for a new round.
    ///
    /// For the last part of a round, the result includes the new value of `indexed`.
    mutating func next(atLeast least: Int) -> (part: Int, entries: [SearchEntry], indexed: UInt64?)? {
        if round == nil, pushCount >= least {
            round = (0, last)
            pushCount = 0
        }
        guard let round else { return nil }
        let isLast = round.part == SearchSegment.partCount - 1
        return (round.part, parts[round.part].sorted(), isLast ? round.last : nil)
    }

    /// Removes the part that was written.
    mutating func wrote() {
        guard let (part, last) = round else { return }
        parts[part] = []
        round = (part + 1, last)
        guard part + 1 == SearchSegment.partCount else { return }
        round = nil
        indexed = last
    }
}
