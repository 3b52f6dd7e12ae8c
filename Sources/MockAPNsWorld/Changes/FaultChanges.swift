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
    let change: FaultChange

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

extension FaultChange: Archived {
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
