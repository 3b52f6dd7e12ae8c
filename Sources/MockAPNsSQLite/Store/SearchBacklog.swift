/// The pushes that are not yet in the table `search`.
///
/// Their entries are divided by key into parts, and each part becomes a row: a search reads one row of each round. One part is
/// written at a time, and `indexed` is moved after the last one. Entries that are written twice, after a crash, are harmless.
struct SearchBacklog {
    private var parts: [[SearchEntry]] = Array(repeating: [], count: SearchSegment.partCount)
    /// The last push of the last round.
    private(set) var indexed: UInt64
    /// How many pushes have been added since the last round.
    private(set) var pushCount = 0
    private var last: UInt64 = 0
    /// The next part to write, and the last push of the round; `nil` between two rounds.
    private var round: (part: Int, last: UInt64)?

    init(indexed: UInt64) { self.indexed = indexed }

    /// Adds the entries of pushes; their numbers are higher than those before.
    mutating func add(_ entries: [SearchEntry], of pushes: Int, upTo last: UInt64) {
        for entry in entries { parts[SearchSegment.part(of: entry.key)].append(entry) }
        pushCount += pushes
        self.last = max(self.last, last)
    }

    /// The numbers of the pushes with one of these keys that wait, newest first.
    func pushes(_ keys: [Int64]) -> [UInt64] {
        let found = Set(keys).flatMap { key in
            parts[SearchSegment.part(of: key)].compactMap { $0.key == key ? $0.seq : nil }
        }
        return Array(Set(found)).sorted(by: >)
    }

    /// The part that is to be written next; `nil` when fewer pushes wait than a round is worth.
    ///
    /// With it comes the new value of `indexed` if the part is the last one of its round.
    mutating func next(atLeast least: Int) -> (part: Int, entries: [SearchEntry], indexed: UInt64?)? {
        if round == nil, pushCount >= least {
            round = (0, last)
            pushCount = 0
        }
        guard let round else { return nil }
        let isLast = round.part == SearchSegment.partCount - 1
        return (round.part, parts[round.part].sorted(), isLast ? round.last : nil)
    }

    /// Forgets the part that was written.
    mutating func wrote() {
        guard let (part, last) = round else { return }
        parts[part] = []
        round = (part + 1, last)
        guard part + 1 == SearchSegment.partCount else { return }
        round = nil
        indexed = last
    }
}
