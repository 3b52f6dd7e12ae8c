internal import MockAPNsRules

/// The records of a journal, the steps of their notifications, and the connections they came on.
///
/// Touched under the world's lock alone; readers get copies that go on holding what they need.
struct JournalLog: ~Copyable {
    let capacity: Journal.Capacity
    private(set) var epoch: UInt64 = 1
    /// The number of the next event.
    private(set) var nextSeq: UInt64 = 1
    /// The number of the first event of the epoch.
    private(set) var epochStart: UInt64 = 1
    var counters = Journal.Counters()
    var connections = ConnectionLog()
    /// What was counted since the start.
    var tally = Tally()

    private var segments: [JournalSegment] = []
    /// The last of `segments`, which keeps it alive: every push asks for it several times.
    private var newest: Unmanaged<JournalSegment>?
    /// The number of the newest record.
    private var newestSeq: UInt64 = 0
    private var spare: JournalSegment?
    /// The position of the oldest record in the first segment.
    private var first = 0
    private var count = 0
    private var bytes = 0
    private var evicted: UInt64 = 0
    /// The steps of notifications after their first.
    private var steps: [UInt64: [Delivery.Step]] = [:]
    /// The same steps, one after the other.
    private(set) var laterSteps: LaterSteps
    /// The highest number of an event that nobody can read any more.
    private(set) var lostUpTo: UInt64 = 0

    init(capacity: Journal.Capacity) {
        self.capacity = capacity
        laterSteps = LaterSteps(records: capacity.records)
    }

    /// Records at hand.
    var recordCount: Int { count }

    var extent: Journal.Extent {
        Journal.Extent(
            epoch: epoch,
            firstSeq: segments.first.map { $0.entries[first].seq } ?? nextSeq,
            lastSeq: nextSeq - 1,
            evicted: evicted
        )
    }

    // MARK: Writing

    /// Numbers a record and takes it in, with its answer as the event after it.
    ///
    /// - Returns: the record where it lies now.
    mutating func append(_ record: UnsafeRawBufferPointer, at time: WorldClock.Reading) -> RecordView {
        if newest?._withUnsafeGuaranteedRef({ $0.hasRoom(for: record.count) }) != true {
            let segment = takeSegment(for: record.count)
            segments.append(segment)
            newest = Unmanaged.passUnretained(segment)
        }
        newestSeq = nextSeq
        nextSeq += JournalEntry.ownNumbers
        count += 1
        bytes += record.count
        return newest.unsafelyUnwrapped._withUnsafeGuaranteedRef {
            $0.append(record, seq: newestSeq, at: time)
        }
    }

    /// Notes which registration the newest record was sent to.
    mutating func setPlace(_ place: UInt32, generation: UInt32) {
        newest?._withUnsafeGuaranteedRef { segment in
            segment.changeLastEntry { entry in
                entry.place = place
                entry.generation = generation
            }
        }
    }

    /// Notes a step of a notification; does nothing but count when its record is not kept any more.
    mutating func note(
        _ event: DeliveryEvent,
        of seq: UInt64,
        at now: Timestamp,
        in app: AppSituation? = nil
    ) {
        let number = nextSeq
        nextSeq += 1
        let isFirst = number == seq + JournalEntry.ownNumbers
        if isFirst, seq == newestSeq {
            // The usual case: the record that was just written.
            newest?._withUnsafeGuaranteedRef { segment in
                segment.changeLastEntry { $0.note(event, isFirst: true, in: app) }
            }
            return
        }
        guard let (segment, position) = find(seq) else {
            lostUpTo = number
            return
        }
        segment.changeEntry(at: position) { $0.note(event, isFirst: isFirst, in: app) }
        if !isFirst {
            steps[seq, default: []].append(Delivery.Step(seq: number, at: now, event: event))
            if let forgotten = laterSteps.note(event, number: number, of: seq) { lose(upTo: forgotten) }
        }
    }

    /// Drops the oldest records while there are more than the capacity allows.
    mutating func evict() {
        // No segment is held on to here: one that is, is not used again.
        while count > capacity.records || bytes > capacity.bytes, !segments.isEmpty {
            if !segments[0].entries[first].isRemoved {
                count -= 1
                evicted += 1
                tally.evicted &+= 1
                loseFirstEntry()
            }
            dropFirstEntry()
        }
    }

