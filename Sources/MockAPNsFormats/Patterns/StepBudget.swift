internal import Synchronization

/// The steps that conditions may still take, each a few nanoseconds of work.
package final class StepBudget: Sendable {
    /// What a condition costs that only compares values.
    package static let comparison = 50
    /// What finding lints costs.
    package static let lint = 2_000

    private let left: Atomic<Int>

    package init(_ steps: Int) { left = Atomic(steps) }

    /// Whether more steps were taken than allowed; conditions stop then and do not hold.
    package var isSpent: Bool { left.load(ordering: .relaxed) < 0 }

    /// Takes steps.
    ///
    /// - Returns: whether they were allowed.
    @discardableResult
    package func take(_ steps: Int) -> Bool { left.subtract(steps, ordering: .relaxed).newValue >= 0 }

    /// Begins anew, with so many steps.
    package func renew(_ steps: Int) { left.store(steps, ordering: .relaxed) }

    /// Allows more steps.
    package func allow(_ steps: Int) { left.add(steps, ordering: .relaxed) }
}
