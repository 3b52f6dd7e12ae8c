public import MockAPNsRules

/// The faults in force, in their order, as one value that never changes.
///
/// The first that fires is the only one; one that is for a push but does not fire lets the next have it.
public final class FaultPlan: Sendable {
    /// For pushes.
    private let pushes: [FaultRule]
    /// For connections that are accepted.
    private let connections: [FaultRule]
    /// For connections on which nothing moves.
    private let idle: [FaultRule]

    /// `nil` when no fault is switched on: that is all that a push then looks at.
    init?(_ rules: [FaultRule]) {
        let enabled = rules.filter(\.draft.isEnabled)
        guard !enabled.isEmpty else { return nil }
        connections = enabled.filter { $0.draft.action.row.stage == .connection }
        idle = enabled.filter(\.draft.isForIdle)
        pushes = enabled.filter { $0.draft.action.row.stage == .push && !$0.draft.isForIdle }
    }

    /// Whether any fault happens to connections on which nothing moves.
    public var hasIdleFaults: Bool { !idle.isEmpty }

    /// The fault that happens to a push, when it has been judged.
    public func firing(
        for request: borrowing RequestView,
        _ outline: PushOutline,
        on connection: FaultConnection,
        _ occasion: FaultOccasion
    ) -> FaultFiring? {
        for rule in pushes where rule.matches(request, outline, on: connection) {
            if let firing = rule.fire(on: occasion) { return firing }
        }
        return nil
    }

    /// The fault that happens to a connection that is accepted.
    public func firing(accepting connection: FaultConnection, at now: Timestamp) -> FaultFiring? {
        for rule in connections where rule.draft.connections.matches(connection) {
            if let firing = rule.fire(on: FaultOccasion(now: now)) { return firing }
        }
        return nil
    }

    /// The fault that happens to a connection on which nothing moves.
    ///
    /// `asked` has the faults that had their occasion since the last request; each has one.
    public func firing(
        idling connection: FaultConnection,
        _ occasion: FaultOccasion,
        asked: inout [FaultID]
    ) -> FaultFiring? {
        for rule in idle where !asked.contains(rule.id) && rule.draft.connections.matches(connection) {
            guard rule.draft.when.admits(occasion) else { continue }
            asked.append(rule.id)
            if let firing = rule.fire(on: occasion) { return firing }
        }
        return nil
    }

    /// Whether a fault is still in force.
    public func has(_ id: FaultID) -> Bool {
        pushes.contains { $0.id == id } || idle.contains { $0.id == id }
    }
}
