/// The records of a segment that a reader may read.
struct JournalStretch: Sendable {
    let segment: JournalSegment
    let entries: ContiguousArray<JournalEntry>.SubSequence
}

/// A record in a snapshot, with its entry at that time.
struct FoundRecord {
    let record: RecordView
    let entry: JournalEntry
}

/// The content of the journal at one time.
struct JournalSnapshot: Sendable {
    let stretches: [JournalStretch]
    /// The requests that the transport rejected.
    let refused: [JournalStretch]
    let extent: JournalExtent

    /// Calls `use` with every record after number `after`, oldest first, until it returns `false`.
    func visit(after: UInt64 = 0, _ use: (RecordView, JournalEntry) -> Bool) {
        var walk = JournalWalk(self, after: after)
        while let found = walk.next() {
            guard use(found.record, found.entry) else { return }
        }
    }
}
