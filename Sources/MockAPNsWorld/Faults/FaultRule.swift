public import MockAPNsRules

final class FaultRule: Sendable {
    let id: FaultID
    let draft: FaultDraft
    /// Shared with the rule's other versions, when it is enabled or disabled.
    let counters: Locked<FaultCounters>
    private let tally: Locked<ContiguousArray<UInt64>>

    init(
        id: FaultID, draft: FaultDraft, counters: Locked<FaultCounters>,
        tally: Locked<ContiguousArray<UInt64>> = Locked(Tally.noFaults)
    ) {
        self.id = id
        self.draft = draft
        self.counters = counters
        self.tally = tally
    }

    func matches(_ request: borrowing RequestView, _ outline: PushOutline, on connection: ConnectionRecord) -> Bool {
        if draft.action.row.needsDelivery, outline.status != 200 { return false }
        guard draft.connections.isEmpty || draft.connections.matches(connection) else { return false }
        return draft.match?.condition(request, outline) ?? true
    }

    /// Counts an occasion that matches the conditions; returns the action if the fault fires.
    func fire(on occasion: FaultOccasion) -> FaultFiring? {
        guard draft.when.admits(occasion) else { return nil }
        return counters.withLock { counters in
            guard counters.fires(by: draft.when, at: occasion.now) else { return nil }
            let action = FaultAction.names.firstIndex(of: draft.action.name)
            tally.withLock { if let action { $0[action] &+= 1 } }
            var firing = FaultFiring(id: id, action: draft.action)
            if case .delay(let delay) = draft.action { firing.wait = counters.time(of: delay) }
            return firing
        }
    }

    func note(firedFor seq: UInt64) { counters.withLock { $0.note(firedFor: seq) } }

    func snapshot(position: Int) -> Fault {
        Fault(id: id, position: position, draft: draft, counters: counters.withLock { $0 })
    }
}

/// A fault that fires.
public struct FaultFiring: Sendable {
    /// The fault.
    public let id: FaultID
    /// The action.
    public let action: FaultAction
    /// The delay of the response in microseconds, for the action `delay`.
    public internal(set) var wait: Int64 = 0
}

/// A fault with its counters.
public struct Fault: Sendable {
    /// The number of the fault.
    public let id: FaultID
    /// The position in the list, from 1; only the first fault that fires applies.
    public let position: Int
    /// The definition of the fault.
    public let draft: FaultDraft
    let counters: FaultCounters
    /// The number of pushes or connections that matched its conditions.
    public var evaluated: UInt64 { counters.evaluated }
    /// How often it fired.
    public var fired: UInt64 { counters.fired }
    /// When it last fired, on the world's clock.
    public var lastFiredAt: Timestamp? { counters.lastFiredAt }
    /// The numbers of the last 20 pushes for which it fired, oldest first.
    public var firedFor: [UInt64] { counters.firedFor }
    /// The last 100 random numbers, oldest first.
    public var draws: [FaultDraw] { counters.draws }
}