    private mutating func loseFirstEntry() {
        let entry = segments[0].entries[first]
        let own = entry.seq + (entry.first == JournalEntry.none ? 1 : JournalEntry.ownNumbers)
        let last = entry.hasMore ? steps[entry.seq]?.last?.seq : nil
        lose(upTo: max(own, last ?? 0))
    }

    private mutating func lose(upTo number: UInt64) { lostUpTo = max(lostUpTo, number) }

    /// Puts the record of a number away.
    ///
    /// - Returns: whether there was one.
    mutating func remove(_ seq: UInt64) -> Bool {
        guard let (segment, position) = find(seq) else { return false }
        segment.changeEntry(at: position) { $0.isRemoved = true }
        steps[seq] = nil
        count -= 1
        // So that the oldest record is always one that is kept.
        while !segments.isEmpty, segments[0].entries[first].isRemoved { dropFirstEntry() }
        return true
    }

    private mutating func dropFirstEntry() {
        let entry = segments[0].entries[first]
        bytes -= segments[0].record(at: Int(entry.offset)).length
        if entry.hasMore { steps[entry.seq] = nil }
        first += 1
        if first == segments[0].entries.count { dropFirstSegment() }
    }

    /// Forgets every record; numbers go on, and a new epoch begins.
    mutating func removeAll() {
        segments = []
        newest = nil
        newestSeq = 0
        spare = nil
        steps = [:]
        laterSteps.removeAll()
        lostUpTo = nextSeq - 1
        first = 0
        count = 0
        bytes = 0
        evicted = 0
        counters = Journal.Counters()
        epoch += 1
        epochStart = nextSeq
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
        // A segment that a reader still holds is left to it.
        if spare == nil, isKnownUniquelyReferenced(&segment) {
            segment.removeAll()
            spare = segment
        }
    }

    // MARK: Reading

    /// What the log holds at this moment.
    var snapshot: Journal.Snapshot {
        var stretches: [Journal.Stretch] = []
        stretches.reserveCapacity(segments.count)
        for (position, segment) in segments.enumerated() {
            let entries = segment.entries[(position == 0 ? first : 0)...]
            stretches.append(Journal.Stretch(segment: segment, entries: entries))
        }
        return Journal.Snapshot(stretches: stretches, extent: extent)
    }

    /// The place of the first record of this number or a larger one.
    func place(from seq: UInt64) -> (segment: Int, position: Int) {
        let number = Self.firstIndex(in: 0..<segments.count) { segments[$0].entries[0].seq > seq } - 1
        guard number >= 0 else { return (0, first) }
        let entries = segments[number].entries
        let position = Self.firstIndex(in: 0..<entries.count) { entries[$0].seq >= seq }
        return (number, number == 0 ? max(position, first) : position)
    }

    /// The record at a place, or where the segment ends there, the first of the next; `nil` at the end of the log.
    func entry(segment: inout Int, position: inout Int) -> JournalEntry? {
        while segment < segments.count {
            if position < segments[segment].entries.count { return segments[segment].entries[position] }
            segment += 1
            position = 0
        }
        return nil
    }

    /// Where the record of a number lies; `nil` when there is none.
    func find(_ seq: UInt64) -> (segment: JournalSegment, position: Int)? {
        guard seq < nextSeq else { return nil }
        let number = Self.firstIndex(in: 0..<segments.count) { segments[$0].entries[0].seq > seq } - 1
        guard number >= 0 else { return nil }
        let segment = segments[number]
        let position =
            Self.firstIndex(in: 0..<segment.entries.count) { segment.entries[$0].seq > seq } - 1
        guard position >= (number == 0 ? first : 0), segment.entries[position].seq == seq,
            !segment.entries[position].isRemoved
        else { return nil }
        return (segment, position)
    }

    /// The steps of a record's notification, in their order.
    func steps(of entry: JournalEntry) -> [Delivery.Step] {
        firstStep(of: entry) + (entry.hasMore ? steps[entry.seq] ?? [] : [])
    }

    /// The step that was taken with the answer, which the entry itself knows.
    func firstStep(of entry: JournalEntry) -> [Delivery.Step] {
        guard let event = DeliveryEvent(rawValue: entry.first) else { return [] }
        let number = entry.seq + JournalEntry.ownNumbers
        return [Delivery.Step(seq: number, at: Timestamp(microseconds: entry.at), event: event)]
    }

    /// The first index for which `isBehind` holds, which has to hold for every later one.
    private static func firstIndex(in range: Range<Int>, where isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
