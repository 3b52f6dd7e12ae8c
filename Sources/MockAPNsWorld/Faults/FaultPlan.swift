public import MockAPNsRules

/// The enabled faults in order, immutable; only the first one that fires applies.
public final class FaultPlan: Sendable {
    private let pushes: [FaultRule]
    private let connections: [FaultRule]
    private let idle: [FaultRule]

    /// Returns `nil` if no fault is enabled, so that a push only checks this.
    init?(_ rules: [FaultRule]) {
        let enabled = rules.filter(\.draft.isEnabled)
        guard !enabled.isEmpty else { return nil }
        connections = enabled.filter { $0.draft.action.row.stage == .connection }
        idle = enabled.filter(\.draft.isForIdle)
        pushes = enabled.filter { $0.draft.action.row.stage == .push && !$0.draft.isForIdle }
    }

    /// Whether any fault applies to idle connections.
    public var hasIdleFaults: Bool { !idle.isEmpty }

    /// Returns the fault for a push that was judged.
    public func firing(
        for request: borrowing RequestView, _ outline: PushOutline, on connection: ConnectionRecord,
        _ occasion: FaultOccasion
    ) -> FaultFiring? {
        for rule in pushes where rule.matches(request, outline, on: connection) {
            if let firing = rule.fire(on: occasion) { return firing }
        }
        return nil
    }

    /// Returns the fault for a connection that was accepted.
    public func firing(accepting connection: ConnectionRecord, at now: Timestamp) -> FaultFiring? {
        for rule in connections where rule.draft.connections.matches(connection) {
            if let firing = rule.fire(on: FaultOccasion(now: now)) { return firing }
        }
        return nil
    }

    /// Returns the fault for an idle connection.
    ///
    /// `asked` has the faults that were evaluated since the last request; each is evaluated once.
    public func firing(
        idling connection: ConnectionRecord, _ occasion: FaultOccasion, asked: inout [FaultID]
    ) -> FaultFiring? {
        for rule in idle where !asked.contains(rule.id) && rule.draft.connections.matches(connection) {
            guard rule.draft.when.admits(occasion) else { continue }
            asked.append(rule.id)
            if let firing = rule.fire(on: occasion) { return firing }
        }
        return nil
    }

    /// Whether a fault is enabled.
    public func has(_ id: FaultID) -> Bool { (pushes + idle).contains { $0.id == id } }
}
