internal import MockAPNsRules

/// Records in the order of their numbers, stored in segments within limits: new records evict the oldest.
///
/// Used only while holding the world's lock.
struct RecordRing: ~Copyable {
    /// The position of a record.
    struct Place {
        var segment: Int
        var position: Int
    }

    let capacity: JournalCapacity
    private(set) var segments: [JournalSegment] = []
    /// The last of `segments`, which keeps it alive; unretained, because every push uses it several times.
    private var newest: Unmanaged<JournalSegment>?
    /// The number of the newest record; 0 if the ring is empty.
    private(set) var newestSeq: UInt64 = 0
    private var spare: JournalSegment?
    /// The position of the oldest record in the first segment.
    private var first = 0
    /// The number of records.
    private(set) var count = 0
    private var bytes = 0

    init(capacity: JournalCapacity) { self.capacity = capacity }

    /// The number of the oldest record; `nil` if the ring is empty.
    var firstSeq: UInt64? { segments.first.map { $0.entries[first].seq } }

    // MARK: Writing

    /// Adds a record and assigns its number.
    ///
    /// - Returns: The record at its new address.
    mutating func append(
        _ record: UnsafeRawBufferPointer,
        seq: UInt64,
        at time: WorldClock.Reading
    ) -> RecordView {
        if newest?._withUnsafeGuaranteedRef({ $0.hasRoom(for: record.count) }) != true {
            let segment = takeSegment(for: record.count)
            segments.append(segment)
            newest = Unmanaged.passUnretained(segment)
        }
        newestSeq = seq
        count += 1
        bytes += record.count
        return newest.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.append(record, seq: seq, at: time) }
    }

    /// Changes the entry of the newest record.
    func changeNewest(_ change: (inout JournalEntry) -> Void) {
        newest?._withUnsafeGuaranteedRef { $0.changeLastEntry(change) }
    }

    /// Evicts the oldest record if the limits are exceeded.
    ///
    /// - Returns: Its entry, if a record was evicted.
    mutating func evict() -> JournalEntry? {
        // This function holds no reference to a segment, because a segment with other references is not
        // reused.
        guard count > capacity.records || bytes > capacity.bytes, !segments.isEmpty else { return nil }
        if !segments[0].entries[first].isRemoved { count -= 1 }
        return dropFirst()
    }

    /// Deletes the record at a position.
    mutating func remove(_ segment: JournalSegment, at position: Int) {
        segment.changeEntry(at: position) { $0.isRemoved = true }
        count -= 1
    }

    /// Removes the oldest record if it was deleted, so that the oldest one is always a record that is kept.
    ///
    /// - Returns: Its entry, if a record was removed.
    mutating func dropRemoved() -> JournalEntry? {
        guard !segments.isEmpty, segments[0].entries[first].isRemoved else { return nil }
        return dropFirst()
    }

    /// Removes all records.
    mutating func removeAll() {
        segments = []
        newest = nil
        newestSeq = 0
        spare = nil
        first = 0
        count = 0
        bytes = 0
    }

    private mutating func dropFirst() -> JournalEntry {
        let entry = segments[0].entries[first]
        bytes -= segments[0].record(at: Int(entry.offset)).length
        first += 1
        if first == segments[0].entries.count { dropFirstSegment() }
        return entry
    }

    private mutating func takeSegment(for length: Int) -> JournalSegment {
        if let spare, spare.capacity >= length {
            self.spare = nil
            return spare
        }
        return JournalSegment(capacity: max(JournalSegment.usualCapacity, length))
    }

    private mutating func dropFirstSegment() {
        var segment = segments.removeFirst()
        if segments.isEmpty {
            newest = nil
            newestSeq = 0
        }
        first = 0
        // A segment that a reader still holds is not reused.
        if spare == nil, isKnownUniquelyReferenced(&segment) {
            segment.removeAll()
            spare = segment
        }
    }

    // MARK: Reading

    /// The current records.
    var stretches: [JournalStretch] {
        var stretches: [JournalStretch] = []
        stretches.reserveCapacity(segments.count)
        for (position, segment) in segments.enumerated() {
            let entries = segment.entries[(position == 0 ? first : 0)...]
            stretches.append(JournalStretch(segment: segment, entries: entries))
        }
        return stretches
    }

    /// Returns the position of the first record with this number or a larger one.
    func place(from seq: UInt64) -> Place {
        let number = segments.partitioningIndex { $0.entries[0].seq > seq } - 1
        guard number >= 0 else { return Place(segment: 0, position: first) }
        let entries = segments[number].entries
        let position = entries.partitioningIndex { $0.seq >= seq }
        return Place(segment: number, position: number == 0 ? max(position, first) : position)
    }

    /// Returns the record at a position, or at the end of a segment, the first one of the next; `nil` at the
    /// end.
    func entry(at place: inout Place) -> JournalEntry? {
        while place.segment < segments.count {
            let entries = segments[place.segment].entries
            if place.position < entries.count { return entries[place.position] }
            place = Place(segment: place.segment + 1, position: 0)
        }
        return nil
    }

    /// Returns the location of the record with a number; `nil` if it is not kept.
    func find(_ seq: UInt64) -> (segment: JournalSegment, position: Int)? {
        let number = segments.partitioningIndex { $0.entries[0].seq > seq } - 1
        guard number >= 0 else { return nil }
        let segment = segments[number]
        let position = segment.entries.partitioningIndex { $0.seq > seq } - 1
        guard position >= (number == 0 ? first : 0), segment.entries[position].seq == seq,
            !segment.entries[position].isRemoved
        else { return nil }
        return (segment, position)
    }
}
