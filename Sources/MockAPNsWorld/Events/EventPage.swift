/// The next events of a world, in the order in which they happened.
public struct EventPage: Sendable {
    /// One event.
    public enum Item: Sendable {
        case received(seq: UInt64)
        case responded(seq: UInt64)
        /// The notification of a push changed its state.
        case step(number: UInt64, seq: UInt64, DeliveryEvent)
        case other(WorldEvent)
    }

    /// The range of numbers in which events are no longer available; `nil` if none is missing.
    public internal(set) var lost: ClosedRange<UInt64>?
    /// The events.
    public internal(set) var items: [Item] = []
    /// The position after these events.
    public internal(set) var cursor: EventCursor
}

/// A reader's position in the events of a world.
public struct EventCursor: Equatable, Sendable {
    /// The number up to which the journal's events were read.
    public internal(set) var seq: UInt64
    /// The position of the next event that is not in the journal.
    var position: UInt64
    /// The number up to which the reader knows that events may be lost.
    var knownLost: UInt64

    /// Whether both continue at the same position, and know of the same lost events.
    public static func == (left: EventCursor, right: EventCursor) -> Bool {
        left.seq == right.seq && left.position == right.position
            && max(left.seq, left.knownLost) == max(right.seq, right.knownLost)
    }

    /// Returns the maximum number of events between this position and a later one; 0 if it is not later.
    public func distance(to later: EventCursor) -> UInt64 {
        (later.seq > seq ? later.seq - seq : 0) + (later.position > position ? later.position - position : 0)
    }
}

/// The arrivals and responses of pushes and the steps at the time of the response, in order of their numbers.
struct OwnEvents {
    private var records: JournalWalk
    private var entry: JournalEntry?
    /// 0 for the arrival, 1 for the response, 2 for the step at that time.
    private var part: UInt64 = 2
    private(set) var next: (number: UInt64, item: EventPage.Item)?

    init(in log: borrowing JournalLog, after seq: UInt64) {
        // The arrival of a push may have been read, but not its response or its first step.
        let earlier = seq > JournalEntry.ownNumbers ? seq - JournalEntry.ownNumbers : 0
        records = JournalWalk(log.snapshot(after: earlier))
        repeat { advance() } while next.map { $0.number <= seq } ?? false
    }

    /// Moves to the next event that exists.
    mutating func advance() {
        part += 1
        if part > (entry?.first == nil ? 1 : 2) {
            entry = records.next()?.entry
            part = 0
        }
        next = entry.map { entry in
            switch (part, entry.first) {
            case (0, _): (entry.seq, .received(seq: entry.seq))
            case (2, let step?): (entry.seq + 2, .step(number: entry.seq + 2, seq: entry.seq, step))
            default: (entry.seq + 1, .responded(seq: entry.seq))
            }
        }
    }
}
