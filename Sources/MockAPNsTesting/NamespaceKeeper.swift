internal import Synchronization

/// Decides whether the namespace of a test outlives the test, because the report of a failure leads to its page.
final class NamespaceKeeper: Sendable {
    /// How many more namespaces can be kept.
    ///
    /// They go to waste for an hour, and a server has at most 1,000.
    final class Budget: Sendable {
        /// The one of this process.
        static let shared = Budget(100)

        private let free: Atomic<Int>

        init(_ most: Int) { free = Atomic(most) }

        /// Returns whether another one can be kept, and counts it.
        func take() -> Bool { free.subtract(1, ordering: .relaxed).oldValue > 0 }
    }

    private enum State { case undecided, kept, deleted }

    private let budget: Budget
    private let state = Mutex(State.undecided)

    init(_ budget: Budget = .shared) { self.budget = budget }

    /// Whether the namespace stays when its test ends.
    var isKept: Bool { state.withLock { $0 == .kept } }

    /// Keeps the namespace if that is still possible, and returns whether it is kept.
    func keep() -> Bool {
        state.withLock { state in
            if state == .undecided { state = budget.take() ? .kept : .deleted }
            return state == .kept
        }
    }
}
