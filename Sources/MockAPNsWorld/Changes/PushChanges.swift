internal import MockAPNsFormats
public import MockAPNsRules

/// Publishes a batch of records and delivers their notifications.
struct PublishPushes: WorldChange {
    static let kind = "publish-pushes"

    let records: [UInt8]
    let accepted: Int
    /// The epoch of the devices that the pushes were validated against.
    let deviceEpoch: UInt64
    /// When the responses were sent.
    let answeredAt: WorldClock.Reading
    /// What was read of `records` before the world was locked; it follows from them.
    var payloads: [Int: ActivityPayload] = [:]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        records.withUnsafeBytes { records in
            state.publish(records, payloads, accepted: accepted, deviceEpoch: deviceEpoch, at: answeredAt)
        }
    }
}

/// Without the pushes, which a log stores separately.
extension PublishPushes {
    func write(to archive: inout ArchiveWriter) {
        archive.write(accepted)
        archive.write(deviceEpoch)
        archive.write(answeredAt)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            records: try archive.replay.records, accepted: try archive.read(), deviceEpoch: try archive.read(),
            answeredAt: try archive.read())
        guard accepted >= 0 else { throw .badValue }
    }
}

extension WorldState {
    /// Publishes a batch; creates a `PublishPushes` only for a log, because that copies the batch once more.
    mutating func publish(
        _ batch: RecordBatch, _ payloads: [Int: ActivityPayload], answeredAt: WorldClock.Reading,
        at time: WorldClock.Reading
    ) {
        let (accepted, epoch) = (batch.accepted, batch.deviceEpoch)
        guard process.changeLog != nil else {
            publish(batch.bytes, payloads, accepted: accepted, deviceEpoch: epoch, at: answeredAt)
            return
        }
        let change = PublishPushes(
            records: Array(batch.bytes), accepted: accepted, deviceEpoch: epoch, answeredAt: answeredAt,
            payloads: payloads)
        perform(change, at: time)
    }
}

/// Adds pushes recorded by another server without delivering them, and returns their new numbers.
struct AdoptPushes: WorldChange {
    static let kind = "adopt-pushes"

    let records: [UInt8]
    let answers: [AdoptedAnswer]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) -> [UInt64] {
        records.withUnsafeBytes { records in
            var seqs: [UInt64] = []
            var rest = records
            for answer in answers {
                guard let bytes = rest.popRecord() else { break }
                let record = state.log.append(bytes, at: answer.time)
                seqs.append(record.head.seq)
                for step in answer.steps {
                    let isRefused = step.event == .activityIgnored || step.event == .droppedUnknownChannel
                    let outcome = isRefused ? answer.refusal.map { ActivityOutcome(refusal: $0) } : nil
                    state.log.note(step.event, of: record.head.seq, at: step.at, in: nil, outcome)
                }
            }
            state.evict()
            return seqs
        }
    }
}

/// Without the pushes, which a log stores separately.
extension AdoptPushes {
    func write(to archive: inout ArchiveWriter) {
        archive.write(count: answers.count)
        for (time, steps, refusal) in answers {
            archive.write(time)
            archive.write(count: steps.count)
            for (event, at) in steps {
                archive.write(event)
                archive.write(at)
            }
            archive.write(refusal)
        }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        var answers: [AdoptedAnswer] = []
        for _ in 0..<(try archive.count()) {
            let time = try archive.read(WorldClock.Reading.self)
            var steps: [(event: DeliveryEvent, at: Timestamp)] = []
            for _ in 0..<(try archive.count()) { steps.append((try archive.read(), try archive.read())) }
            answers.append((time, steps, try archive.read()))
        }
        self.init(records: try archive.replay.records, answers: answers)
    }
}

/// Deletes records of the current epoch by number, and returns how many existed.
struct RemovePushes: WorldChange, MemberwiseArchived {
    static let kind = "remove-pushes"
    static let format = ArchiveFormat(RemovePushes.init, \.seqs, \.epoch)

    let seqs: [UInt64]
    let epoch: UInt64

    func apply(to state: inout WorldState, at time: WorldClock.Reading) -> Int {
        guard state.log.epoch == epoch else { return 0 }
        return seqs.count { state.log.remove($0) }
    }
}

/// Adds a mark after all events so far.
struct SetMark: WorldChange, MemberwiseArchived {
    static let kind = "set-mark"
    static let format = ArchiveFormat(SetMark.init, \.text)

    let text: String

    func apply(to state: inout WorldState, at time: WorldClock.Reading) -> Mark {
        let mark = Mark(number: state.marks.end + 1, seq: state.log.nextSeq - 1, at: time.world, text: text)
        state.marks.append(mark)
        state.happened(.marked(mark.number))
        return mark
    }
}

/// Pins a push of the current epoch, or removes its pin.
struct SetPin: WorldChange, MemberwiseArchived {
    static let kind = "set-pin"
    static let format = ArchiveFormat(SetPin.init, \.push, \.epoch, \.isPinned)

    let push: UInt64
    let epoch: UInt64
    let isPinned: Bool

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        guard state.log.epoch == epoch else { return }
        if state.log.setPinned(isPinned, push) { state.process.tally.evicted &+= 1 }
        state.happened(.pushChanged(push))
    }
}

/// Sets or removes the note on a push of the current epoch.
struct SetNote: WorldChange, MemberwiseArchived {
    static let kind = "set-note"
    static let format = ArchiveFormat(SetNote.init, \.push, \.epoch, \.text)
    /// The maximum number of notes; above it, the note of the oldest push is dropped.
    static let mostNotes = 10_000

    let push: UInt64
    let epoch: UInt64
    let text: String?

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        guard state.log.epoch == epoch else { return }
        state.notes[push] = .some(text)
        state.happened(.pushChanged(push))
        // Drop the oldest note, even if its push is in memory: evictions are not part of the state.
        if state.notes.count > Self.mostNotes, let oldest = state.notes.keys.min() { state.notes[oldest] = nil }
    }
}

/// What another server recorded about a push besides the request: when it was answered, the steps of its
/// notification in order, with their times, and why a device ignored it, if one did.
public typealias AdoptedAnswer = (
    time: WorldClock.Reading, steps: [(event: DeliveryEvent, at: Timestamp)], refusal: ActivityRefusal?
)
