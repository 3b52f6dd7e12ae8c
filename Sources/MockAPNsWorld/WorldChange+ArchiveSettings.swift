internal import MockAPNsFormats
internal import MockAPNsRules

// Encodes the changes of the journal, faults and settings.

extension RemovePushes: Archived {
    static var kind: WorldChangeKind { .removePushes }

    func write(to archive: inout ArchiveWriter) {
        archive.write(seqs)
        archive.write(epoch)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(seqs: try archive.read(), epoch: try archive.read())
    }
}

extension SetMark: Archived {
    static var kind: WorldChangeKind { .setMark }

    func write(to archive: inout ArchiveWriter) { archive.write(text) }

    init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(text: try archive.read()) }
}

extension UseToken: Archived {
    static var kind: WorldChangeKind { .useToken }

    func write(to archive: inout ArchiveWriter) { archive.write(use) }

    init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(use: try archive.read()) }
}

extension SetPin: Archived {
    static var kind: WorldChangeKind { .setPin }

    func write(to archive: inout ArchiveWriter) {
        archive.write(push)
        archive.write(epoch)
        archive.write(isPinned)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(push: try archive.read(), epoch: try archive.read(), isPinned: try archive.read())
    }
}

extension SetNote: Archived {
    static var kind: WorldChangeKind { .setNote }

    func write(to archive: inout ArchiveWriter) {
        archive.write(push)
        archive.write(epoch)
        archive.write(text)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(push: try archive.read(), epoch: try archive.read(), text: try archive.read())
    }
}

extension SetStart {
    static var kind: WorldChangeKind { .setStart }

    func write(to archive: inout ArchiveWriter) { start.write(to: &archive) }

    init(from archive: inout ArchiveReader, _ material: ReplayMaterial) throws(ArchiveError) {
        self.init(start: try WorldState.Start(from: &archive, nil, material))
    }
}

extension PassTime: Archived {
    static var kind: WorldChangeKind { .passTime }

    func write(to archive: inout ArchiveWriter) {}

    init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init() }
}

extension RemoveFaults: Archived {
    static var kind: WorldChangeKind { .removeFaults }

    func write(to archive: inout ArchiveWriter) { archive.write(ids) }

    init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(ids: try archive.read()) }
}

extension ReorderFaults: Archived {
    static var kind: WorldChangeKind { .reorderFaults }

    func write(to archive: inout ArchiveWriter) { archive.write(ids) }

    init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(ids: try archive.read()) }
}

/// Omits the pushes, which a log stores separately.
extension PublishPushes {
    static var kind: WorldChangeKind { .publishPushes }

    func write(to archive: inout ArchiveWriter) {
        archive.write(accepted)
        archive.write(deviceEpoch)
        archive.write(answeredAt)
    }

    init(from archive: inout ArchiveReader, _ material: ReplayMaterial) throws(ArchiveError) {
        self.init(
            records: try Self.records(of: material.pushes), accepted: try archive.read(),
            deviceEpoch: try archive.read(), answeredAt: try archive.read())
        guard accepted >= 0 else { throw .badValue }
    }

    /// Returns the records that the pushes had in their batch.
    fileprivate static func records(of pushes: [LoggedPush]) throws(ArchiveError) -> [UInt8] {
        var records: [UInt8] = []
        for push in pushes { try push.record().words.withUnsafeBytes { records += $0 } }
        return records
    }
}

extension AdoptPushes {
    static var kind: WorldChangeKind { .adoptPushes }

    func write(to archive: inout ArchiveWriter) {
        archive.write(count: answers.count)
        for (time, steps) in answers {
            archive.write(time)
            archive.write(count: steps.count)
            for (event, at) in steps {
                archive.write(event)
                archive.write(at)
            }
        }
    }

    init(from archive: inout ArchiveReader, _ material: ReplayMaterial) throws(ArchiveError) {
        var answers: [Journal.AdoptedAnswer] = []
        for _ in 0..<(try archive.count()) {
            let time = try archive.read(WorldClock.Reading.self)
            var steps: [(event: DeliveryEvent, at: Timestamp)] = []
            for _ in 0..<(try archive.count()) { steps.append((try archive.read(), try archive.read())) }
            answers.append((time, steps))
        }
        self.init(records: try PublishPushes.records(of: material.pushes), answers: answers)
    }
}

