internal import MockAPNsRules
internal import Synchronization

/// What the parts of a world share: its state under one lock, the clock, and the rules in force.
final class WorldCore: Sendable {
    /// What `nextDue` holds when nothing is.
    private static let never = Int64.max

    let clock = WorldClock()
    private let state: Locked<WorldState>
    private let current: Locked<Ruleset>
    /// Counts changes of the rules in force.
    private let version = Atomic<UInt64>(1)
    private let nextDueTime = Atomic<Int64>(WorldCore.never)

    init(ruleset: Ruleset, journal: Journal.Capacity, devices: Devices.Options, seed: UInt64) {
        state = Locked(WorldState(journal: journal, devices: devices, seed: seed))
        current = Locked(ruleset)
    }

    /// Lends the state while nobody else has it, brought to the present of the world's clock.
    ///
    /// What was changed is in the rules in force when this returns.
    func withState<Result>(_ use: (inout WorldState, Timestamp) -> Result) -> Result {
        var ended: [LinkState] = []
        var listeners: [AsyncStream<Void>.Continuation] = []
        let result = state.withLock { state in
            let now = clock.read().world
            state.settle(at: now)
            let result = use(&state, now)
            ended = state.takeEndedLinks()
            publishChanges(of: &state)
            listeners = state.takeListenersToTell()
            return result
        }
        // To wake a task is to wait for who cancels it at the same moment; and a listener's end needs the lock.
        for listener in listeners { listener.yield() }
        // Ending a stream calls back, so it must not happen under the lock.
        for link in ended { link.continuation.finish() }
        return result
    }

    /// How many listen to changes.
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

    /// Takes records out of a snapshot, which the caller holds, and says what has become of their notifications.
    func records(_ found: [Journal.Found], epoch: UInt64) -> [PushRecord] {
        nonisolated(unsafe) let found = found  // read only, and only until this call returns
        return withState { state, _ in found.map { state.record($0.record, $0.entry, epoch: epoch) } }
    }

    // MARK: Rules in force

    /// Counts changes of the rules in force; read before `ruleset`.
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

    /// The next moment at which something is due.
    var nextDue: Timestamp? {
        let time = nextDueTime.load(ordering: .relaxed)
        return time == Self.never ? nil : Timestamp(microseconds: time)
    }

    /// Runs what is due; costs next to nothing when nothing is.
    func settle(at now: Timestamp) {
        guard nextDueTime.load(ordering: .relaxed) <= now.microseconds else { return }
        withState { _, _ in }
    }
}
