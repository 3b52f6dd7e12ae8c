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
    private struct Place {
        private var stretches: IndexingIterator<[JournalStretch]>
        private var segment: JournalSegment?
        private var entries: IndexingIterator<ContiguousArray<JournalEntry>.SubSequence>?
        /// The record at this position; `nil` at the end.
        private(set) var current: FoundRecord?

        var seq: UInt64 { current?.entry.seq ?? .max }

        init(_ stretches: [JournalStretch]) {
            self.stretches = stretches.makeIterator()
            advance()
        }

        mutating func advance() {
            while true {
                while let entry = entries?.next(), let segment {
                    if entry.isRemoved { continue }
                    current = FoundRecord(record: segment.record(of: entry), entry: entry)
                    return
                }
                guard let stretch = stretches.next() else { break }
                segment = stretch.segment
                entries = stretch.entries.makeIterator()
            }
            current = nil
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
