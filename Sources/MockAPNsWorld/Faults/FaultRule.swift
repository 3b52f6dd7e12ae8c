public import MockAPNsRules

/// A fault of a world: its immutable draft, and its counters.
final class FaultRule: Sendable {
    let id: FaultID
    let draft: FaultDraft
    /// The number that selects its random numbers.
    let stream: UInt64
    /// Used only if the conditions match; shared with the rule's other versions, when it is enabled or
    /// disabled.
    private let counters: Locked<FaultCounters>
    /// The counts of all faults of a world.
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

    /// Creates a version of a rule with the same behavior and the same counters.
    init(_ other: FaultRule, draft: FaultDraft) {
        id = other.id
        self.draft = draft
        stream = other.stream
        counters = other.counters
        tally = other.tally
    }

    /// Whether the fault applies to a push.
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

    /// Counts an occasion that matches the conditions; returns the action if the fault fires.
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

    /// Records the number of the last push for which it fired.
    func note(firedFor seq: UInt64) { counters.withLock { $0.note(firedFor: seq) } }

    /// Returns the current state of the fault.
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

/// A fault that fires.
public struct FaultFiring: Sendable {
    /// The fault.
    public let id: FaultID
    /// The action.
    public let action: FaultAction
    /// The delay of the response in microseconds, for the action `delay`.
    public let wait: Int64

    init(id: FaultID, action: FaultAction, wait: Int64 = 0) {
        self.id = id
        self.action = action
        self.wait = wait
    }
}

/// A fault with its counters.
public struct Fault: Sendable {
    /// The number of the fault.
    public let id: FaultID
    /// The position in the list, from 1; only the first fault that fires applies.
    public let position: Int
    /// The definition of the fault.
    public let draft: FaultDraft
    /// The number of pushes or connections that matched its conditions.
    public let evaluated: UInt64
    /// How often it fired.
    public let fired: UInt64
    /// When it last fired, on the world's clock.
    public let lastFiredAt: Timestamp?
    /// The numbers of the last 20 pushes for which it fired, oldest first.
    public let firedFor: [UInt64]
    /// The last 100 random numbers, oldest first.
    public let draws: [FaultDraw]
}
