internal import MockAPNsFormats
internal import MockAPNsRules

/// The records of a journal and the steps of their notifications.
///
/// Used only while holding the world's lock; readers get copies, which keep the required memory alive.
struct JournalLog: ~Copyable {
    private(set) var epoch: UInt64 = 1
    private(set) var nextSeq: UInt64 = 1
    private(set) var epochStart: UInt64 = 1
    var counters = JournalCounters()
    /// What the current change does, while a log needs to know.
    var effects: JournalEffects?

    /// The requests judged by the rules.
    private var judged: RecordRing
    /// The requests rejected by the transport, mostly malformed; they are separate, so that many of them
    /// evict no others.
    private var refused: RecordRing
    /// The pinned records that have left both, each in a segment of its own.
    private var pinned: [UInt64: JournalSegment] = [:]
    /// The numbers of all pinned records.
    var pins: Set<UInt64> = []
    private var evicted: UInt64 = 0
    /// The highest number of an evicted record; 0 if there is none.
    private var lastEvicted: UInt64 = 0
    /// The steps of notifications, except the first.
    private var steps: [UInt64: [Delivery.Step]] = [:]
    /// What became of broadcasts, by the numbers of their records.
    private var fanOuts: [UInt64: FanOut] = [:]
    /// The broadcasts whose devices are listed.
    private var listedFanOuts = LatestItems<UInt64>(capacity: 1_000)
    /// The same steps in the order of their numbers, for event streams.
    private(set) var laterSteps: ContiguousArray<(number: UInt64, seq: UInt64, event: DeliveryEvent)> = []
    private let laterStepLimit: Int
    /// The highest number of an event that is no longer available.
    private(set) var lostUpTo: UInt64 = 0

    init(capacity: JournalCapacity) {
        judged = RecordRing(capacity: capacity)
        refused = RecordRing(capacity: capacity.ofRefused)
        laterStepLimit = max(1_024, min(capacity.records, 1_000_000) * 4)
    }

    var recordCount: Int { judged.count + refused.count + pinned.count }

    var extent: JournalExtent {
        JournalExtent(
            epoch: epoch, firstSeq: min(judged.firstSeq ?? nextSeq, refused.firstSeq ?? nextSeq), lastSeq: nextSeq - 1,
            evicted: evicted, lastEvicted: lastEvicted)
    }

    /// Adds a record, assigns its number and that of its response, and returns it at its new address.
    mutating func append(_ record: UnsafeRawBufferPointer, at time: WorldClock.Reading) -> RecordView {
        let seq = nextSeq
        nextSeq += JournalEntry.ownNumbers
        if effects != nil { effects?.added(JournalEntry(seq: seq, at: time.world.microseconds, offset: 0)) }
        if let start = record.baseAddress, RecordView(at: start).head.hasProblem {
            return refused.append(record, seq: seq, at: time)
        }
        return judged.append(record, seq: seq, at: time)
    }

    /// Records the registration of the newest record.
    mutating func setPlace(_ place: UInt32, generation: UInt32) {
        func set(_ entry: inout JournalEntry) {
            entry.place = place
            entry.generation = generation
        }
        judged.changeNewest(set)
        if effects != nil { effects?.changeNewest(set) }
    }

    /// Records a step of a notification; if its record is no longer kept, only the counts change.
    mutating func note(
        _ event: DeliveryEvent, of seq: UInt64, at now: Timestamp,
        in app: (state: AppState, allowsNotifications: Bool)? = nil, _ outcome: ActivityOutcome? = nil
    ) {
        let number = nextSeq
        nextSeq += 1
        let isFirst = number == seq + JournalEntry.ownNumbers
        if isFirst, seq == judged.newestSeq {
            // The usual case: the newest record.
            judged.changeNewest { $0.note(event, isFirst: true, in: app) }
            if effects != nil { effects?.changeNewest { $0.note(event, isFirst: true, in: app) } }
            return
        }
        let step = Delivery.Step(seq: number, at: now, event: event)
        if effects != nil { effects?.note(step, of: seq, in: app, outcome) }
        guard let (segment, position) = find(seq) else {
            lostUpTo = number
            return
        }
        segment.entries[position].note(event, isFirst: isFirst, in: app)
        if let outcome { segment.entries[position].note(outcome) }
        if !isFirst {
            steps[seq, default: []].append(step)
            laterSteps.append((number, seq, event))
        }
        if laterSteps.count > laterStepLimit {
            let count = laterStepLimit / 4
            lose(upTo: laterSteps[count - 1].number)
            laterSteps.removeFirst(count)
        }
    }

    func fanOut(of seq: UInt64) -> FanOut? { fanOuts[seq] }

