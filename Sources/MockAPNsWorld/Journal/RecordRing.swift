internal import MockAPNsRules

/// Records in the order of their numbers, stored in segments within limits: new records evict the oldest.
struct RecordRing: ~Copyable {
    let capacity: JournalCapacity
    private(set) var segments: [JournalSegment] = []
    /// The last of `segments`, which keeps it alive; unretained, because every push uses it several times.
    private var newest: Unmanaged<JournalSegment>?
    /// The number of the newest record; 0 if the ring is empty.
    private(set) var newestSeq: UInt64 = 0
    private var spare: JournalSegment?
    /// The position of the oldest record in the first segment.
    private var first = 0
    private(set) var count = 0
    private var bytes = 0

    init(capacity: JournalCapacity) { self.capacity = capacity }

    var firstSeq: UInt64? { segments.first.map { $0.entries[first].seq } }

    /// Adds a record, assigns its number, and returns it at its new address.
    mutating func append(_ record: UnsafeRawBufferPointer, seq: UInt64, at time: WorldClock.Reading) -> RecordView {
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

    func changeNewest(_ change: (inout JournalEntry) -> Void) {
        newest?._withUnsafeGuaranteedRef { change(&$0.entries[$0.entries.count - 1]) }
    }

    /// The record that is evicted next, if the limits are exceeded.
    var overdue: FoundRecord? {
        guard count > capacity.records || bytes > capacity.bytes, let segment = segments.first else { return nil }
        return FoundRecord(record: segment.record(of: segment.entries[first]), entry: segment.entries[first])
    }

    /// Evicts the oldest record if the limits are exceeded, and returns its entry.
    mutating func evict() -> JournalEntry? {
        // No reference to a segment here: a segment with other references is not reused.
        guard count > capacity.records || bytes > capacity.bytes, !segments.isEmpty else { return nil }
        if !segments[0].entries[first].isRemoved { count -= 1 }
        return dropFirst()
    }

    /// Returns whether the record existed.
    mutating func remove(_ seq: UInt64) -> Bool {
        guard let (segment, position) = find(seq) else { return false }
        segment.entries[position].isRemoved = true
        count -= 1
        return true
    }

    /// Removes the oldest record if it was deleted, so that the oldest one is always a record that is kept.
    mutating func dropRemoved() -> JournalEntry? {
        guard !segments.isEmpty, segments[0].entries[first].isRemoved else { return nil }
        return dropFirst()
    }

    private mutating func dropFirst() -> JournalEntry {
        let entry = segments[0].entries[first]
        bytes -= Int(segments[0].record(of: entry).head.length)
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

    /// Returns the records with a larger number.
    func stretches(after seq: UInt64) -> [JournalStretch] {
        let start = max(0, segments.partitioningIndex { $0.entries[0].seq > seq } - 1)
        return segments.indices[start...].map { number in
            let entries = segments[number].entries
            let position = number == start ? entries.partitioningIndex { $0.seq > seq } : 0
            let stretch = entries[max(position, number == 0 ? first : 0)...]
            return JournalStretch(segment: segments[number], entries: stretch)
        }
    }

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
