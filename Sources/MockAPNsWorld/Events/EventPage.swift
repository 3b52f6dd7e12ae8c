/// The next events of a world, in the order in which they happened.
public struct EventPage: Sendable {
    /// One event.
    public enum Item: Sendable {
        /// A push arrived.
        case received(seq: UInt64)
        /// It was answered.
        case responded(seq: UInt64)
        /// Something became of its notification.
        case step(number: UInt64, seq: UInt64, DeliveryEvent)
        /// Something else happened.
        case other(WorldEvent)
    }

    /// The numbers among which events are not kept any more; `nil` when none is missing.
    public internal(set) var lost: ClosedRange<UInt64>?
    /// The events.
    public internal(set) var items: [Item] = []
    /// Where to read on.
    public internal(set) var cursor: EventCursor
}
