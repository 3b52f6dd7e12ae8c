internal import DequeModule
public import MockAPNsRules

/// An event in a world that is not a step of a push.
///
/// It has no number; it follows the newest event of the journal at that time. It refers to its subject and
/// does not copy it, so a lookup returns the current state.
public struct WorldEvent: Sendable {
    /// The kind of event.
    public enum Kind: Sendable {
        /// A device or one of its apps was created, changed or deleted.
        case deviceChanged(DeviceID)
        /// A device token became invalid.
        case feedbackAdded(DeviceToken)
        /// A fault fired; `push` is the push, if there was one.
        case faultFired(UInt32, push: UInt64?)
        case connectionOpened(UInt64)
        case connectionClosed(UInt64)
        /// The clock was frozen, set or advanced.
        case clockChanged
        /// The mark with this number was set.
        case marked(UInt64)
        case reset(ResetReport)
    }

    /// The number of the newest event of the journal when it happened.
    public let after: UInt64
    /// The kind of event.
    public let kind: Kind
}

/// The latest events of a world, except the steps of pushes.
struct EventLog {
    static let capacity = 10_000

    private var events: Deque<WorldEvent> = []
    private(set) var end: UInt64 = 0

    var start: UInt64 { end - UInt64(events.count) }

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
