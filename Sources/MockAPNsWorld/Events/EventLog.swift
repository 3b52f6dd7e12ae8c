internal import DequeModule

/// The latest events of a world, except the steps of pushes.
struct EventLog {
    /// The maximum number of events.
    static let capacity = 10_000

    private var events: Deque<WorldEvent> = []
    /// The number of events so far.
    private(set) var end: UInt64 = 0

    /// The position of the oldest available event.
    var start: UInt64 { end - UInt64(events.count) }

    /// The event at a position, which must be available.
    subscript(position: UInt64) -> WorldEvent { events[Int(position - start)] }

    mutating func note(_ kind: WorldEvent.Kind, after seq: UInt64) {
        if events.count == Self.capacity { events.removeFirst() }
        events.append(WorldEvent(after: seq, kind: kind))
        end += 1
    }

    /// Returns the position of the first event that happened when the newest number was `seq` or later.
    func position(from seq: UInt64) -> UInt64 {
        let position = UInt64(events.partitioningIndex { $0.after >= seq })
        // The dropped event before it may have happened at the same number.
        return position == 0 && start > 0 ? start - 1 : start + position
    }
}
