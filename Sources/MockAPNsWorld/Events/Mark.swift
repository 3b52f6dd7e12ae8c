internal import DequeModule
public import MockAPNsRules

/// A label in the event stream, for people: `test "shipsOrder" started`.
public struct Mark: Equatable, Sendable {
    /// The number of the mark in its world, from 1.
    public let number: UInt64
    /// The number of the newest event when the mark was set.
    public let seq: UInt64
    /// The time on the world's clock.
    public let at: Timestamp
    /// The text as received, which is untrusted.
    public let text: String
}

struct MarkList {
    static let capacity = 1_000

    private(set) var all: Deque<Mark> = []
    private var last: UInt64 = 0

    mutating func add(_ text: String, after seq: UInt64, at moment: Timestamp) -> Mark {
        last += 1
        let mark = Mark(number: last, seq: seq, at: moment, text: text)
        if all.count == Self.capacity { all.removeFirst() }
        all.append(mark)
        return mark
    }

    subscript(number: UInt64) -> Mark? {
        guard let first = all.first, number >= first.number, number <= last else { return nil }
        return all[Int(number - first.number)]
    }

    mutating func removeAll() { all.removeAll() }
}
