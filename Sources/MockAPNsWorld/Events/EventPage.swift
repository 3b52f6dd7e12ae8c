/// The next events of a world, in the order in which they happened.
public struct EventPage: Sendable {
    /// One event.
    public enum Item: Sendable {
        /// A push arrived.
        case received(seq: UInt64)
        /// A push was answered.
        case responded(seq: UInt64)
        /// The notification of a push changed its state.
        case step(number: UInt64, seq: UInt64, DeliveryEvent)
        /// Another event.
        case other(WorldEvent)
    }

    /// The range of numbers in which events are no longer available; `nil` if none is missing.
    public internal(set) var lost: ClosedRange<UInt64>?
    /// The events.
    public internal(set) var items: [Item] = []
    /// The position after these events.
    public internal(set) var cursor: EventCursor
}
