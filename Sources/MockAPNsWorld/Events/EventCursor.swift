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
