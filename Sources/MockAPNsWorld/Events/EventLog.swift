/// The latest events of a world besides the steps of pushes: a ring, once it is full.
struct EventLog {
    /// Events kept.
    static let capacity = 10_000

    private var events: ContiguousArray<WorldEvent> = []
    /// How many there have been.
    private(set) var end: UInt64 = 0

    /// The position of the oldest event kept.
    var start: UInt64 { end - UInt64(events.count) }

    /// The event at a position, which must be kept.
    subscript(position: UInt64) -> WorldEvent {
        // A ring that is not full begins at its first place.
        events[Int(position % UInt64(Self.capacity))]
    }

    mutating func note(_ kind: WorldEvent.Kind, after seq: UInt64) {
        let event = WorldEvent(after: seq, kind: kind)
        if events.count < Self.capacity {
            events.append(event)
        } else {
            events[Int(end % UInt64(Self.capacity))] = event
        }
        end += 1
    }

    /// The position of the first event that happened when `seq`, or a later one, was the newest number.
    func position(from seq: UInt64) -> UInt64 {
        var (low, high) = (start, end)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].after >= seq { high = middle } else { low = middle + 1 }
        }
        // What a full ring has let go may have stood there, too.
        return low == start && start > 0 ? start - 1 : low
    }
}
