/// Who is told of changes, and what they were told of last.
struct ListenerList {
    /// How far a world has come: its epoch, its next number, its next event without one.
    typealias Place = (epoch: UInt64, seq: UInt64, event: UInt64)

    private var all: [UInt64: AsyncStream<Void>.Continuation] = [:]
    private var last: UInt64 = 0
    private var told: Place = (0, 0, 0)

    var count: Int { all.count }

    /// From now on somebody is told of changes.
    mutating func add(_ listener: AsyncStream<Void>.Continuation) -> UInt64 {
        last += 1
        all[last] = listener
        return last
    }

    mutating func remove(_ id: UInt64) { all[id] = nil }

    /// Those who listen, where the world has come further than they were told.
    mutating func take(at place: Place) -> [AsyncStream<Void>.Continuation] {
        guard !all.isEmpty, told != place else { return [] }
        told = place
        return Array(all.values)
    }
}
