public import MockAPNsRules

/// A fault in force: what it is never changes, what it has done is counted beside it.
final class FaultRule: Sendable {
    let id: FaultID
    let draft: FaultDraft
    /// Tells its random numbers from those of others.
    let stream: UInt64
    /// Touched only when the conditions hold; shared by the rule and what becomes of it when it is switched on or off.
    private let counters: Locked<FaultCounters>
    /// What all faults of a world have done.
    private let tally: FaultTally

    init(
        id: FaultID,
        draft: FaultDraft,
        seed: UInt64,
        stream: UInt64,
        tally: FaultTally = FaultTally()
    ) {
        self.id = id
        self.draft = draft
        self.stream = stream
        counters = Locked(FaultCounters(seed: seed, stream: stream))
        self.tally = tally
    }

    /// The same rule, as far as it has come, under another description of the same behaviour.
    init(_ other: FaultRule, draft: FaultDraft) {
        id = other.id
        self.draft = draft
        stream = other.stream
        counters = other.counters
        tally = other.tally
    }

    /// Whether a push is one that it is for.
    func matches(
        _ request: borrowing RequestView,
        _ outline: PushOutline,
        on connection: FaultConnection
    )
        -> Bool
    {
        if draft.action.row.needsDelivery, outline.status != 200 { return false }
        guard draft.connections.isEmpty || draft.connections.matches(connection) else { return false }
        return draft.match?.condition(request, outline) ?? true
    }

    /// Counts an occasion that its conditions let through; says whether it fires, and with what.
    func fire(on occasion: FaultOccasion) -> FaultFiring? {
        guard draft.when.admits(occasion) else { return nil }
        return counters.withLock { counters in
            guard counters.fires(by: draft.when, at: occasion.now) else { return nil }
            tally.note(draft.action)
            guard case .delay(let delay) = draft.action else {
                return FaultFiring(id: id, action: draft.action)
            }
            return FaultFiring(id: id, action: draft.action, wait: counters.time(of: delay))
        }
    }

    /// The last push that it fired for has got its number.
    func note(firedFor seq: UInt64) { counters.withLock { $0.note(firedFor: seq) } }

    /// The fault as it is now.
    func snapshot(position: Int) -> Fault {
        counters.withLock { counters in
            Fault(
                id: id,
                position: position,
                draft: draft,
                evaluated: counters.evaluated,
                fired: counters.fired,
                lastFiredAt: counters.lastFiredAt,
                firedFor: counters.firedFor,
                draws: counters.draws
            )
        }
    }
}

/// A fault that fires: what is to be done.
public struct FaultFiring: Sendable {
    /// The fault.
    public let id: FaultID
    /// What it does.
    public let action: FaultAction
    /// How long the answer waits, in microseconds, where waiting is what it does.
    public let wait: Int64

    init(id: FaultID, action: FaultAction, wait: Int64 = 0) {
        self.id = id
        self.action = action
        self.wait = wait
    }
}

/// A fault, and what it has done so far.
public struct Fault: Sendable {
    /// Its number.
    public let id: FaultID
    /// Its place in the list, from 1; the first that fires is the only one.
    public let position: Int
    /// What it is.
    public let draft: FaultDraft
    /// How many pushes or connections its conditions have let through.
    public let evaluated: UInt64
    /// How often it fired.
    public let fired: UInt64
    /// When it last did, on the world's clock.
    public let lastFiredAt: Timestamp?
    /// The numbers of the last 20 pushes it fired for, oldest first.
    public let firedFor: [UInt64]
    /// The last 100 random numbers it went by, oldest first.
    public let draws: [FaultDraw]
}
