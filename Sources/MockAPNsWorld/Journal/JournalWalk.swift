/// An iteration over the records of a snapshot, oldest first, merging those judged by the rules and those
/// rejected by the transport.
struct JournalWalk {
    /// A position among the records of one ring.
    private struct Place {
        private let stretches: [JournalStretch]
        private let after: UInt64
        private var stretch: Int
        private var position = 0
        /// The record at this position; `nil` at the end.
        private(set) var current: (segment: JournalSegment, entry: JournalEntry)?

        init(_ stretches: [JournalStretch], after: UInt64) {
            self.stretches = stretches
            self.after = after
            stretch = stretches.firstIndex { ($0.entries.last?.seq ?? 0) > after } ?? stretches.count
            if stretch < stretches.count { position = stretches[stretch].entries.startIndex }
            advance()
        }

        mutating func advance() {
            while stretch < stretches.count {
                let entries = stretches[stretch].entries
                guard position < entries.endIndex else {
                    stretch += 1
                    if stretch < stretches.count { position = stretches[stretch].entries.startIndex }
                    continue
                }
                let entry = entries[position]
                position += 1
                if entry.seq <= after || entry.isRemoved { continue }
                current = (stretches[stretch].segment, entry)
                return
            }
            current = nil
        }
    }

    private var judged: Place
    private var refused: Place

    /// Begins before the first record after number `after`.
    init(_ snapshot: JournalSnapshot, after: UInt64) {
        judged = Place(snapshot.stretches, after: after)
        refused = Place(snapshot.refused, after: after)
    }

    /// Returns the next record, which is valid during the lifetime of the snapshot.
    mutating func next() -> FoundRecord? {
        let isRefused = (refused.current?.entry.seq ?? .max) < (judged.current?.entry.seq ?? .max)
        guard let (segment, entry) = isRefused ? refused.current : judged.current else { return nil }
        if isRefused { refused.advance() } else { judged.advance() }
        return FoundRecord(record: segment.record(at: Int(entry.offset)), entry: entry)
    }
}
