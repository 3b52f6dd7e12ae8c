internal import Synchronization

/// Counts clients.
package final class ClientCount: Sendable {
    private let number = Atomic<Int>(0)

    /// Creates a counter at 0.
    package init() {}

    /// The number of clients.
    package var count: Int { number.load(ordering: .relaxed) }

    /// Adds a client.
    package func begin() { number.add(1, ordering: .relaxed) }
    /// Removes a client.
    package func end() { number.subtract(1, ordering: .relaxed) }
}
