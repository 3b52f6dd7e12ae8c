/// A reader's position in the events of a world.
public struct EventCursor: Equatable, Sendable {
    /// Every event of the journal up to this number has been read.
    public internal(set) var seq: UInt64
    /// Events besides those of the journal, by their position.
    var position: UInt64
    /// The reader knows that events up to this number may be lost.
    var knownLost: UInt64

    /// Whether both continue at the same place, and neither has to hear of events that the other knows to be lost.
    public static func == (left: EventCursor, right: EventCursor) -> Bool {
        left.seq == right.seq && left.position == right.position
            && max(left.seq, left.knownLost) == max(right.seq, right.knownLost)
    }

    /// How many events at most lie between this place and a later one; 0 where that is not later.
    public func distance(to later: EventCursor) -> UInt64 {
        (later.seq > seq ? later.seq - seq : 0) + (later.position > position ? later.position - position : 0)
    }
}
