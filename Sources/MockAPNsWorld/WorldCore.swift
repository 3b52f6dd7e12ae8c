internal import MockAPNsRules
internal import Synchronization

/// The shared parts of a world: its state under one lock, the clock, and the current ruleset.
final class WorldCore: Sendable {
    /// The value of `nextDue` if nothing is due.
    private static let never = Int64.max

    let clock = WorldClock()
    private let state: Locked<WorldState>
    private let current: Locked<Ruleset>
    /// Counts the changes of the ruleset.
    private let version = Atomic<UInt64>(1)
    private let nextDueTime = Atomic<Int64>(WorldCore.never)

    init(ruleset: Ruleset, journal: Journal.Capacity, devices: Devices.Options, seed: UInt64) {
        state = Locked(WorldState(journal: journal, devices: devices, seed: seed))
        current = Locked(ruleset)
    }

    /// Calls `use` with the state while holding the lock, after running due actions.
    ///
    /// When this returns, the ruleset includes all changes.
    func withState<Value, Failure: Error>(
        _ use: (inout WorldState, Timestamp) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var ended: [LinkState] = []
        var listeners: [AsyncStream<Void>.Continuation] = []
        let result = state.withLock { state in
            let now = clock.read().world
            state.settle(at: now)
            let result = Result { () throws(Failure) in try use(&state, now) }
            ended = state.takeEndedLinks()
            publishChanges(of: &state)
            // A push that is routed because of a change must also be judged with it.
            state.reportTokenChanges()
            listeners = state.takeListenersToTell()
            return result
        }
        // Resuming can block on a concurrent cancel, and a listener's end needs the lock, so resume after unlocking.
        for listener in listeners { listener.yield() }
        // Ending a stream calls back, so it must happen after unlocking.
        for link in ended { link.continuation.finish() }
        return try result.get()
    }

    /// The number of listeners to changes.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    private func publishChanges(of state: inout WorldState) {
        nextDueTime.store(state.devices.due.next ?? Self.never, ordering: .relaxed)
        guard state.devices.isIndexChanged || state.isEpochChanged || state.faults.isChanged else { return }
        let plan: FaultPlan?? = state.faults.isChanged ? .some(state.faults.plan) : nil
        state.devices.isIndexChanged = false
        state.isEpochChanged = false
        state.faults.isChanged = false
        let index = state.devices.index
        let epoch = state.log.epoch
        _ = changeRuleset { $0.with(index, epoch: epoch, faults: plan ?? $0.faults) }
    }

    /// The number of records read while holding the lock, limited so that pushes do not wait long.
    private static let mostAtOnce = 32

    /// Copies records from a snapshot, which the caller holds, with their current delivery states.
    func records(_ found: [FoundRecord], epoch: UInt64) -> [PushRecord] {
        var records: [PushRecord] = []
        records.reserveCapacity(found.count)
        for start in stride(from: 0, to: found.count, by: Self.mostAtOnce) {
            nonisolated(unsafe) let some = found[start..<min(start + Self.mostAtOnce, found.count)]
            let contexts = withState { state, _ in
                some.map { state.context(of: $0.record, $0.entry, epoch: epoch) }
            }
            records += zip(some, contexts).map { PushRecord($0.record, $1) }
        }
        return records
    }

    /// Returns the record with a number; `nil` if it is not kept.
    func record(_ seq: UInt64) -> PushRecord? {
        let found = withState { state, _ in
            state.log.find(seq).map { segment, position in
                // The segment keeps the bytes alive until they are copied.
                (segment, segment.entries[position].offset, state.context(in: segment, at: position))
            }
        }
        return found.map { segment, offset, context in
            withExtendedLifetime(segment) { PushRecord(segment.record(at: Int(offset)), context) }
        }
    }

    // MARK: Rules in force

    /// Counts the changes of the ruleset; must be read before `ruleset`.
    var rulesetVersion: UInt64 { version.load(ordering: .acquiring) }

    var ruleset: Ruleset { current.withLock { $0 } }

    func changeRuleset(_ change: (Ruleset) -> Ruleset) -> Ruleset {
        let changed = current.withLock { ruleset in
            ruleset = change(ruleset)
            return ruleset
        }
        version.wrappingAdd(1, ordering: .releasing)
        return changed
    }

    // MARK: What is due

    /// The time of the next due action.
    var nextDue: Timestamp? {
        let time = nextDueTime.load(ordering: .relaxed)
        return time == Self.never ? nil : Timestamp(microseconds: time)
    }

    /// Runs due actions; costs almost nothing if there are none.
    func settle(at now: Timestamp) {
        guard nextDueTime.load(ordering: .relaxed) <= now.microseconds else { return }
        withState { _, _ in }
    }
}