    /// The latest 1,000 broadcasts that are kept, newest first.
    var latestBroadcasts: [UInt64] { listedFanOuts.items.reversed().filter { fanOuts[$0] != nil } }

    /// Sets what became of a broadcast, if its record is kept; only the latest 1,000 list their devices.
    mutating func setFanOut(_ fanOut: FanOut, of seq: UInt64) {
        if fanOuts[seq] == nil {
            guard find(seq) != nil else { return }
            if let oldest = listedFanOuts.append(seq) { fanOuts[oldest]?.receipts = [] }
        }
        fanOuts[seq] = fanOut
        effects?.noteFanOut(of: seq)
    }

    mutating func changeFanOut(of seq: UInt64, _ change: (inout FanOut) -> Void) {
        guard let place = fanOuts.index(forKey: seq) else { return }
        change(&fanOuts.values[place])
        effects?.noteFanOut(of: seq)
    }

    /// Evicts the oldest records above the limits, and returns their number; with `keepsPinned`, those that are pinned stay
    /// in memory.
    @discardableResult mutating func evict(keepsPinned: Bool) -> UInt64 {
        let before = evicted
        if keepsPinned, !pins.isEmpty { evictUnpinned() }
        while let entry = judged.evict() { forget(entry) }
        while let entry = refused.evict() { forget(entry) }
        return evicted - before
    }

    private mutating func evictUnpinned() {
        while let found = judged.overdue {
            let isKept = keep(found)
            if let entry = judged.evict(), !isKept { forget(entry) }
        }
        while let found = refused.overdue {
            let isKept = keep(found)
            if let entry = refused.evict(), !isKept { forget(entry) }
        }
    }

    /// Copies a record that is about to be evicted, if it is pinned.
    private mutating func keep(_ found: FoundRecord) -> Bool {
        guard found.entry.isPinned, !found.entry.isRemoved else { return false }
        pinned[found.entry.seq] = JournalSegment(copying: found)
        return true
    }

    /// Pins a record, or removes its pin; returns whether it then leaves the memory, as it had to before.
    @discardableResult mutating func setPinned(_ isPinned: Bool, _ seq: UInt64) -> Bool {
        if isPinned { pins.insert(seq) } else { pins.remove(seq) }
        if let (segment, position) = find(seq) { segment.entries[position].isPinned = isPinned }
        guard !isPinned, let segment = pinned.removeValue(forKey: seq) else { return false }
        forget(segment.entries[0])
        return true
    }

    private mutating func forget(_ entry: JournalEntry) {
        if !entry.isRemoved {
            evicted += 1
            lastEvicted = max(lastEvicted, entry.seq)
            let own = entry.seq + (entry.first == nil ? 1 : JournalEntry.ownNumbers)
            let last = entry.hasMore ? steps[entry.seq]?.last?.seq : nil
            lose(upTo: max(own, last ?? 0))
        }
        if entry.hasMore { steps[entry.seq] = nil }
        if !fanOuts.isEmpty { fanOuts[entry.seq] = nil }
    }

    private mutating func lose(upTo number: UInt64) { lostUpTo = max(lostUpTo, number) }

    mutating func remove(_ seq: UInt64) -> Bool {
        pins.remove(seq)
        guard judged.remove(seq) || refused.remove(seq) || pinned.removeValue(forKey: seq) != nil else {
            // What has left the memory is deleted where it is kept.
            guard effects != nil, seq < extent.completeFrom else { return false }
            effects?.removed.append(seq)
            return true
        }
        effects?.removed.append(seq)
        steps[seq] = nil
        fanOuts[seq] = nil
        while let entry = judged.dropRemoved() { forget(entry) }
        while let entry = refused.dropRemoved() { forget(entry) }
        return true
    }

    /// Deletes all records and begins a new epoch; the numbers continue.
    mutating func removeAll() {
        judged = RecordRing(capacity: judged.capacity)
        refused = RecordRing(capacity: refused.capacity)
        (pinned, pins) = ([:], [])
        steps = [:]
        fanOuts = [:]
        laterSteps = []
        lostUpTo = nextSeq - 1
        effects?.clearedUpTo = nextSeq - 1
        evicted = 0
        lastEvicted = 0
        counters = JournalCounters()
        epoch += 1
        epochStart = nextSeq
    }

    /// Writes the numbers, without the records and the counts of metrics.
    func writeNumbers(to archive: inout ArchiveWriter) {
        archive.write(epoch)
        archive.write(nextSeq)
        archive.write(epochStart)
        archive.write(counters.received)
        archive.write(counters.accepted)
    }

