internal import MockAPNsRules

/// The faults of a world, in order; the first one that fires applies to a push or a connection.
///
/// A change applies to every request that arrives after the call has returned.
public struct Faults: Sendable {
    /// A change of a fault.
    public typealias Change = FaultChange

    let world: World

    /// All faults in order.
    public var all: [Fault] { world.withState { state, _ in state.faults.all } }

    /// Returns a fault.
    public func fault(_ id: FaultID) throws(FaultError) -> Fault {
        try world.withState { state, _ throws(FaultError) in
            let position = try state.faults.place(of: id)
            return state.faults.rules[position].snapshot(position: position + 1)
        }
    }

    /// Adds a fault at the end of the list.
    public func add(_ draft: FaultDraft) throws(FaultError) -> Fault { try world.commit(AddFault(draft: draft)) }

    /// Replaces a fault; it keeps its position, and its counters are reset.
    public func replace(_ id: FaultID, with draft: FaultDraft) throws(FaultError) -> Fault {
        try world.commit(ReplaceFault(id: id, draft: draft))
    }

    /// Changes parts of a fault; this resets its counters, except for a change of `name` or `isEnabled`.
    public func change(_ id: FaultID, _ change: Change) throws(FaultError) -> Fault {
        try world.commit(ChangeFault(id: id, change: change))
    }

    /// Deletes a fault.
    public func remove(_ id: FaultID) throws(FaultError) {
        try world.withLockedState { state, time throws(FaultError) in
            _ = try state.faults.place(of: id)
            state.perform(RemoveFaults(ids: [id]), at: time)
        }
    }

    /// Deletes all faults that match `condition`, and returns their number.
    public func removeAll(where condition: (FaultDraft) -> Bool = { _ in true }) -> Int {
        world.withLockedState { state, time in
            let ids = state.faults.rules.filter { condition($0.draft) }.map(\.id)
            state.perform(RemoveFaults(ids: ids), at: time)
            return ids.count
        }
    }

    /// Sorts the faults into the given order, which lists each of them once, and returns them.
    public func reorder(_ ids: [FaultID]) throws(FaultError) -> [Fault] { try world.commit(ReorderFaults(ids: ids)) }

    /// Returns for which pushes a new fault would have fired if it were the only one.
    ///
    /// `pushes` are those that match its condition on pushes, oldest first. Returns how many of them also
    /// match its connections, and the numbers of those for which it would have fired.
    public func rehearse(_ draft: FaultDraft, on pushes: [PushRecord]) -> (matched: Int, hits: [UInt64]) {
        var counters = world.withState { state, _ in state.faults.nextCounters }
        var lastRequests: [UInt64: Timestamp] = [:]
        var matched = 0
        var hits: [UInt64] = []
        for push in pushes {
            let connection = ConnectionRecord(
                id: push.connectionID, remoteAddress: push.connection?.remoteAddress ?? "",
                environment: push.environment, openedAt: push.receivedAt)
            guard draft.connections.matches(connection) else { continue }
            matched += 1
            let last = lastRequests.updateValue(push.receivedAt, forKey: push.connectionID)
            let occasion = FaultOccasion(
                now: push.clockTime, requestsBefore: Int(push.requestOnConnection) - 1,
                idle: last.map { push.receivedAt.microseconds(since: $0) })
            guard draft.when.admits(occasion), counters.fires(by: draft.when, at: push.clockTime) else { continue }
            hits.append(push.seq)
        }
        return (matched, hits)
    }
}
