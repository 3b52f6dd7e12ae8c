/// The listeners to changes, and the state of which they were last informed.
struct ListenerList {
    /// The progress of a world: its epoch, its next number, and the position of its next event without a
    /// number.
    typealias Place = (epoch: UInt64, seq: UInt64, event: UInt64)

    private var all: [UInt64: AsyncStream<Void>.Continuation] = [:]
    private var last: UInt64 = 0
    private var reported: Place = (0, 0, 0)

    var count: Int { all.count }

    mutating func add(_ listener: AsyncStream<Void>.Continuation) -> UInt64 {
        last += 1
        all[last] = listener
        return last
    }

    mutating func remove(_ id: UInt64) { all[id] = nil }

    /// Returns the listeners if the world has changed since they were last informed.
    mutating func take(at place: Place) -> [AsyncStream<Void>.Continuation] {
        guard !all.isEmpty, reported != place else { return [] }
        reported = place
        return Array(all.values)
    }
}