    /// Writes what had to be dropped, which depends on the capacity.
    func writeLosses(to archive: inout ArchiveWriter) {
        archive.write(evicted)
        archive.write(lastEvicted)
        archive.write(lostUpTo)
    }

    mutating func readNumbers(from archive: inout ArchiveReader) throws(ArchiveError) {
        epoch = try archive.read()
        nextSeq = try archive.read()
        epochStart = try archive.read()
        counters.received = try archive.read()
        counters.accepted = try archive.read()
        let isFit = counters.accepted <= counters.received
        guard (1...nextSeq).contains(epochStart), isFit, nextSeq < .max / 2 else { throw .badValue }
    }

    mutating func readLosses(from archive: inout ArchiveReader) throws(ArchiveError) {
        evicted = try archive.read()
        lastEvicted = try archive.read()
        lostUpTo = try archive.read()
        guard max(lastEvicted, lostUpTo) < nextSeq else { throw .badValue }
    }

    /// Writes everything that is kept of the records, by their numbers.
    func writeRecords(to archive: inout ArchiveWriter) {
        // A world that is kept has no others, and its copies have the same.
        for found in snapshot() where pinned[found.entry.seq] == nil {
            archive.write(KeptPush(found.record, found.entry, sentAt: found.record.head.sentAt))
            archive.write(steps(of: found.entry))
            archive.write(ActivityOutcome(activity: found.entry.activity, refusal: found.entry.refusal))
            archive.write(fanOuts[found.entry.seq])
        }
    }

    /// Replaces the records by those that a log has kept, oldest first; the numbers and counts stay as they are.
    ///
    /// With `isWhole`, they are all records of the epoch, and no event of it is lost.
    mutating func restore(_ pushes: [(push: KeptPush, later: KeptPush.Later)], isWhole: Bool) {
        judged = RecordRing(capacity: judged.capacity)
        refused = RecordRing(capacity: refused.capacity)
        pinned = [:]
        (steps, fanOuts, laterSteps) = ([:], [:], [])
        listedFanOuts = LatestItems(capacity: listedFanOuts.capacity)
        lostUpTo = isWhole ? epochStart - 1 : nextSeq - 1
        for (push, later) in pushes {
            restore(push, later.steps)
            if let fanOut = later.fanOut { setFanOut(fanOut, of: push.seq) }
        }
        laterSteps.sort { $0.number < $1.number }
        if laterSteps.count > laterStepLimit {
            let count = laterSteps.count - laterStepLimit
            lose(upTo: laterSteps[count - 1].number)
            laterSteps.removeFirst(count)
        }
        let before = (evicted, lastEvicted)
        evict(keepsPinned: false)
        (evicted, lastEvicted) = before
    }

    private mutating func restore(_ push: KeptPush, _ steps: [KeptPush.Step]) {
        let (kept, seq) = (push.entry, push.seq)
        push.withRecord { record in
            let head = record.head
            let bytes = UnsafeRawBufferPointer(start: record.start, count: Int(head.length))
            let time = WorldClock.Reading(system: head.sentAt, world: Timestamp(microseconds: kept.at))
            _ = head.hasProblem ? refused.append(bytes, seq: seq, at: time) : judged.append(bytes, seq: seq, at: time)
            func change(_ entry: inout JournalEntry) {
                entry.isPinned = pins.contains(seq)
                entry.place = kept.place
                entry.generation = kept.generation
                if let event = kept.first { entry.note(event, isFirst: true, in: nil) }
                entry.appState = kept.appState
                entry.allowsNotifications = kept.allowsNotifications
                for (step, app, outcome) in steps {
                    entry.note(step.event, isFirst: step.seq == seq + JournalEntry.ownNumbers, in: app)
                    if let outcome { entry.note(outcome) }
                }
            }
            if head.hasProblem { refused.changeNewest(change) } else { judged.changeNewest(change) }
        }
        let later = steps.map(\.step).filter { $0.seq != seq + JournalEntry.ownNumbers }
        if !later.isEmpty { self.steps[seq] = later }
        laterSteps += later.map { ($0.seq, seq, $0.event) }
    }

    func snapshot(after seq: UInt64 = 0) -> JournalSnapshot {
        JournalSnapshot(
            stretches: judged.stretches(after: seq), refused: refused.stretches(after: seq),
            pinned: pinned.isEmpty
                ? []
                : pinned.keys.filter { $0 > seq }.sorted().compactMap { number in
                    pinned[number].map { JournalStretch(segment: $0, entries: $0.entries[...]) }
                }, extent: extent)
    }

    func find(_ seq: UInt64) -> (segment: JournalSegment, position: Int)? {
        judged.find(seq) ?? refused.find(seq) ?? pinned[seq].map { ($0, 0) }
    }

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
