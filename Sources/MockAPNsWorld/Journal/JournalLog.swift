internal import MockAPNsRules

/// The records of a journal, the steps of their notifications, and their connections.
///
/// Used only while holding the world's lock; readers get copies, which keep the required memory alive.
struct JournalLog: ~Copyable {
    private(set) var epoch: UInt64 = 1
    /// The number of the next event.
    private(set) var nextSeq: UInt64 = 1
    /// The number of the first event of the epoch.
    private(set) var epochStart: UInt64 = 1
    var counters = JournalCounters()
    var connections = ConnectionLog()
    /// The counts since startup.
    var tally = Tally()

    /// The requests judged by the rules.
    private var judged: RecordRing
    /// The requests rejected by the transport, mostly malformed; they are separate, so that many of them
    /// evict no others.
    private var refused: RecordRing
    private var evicted: UInt64 = 0
    /// The highest number of an evicted record; 0 if there is none.
    private var lastEvicted: UInt64 = 0
    /// The steps of notifications, except the first.
    private var steps: [UInt64: [Delivery.Step]] = [:]
    /// The same steps in the order of their numbers.
    private(set) var laterSteps: LaterSteps
    /// The highest number of an event that is no longer available.
    private(set) var lostUpTo: UInt64 = 0

    init(capacity: JournalCapacity) {
        judged = RecordRing(capacity: capacity)
        refused = RecordRing(capacity: capacity.ofRefused)
        laterSteps = LaterSteps(records: capacity.records)
    }

    /// The number of records.
    var recordCount: Int { judged.count + refused.count }

    var extent: JournalExtent {
        JournalExtent(
            epoch: epoch,
            firstSeq: min(judged.firstSeq ?? nextSeq, refused.firstSeq ?? nextSeq),
            lastSeq: nextSeq - 1,
            evicted: evicted,
            lastEvicted: lastEvicted
        )
    }

    // MARK: Writing

    /// Adds a record and assigns its number, and the following number to its response.
    ///
    /// - Returns: The record at its new address.
    mutating func append(_ record: UnsafeRawBufferPointer, at time: WorldClock.Reading) -> RecordView {
        let seq = nextSeq
        nextSeq += JournalEntry.ownNumbers
        if let start = record.baseAddress, RecordView(at: start).isRefusedByTransport {
            return refused.append(record, seq: seq, at: time)
        }
        return judged.append(record, seq: seq, at: time)
    }

    /// Records the registration of the newest record.
    mutating func setPlace(_ place: UInt32, generation: UInt32) {
        judged.changeNewest { entry in
            entry.place = place
            entry.generation = generation
        }
    }

    /// Records a step of a notification; if its record is no longer kept, only the counts change.
    mutating func note(
        _ event: DeliveryEvent,
        of seq: UInt64,
        at now: Timestamp,
        in app: AppSituation? = nil
    ) {
        let number = nextSeq
        nextSeq += 1
        let isFirst = number == seq + JournalEntry.ownNumbers
        if isFirst, seq == judged.newestSeq {
            // The usual case: the newest record.
            judged.changeNewest { $0.note(event, isFirst: true, in: app) }
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

    /// Evicts the oldest records while the limits are exceeded.
    mutating func evict() {
        while let entry = judged.evict() { forget(entry) }
        while let entry = refused.evict() { forget(entry) }
    }

    private mutating func forget(_ entry: JournalEntry) {
        if !entry.isRemoved {
            evicted += 1
            lastEvicted = max(lastEvicted, entry.seq)
            tally.evicted &+= 1
            let own = entry.seq + (entry.first == nil ? 1 : JournalEntry.ownNumbers)
            let last = entry.hasMore ? steps[entry.seq]?.last?.seq : nil
            lose(upTo: max(own, last ?? 0))
        }
        if entry.hasMore { steps[entry.seq] = nil }
    }

    private mutating func lose(upTo number: UInt64) { lostUpTo = max(lostUpTo, number) }

    /// Deletes the record with a number.
    ///
    /// - Returns: Whether it existed.
    mutating func remove(_ seq: UInt64) -> Bool {
        if let (segment, position) = judged.find(seq) {
            judged.remove(segment, at: position)
        } else if let (segment, position) = refused.find(seq) {
            refused.remove(segment, at: position)
        } else {
            return false
        }
        steps[seq] = nil
        while let entry = judged.dropRemoved() { forget(entry) }
        while let entry = refused.dropRemoved() { forget(entry) }
        return true
    }

    /// Deletes all records and begins a new epoch; the numbers continue.
    mutating func removeAll() {
        judged.removeAll()
        refused.removeAll()
        steps = [:]
        laterSteps.removeAll()
        lostUpTo = nextSeq - 1
        evicted = 0
        lastEvicted = 0
        counters = JournalCounters()
        epoch += 1
        epochStart = nextSeq
    }

    // MARK: Reading

    /// The current content of the log.
    var snapshot: JournalSnapshot {
        JournalSnapshot(stretches: judged.stretches, refused: refused.stretches, extent: extent)
    }

    /// A position between two records.
    struct Place {
        fileprivate var judged: RecordRing.Place
        fileprivate var refused: RecordRing.Place
    }

    /// Returns the position before the first record with this number or a larger one.
    func place(from seq: UInt64) -> Place {
        Place(judged: judged.place(from: seq), refused: refused.place(from: seq))
    }

    /// Returns the record after a position; `nil` at the end of the log.
    func entry(after place: inout Place) -> JournalEntry? {
        guard let judged = judged.entry(at: &place.judged) else { return refused.entry(at: &place.refused) }
        guard let refused = refused.entry(at: &place.refused), refused.seq < judged.seq else { return judged }
        return refused
    }

    /// Moves a position past the next record.
    func advance(_ place: inout Place) {
        let next = entry(after: &place)?.seq
        if next == judged.entry(at: &place.judged)?.seq {
            place.judged.position += 1
        } else {
            place.refused.position += 1
        }
    }

    /// Returns the location of the record with a number; `nil` if it is not kept.
    func find(_ seq: UInt64) -> (segment: JournalSegment, position: Int)? {
        judged.find(seq) ?? refused.find(seq)
    }

    /// Returns the steps of a record's notification in order.
    func steps(of entry: JournalEntry) -> [Delivery.Step] {
        firstStep(of: entry) + (entry.hasMore ? steps[entry.seq] ?? [] : [])
    }

    /// Returns the step at the time of the response, which is stored in the entry.
    func firstStep(of entry: JournalEntry) -> [Delivery.Step] {
        guard let event = entry.first else { return [] }
        let number = entry.seq + JournalEntry.ownNumbers
        return [Delivery.Step(seq: number, at: Timestamp(microseconds: entry.at), event: event)]
    }
}
