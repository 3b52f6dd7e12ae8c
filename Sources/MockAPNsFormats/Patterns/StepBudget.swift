internal import Synchronization

/// The remaining steps that conditions may take.
///
/// A step is a few nanoseconds of work.
public final class StepBudget: Sendable {
    /// The cost of comparing values.
    public static let comparison = 50
    /// The cost of running lints.
    public static let lint = 2_000

    private let left: Atomic<Int>

    /// A budget of this many steps.
    public init(_ steps: Int) { left = Atomic(steps) }

    /// Whether the budget is exceeded.
    ///
    /// Conditions then stop and evaluate to false.
    public var isSpent: Bool { left.load(ordering: .relaxed) < 0 }

    /// The steps that are left; 0 if the budget is exceeded.
    package var remaining: Int { max(0, left.load(ordering: .relaxed)) }

    /// Takes steps.
    ///
    /// - Returns: Whether they were within the budget.
    @discardableResult public func take(_ steps: Int) -> Bool { left.subtract(steps, ordering: .relaxed).newValue >= 0 }

    /// Resets the budget.
    public func renew(_ steps: Int) { left.store(steps, ordering: .relaxed) }

    /// Adds steps to the budget.
    public func allow(_ steps: Int) { left.add(steps, ordering: .relaxed) }
}
