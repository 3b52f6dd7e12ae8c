internal import Synchronization

/// Ends all calls of connections that wait for a database, and every later one.
final class Interruption: Sendable {
    private let flag = Atomic<Bool>(false)

    var hasBegun: Bool { flag.load(ordering: .acquiring) }

    func begin() { flag.store(true, ordering: .releasing) }
}
