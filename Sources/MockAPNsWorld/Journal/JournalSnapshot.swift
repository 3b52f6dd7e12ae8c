/// The records of a segment that a reader may look at.
struct JournalStretch: Sendable {
    let segment: JournalSegment
    let entries: ContiguousArray<JournalEntry>.SubSequence
}

/// A record in a snapshot, with what was known of it then.
struct FoundRecord {
    let record: RecordView
    let entry: JournalEntry
}

/// What the journal holds at this moment.
struct JournalSnapshot: Sendable {
    let stretches: [JournalStretch]
    /// The requests that the transport refused.
    let refused: [JournalStretch]
    let extent: JournalExtent

    /// Lends every record after number `after`, oldest first, until `use` has had enough.
    func visit(after: UInt64 = 0, _ use: (RecordView, JournalEntry) -> Bool) {
        var walk = JournalWalk(self, after: after)
        while let found = walk.next() {
            guard use(found.record, found.entry) else { return }
        }
    }
}
