internal import MockAPNsFormats
internal import MockAPNsRules

struct AddFault: WorldChange, MemberwiseArchived {
    static let kind = "add-fault"
    static let format = ArchiveFormat(AddFault.init, \.draft)

    let draft: FaultDraft

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(FaultError) -> Fault {
        try state.faults.add(draft)
    }
}

/// Replaces a fault; its counters are reset.
struct ReplaceFault: WorldChange, MemberwiseArchived {
    static let kind = "replace-fault"
    static let format = ArchiveFormat(ReplaceFault.init, \.id, \.draft)

    let id: FaultID
    let draft: FaultDraft

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(FaultError) -> Fault {
        let position = try state.faults.place(of: id)
        return state.faults.replace(at: position, with: draft)
    }
}

/// Changes parts of a fault; its counters are kept unless its match, condition or action changes.
struct ChangeFault: WorldChange, MemberwiseArchived {
    static let kind = "change-fault"
    static let format = ArchiveFormat(ChangeFault.init, \.id, \.change)

    let id: FaultID
    let change: Faults.Change

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(FaultError) -> Fault {
        let position = try state.faults.place(of: id)
        let old = state.faults.rules[position].draft
        var draft = try FaultDraft(
            name: change.name ?? old.name, isEnabled: change.isEnabled ?? old.isEnabled,
            match: change.match.map(\.match) ?? old.match, connections: change.match?.connections ?? old.connections,
            when: change.when ?? old.when, action: change.action ?? old.action)
        draft.preset = old.preset
        let goesOn = change.match == nil && change.when == nil && change.action == nil
        return state.faults.replace(at: position, with: draft, keepingCounters: goesOn)
    }
}

struct RemoveFaults: WorldChange, MemberwiseArchived {
    static let kind = "remove-faults"
    static let format = ArchiveFormat(RemoveFaults.init, \.ids)

    let ids: [FaultID]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        state.faults.rules.removeAll { ids.contains($0.id) }
    }
}

/// Reorders the faults; `ids` must list each of them once.
struct ReorderFaults: WorldChange, MemberwiseArchived {
    static let kind = "reorder-faults"
    static let format = ArchiveFormat(ReorderFaults.init, \.ids)

    let ids: [FaultID]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(FaultError) -> [Fault] {
        try state.faults.reorder(ids)
        return state.faults.all
    }
}

/// Sets fault counters to the values that event loops have reached since the previous change.
struct SetFaultCounters: WorldChange {
    static let kind = "set-fault-counters"

    let counters: [(id: FaultID, counters: FaultCounters)]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        for (id, counters) in counters { state.faults.rule(id)?.counters.withLock { $0 = counters } }
    }
}

extension SetFaultCounters {
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

extension Faults.Change: Archived {
    func write(to archive: inout ArchiveWriter) {
        archive.write(name)
        archive.write(isEnabled)
        archive.write(match != nil)
        if let match {
            archive.write(match.match)
            archive.write(match.connections)
        }
        archive.write(when)
        archive.write(action)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        name = try archive.read()
        isEnabled = try archive.read()
        if try archive.read(Bool.self) { match = (try archive.read(), try archive.read()) }
        when = try archive.read()
        action = try archive.read()
    }
}
