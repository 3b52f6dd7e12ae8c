/// The records of a segment that a reader may read.
struct JournalStretch: Sendable {
    let segment: JournalSegment
    let entries: ContiguousArray<JournalEntry>.SubSequence
}

/// A record in a snapshot, with its entry at that time; valid as long as the snapshot or the scan that found it.
public struct FoundRecord {
    let record: RecordView
    let entry: JournalEntry
}

/// The records at one time, oldest first.
struct JournalSnapshot: Sequence, Sendable {
    let stretches: [JournalStretch]
    /// The requests that the transport rejected.
    let refused: [JournalStretch]
    /// The pinned records that had to leave the others.
    let pinned: [JournalStretch]
    let extent: JournalExtent

    func makeIterator() -> JournalWalk { JournalWalk(self) }
}

/// An iteration over the records of a snapshot, oldest first, merging those judged by the rules, those rejected by the
/// transport, and pinned ones.
struct JournalWalk: IteratorProtocol {
    /// A position in some stretches.
    ///
    /// It counts instead of using iterators: for a loop that replaces an iterator, the compiler took up to a minute.
    private struct Place {
        private let stretches: [JournalStretch]
        /// The number of the stretch with the next record, and the position of that in it.
        private var (number, position) = (0, 0)
        /// The record at this position; `nil` at the end.
        private(set) var current: FoundRecord?

        var seq: UInt64 { current?.entry.seq ?? .max }

        init(_ stretches: [JournalStretch]) {
            self.stretches = stretches
            position = stretches.first?.entries.startIndex ?? 0
            advance()
        }

        mutating func advance() { current = takeNext() }

        private mutating func takeNext() -> FoundRecord? {
            while number < stretches.count {
                while position < stretches[number].entries.endIndex {
                    defer { position += 1 }
                    guard !stretches[number].entries[position].isRemoved else { continue }
                    let entry = stretches[number].entries[position]
                    return FoundRecord(record: stretches[number].segment.record(of: entry), entry: entry)
                }
                number += 1
                if number < stretches.count { position = stretches[number].entries.startIndex }
            }
            return nil
        }
    }

    private var judged: Place
    private var refused: Place
    private var pinned: Place

    init(_ snapshot: JournalSnapshot) {
        judged = Place(snapshot.stretches)
        refused = Place(snapshot.refused)
        pinned = Place(snapshot.pinned)
    }

    mutating func next() -> FoundRecord? {
        if let found = pinned.current, found.entry.seq < min(judged.seq, refused.seq) {
            pinned.advance()
            return found
        }
        let isRefused = refused.seq < judged.seq
        defer { if isRefused { refused.advance() } else { judged.advance() } }
        return isRefused ? refused.current : judged.current
    }
}
