struct AddFault: WorldChange {
    let draft: FaultDraft

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(FaultError) -> Fault {
        try state.faults.add(draft)
    }
}

/// Replaces a fault; its counters are reset.
struct ReplaceFault: WorldChange {
    let id: FaultID
    let draft: FaultDraft

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(FaultError) -> Fault {
        let position = try state.faults.place(of: id)
        return state.faults.replace(at: position, with: draft)
    }
}

/// Changes parts of a fault; its counters are kept unless its match, condition or action changes.
struct ChangeFault: WorldChange {
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

struct RemoveFaults: WorldChange {
    let ids: [FaultID]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        state.faults.rules.removeAll { ids.contains($0.id) }
    }
}

/// Reorders the faults; `ids` must list each of them once.
struct ReorderFaults: WorldChange {
    let ids: [FaultID]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(FaultError) -> [Fault] {
        try state.faults.reorder(ids)
        return state.faults.all
    }
}

/// Sets fault counters to the values that event loops have reached since the previous change.
struct SetFaultCounters: WorldChange {
    let counters: [(id: FaultID, counters: FaultCounters)]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        for (id, counters) in counters { state.faults.rule(id)?.counters.withLock { $0 = counters } }
    }
}
