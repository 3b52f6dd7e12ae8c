internal import MockAPNsRules

/// How often faults of a world have fired, by action.
///
/// The counts are kept when faults are changed or deleted, and by resets.
final class FaultTally: Sendable {
    private let fired = Locked(ContiguousArray<UInt64>(repeating: 0, count: FaultAction.names.count))

    /// The counts, in the order of `FaultAction.names`.
    var counts: ContiguousArray<UInt64> { fired.withLock { $0 } }

    func note(_ action: FaultAction) {
        guard let place = FaultAction.names.firstIndex(of: action.name) else { return }
        fired.withLock { $0[place] &+= 1 }
    }
}