extension AddFault {
    static var kind: WorldChangeKind { .addFault }

    func write(to archive: inout ArchiveWriter) { draft.write(to: &archive) }

    init(from archive: inout ArchiveReader, _ material: ReplayMaterial) throws(ArchiveError) {
        self.init(draft: try FaultDraft(from: &archive, material))
    }
}

extension ReplaceFault {
    static var kind: WorldChangeKind { .replaceFault }

    func write(to archive: inout ArchiveWriter) {
        archive.write(id)
        draft.write(to: &archive)
    }

    init(from archive: inout ArchiveReader, _ material: ReplayMaterial) throws(ArchiveError) {
        self.init(id: try archive.read(), draft: try FaultDraft(from: &archive, material))
    }
}

extension ChangeFault {
    static var kind: WorldChangeKind { .changeFault }

    func write(to archive: inout ArchiveWriter) {
        archive.write(id)
        change.write(to: &archive)
    }

    init(from archive: inout ArchiveReader, _ material: ReplayMaterial) throws(ArchiveError) {
        self.init(id: try archive.read(), change: try Faults.Change(from: &archive, material))
    }
}

extension SetFaultCounters: Archived {
    static var kind: WorldChangeKind { .setFaultCounters }

    func write(to archive: inout ArchiveWriter) {
        archive.write(count: counters.count)
        for (id, counters) in counters {
            archive.write(id)
            archive.write(counters)
        }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        var counters: [(id: FaultID, counters: FaultCounters)] = []
        for _ in 0..<(try archive.count()) { counters.append((try archive.read(), try archive.read())) }
        self.init(counters: counters)
    }
}

extension MoveClock: Archived {
    static var kind: WorldChangeKind { .moveClock }

    func write(to archive: inout ArchiveWriter) {
        switch self {
        case .run(let offset):
            archive.write(byte: 0)
            archive.write(offset)
        case .stop(let moment):
            archive.write(byte: 1)
            archive.write(moment)
        case .advance(let microseconds):
            archive.write(byte: 2)
            archive.write(microseconds)
        }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        switch try archive.byte() {
        case 0: self = .run(offset: try archive.read())
        case 1: self = .stop(at: try archive.read())
        case 2: self = .advance(by: try archive.read())
        default: throw .badValue
        }
    }
}

extension SetRules {
    static var kind: WorldChangeKind { .setRules }

    func write(to archive: inout ArchiveWriter) {
        archive.write(options)
        Ruleset.RegisteredKey.write(keys, to: &archive)
        archive.write(fromStart)
        archive.write(kept)
    }

    init(from archive: inout ArchiveReader, _ material: ReplayMaterial) throws(ArchiveError) {
        self.init(
            options: try archive.read(), keys: try Ruleset.RegisteredKey.read(from: &archive, material),
            fromStart: try archive.read(), kept: try archive.read())
    }
}

extension SetOptions: Archived {
    static var kind: WorldChangeKind { .setOptions }

    func write(to archive: inout ArchiveWriter) {
        archive.write(options.rules)
        archive.write(options.devices)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(options: World.Options(rules: try archive.read(), devices: try archive.read()))
    }
}

extension ResetReport.Part: Archived {}

extension ResetWorld: Archived {
    static var kind: WorldChangeKind { .resetWorld }

    func write(to archive: inout ArchiveWriter) {
        archive.write(ResetReport.Part.allCases.filter { parts.contains($0) })
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(parts: Set(try archive.read([ResetReport.Part].self)))
    }
}

extension Faults.Change {
    func write(to archive: inout ArchiveWriter) {
        archive.write(name)
        archive.write(isEnabled)
        archive.write(match != nil)
        if let match {
            FaultDraft.Match.write(match.match, to: &archive)
            archive.write(match.connections)
        }
        archive.write(when)
        archive.write(action)
    }

    init(from archive: inout ArchiveReader, _ material: ReplayMaterial) throws(ArchiveError) {
        self.init()
        name = try archive.read()
        isEnabled = try archive.read()
        if try archive.read(Bool.self) {
            match = (try FaultDraft.Match.read(from: &archive, material), try archive.read())
        }
        when = try archive.read()
        action = try archive.read()
    }
}
