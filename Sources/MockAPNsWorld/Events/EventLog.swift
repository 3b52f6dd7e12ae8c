internal import DequeModule

/// The latest events of a world besides the steps of pushes.
struct EventLog {
    /// Events kept.
    static let capacity = 10_000

    private var events: Deque<WorldEvent> = []
    /// How many there have been.
    private(set) var end: UInt64 = 0

    /// The position of the oldest event kept.
    var start: UInt64 { end - UInt64(events.count) }

    /// The event at a position, which must be kept.
    subscript(position: UInt64) -> WorldEvent { events[Int(position - start)] }

    mutating func note(_ kind: WorldEvent.Kind, after seq: UInt64) {
        if events.count == Self.capacity { events.removeFirst() }
        events.append(WorldEvent(after: seq, kind: kind))
        end += 1
    }

    /// The position of the first event that happened when `seq`, or a later one, was the newest number.
    func position(from seq: UInt64) -> UInt64 {
        let position = UInt64(events.partitioningIndex { $0.after >= seq })
        // A dropped event may have been at the same number.
        return position == 0 && start > 0 ? start - 1 : start + position
    }
}
