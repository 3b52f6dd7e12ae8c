internal import Synchronization

/// How many clients there are of something.
final class ClientCount: Sendable {
    private let number = Atomic<Int>(0)

    var count: Int { number.load(ordering: .relaxed) }

    func begin() { number.add(1, ordering: .relaxed) }
    func end() { number.subtract(1, ordering: .relaxed) }
}
