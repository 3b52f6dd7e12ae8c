internal import MockAPNsWorld

/// The kinds of events of `/api/v1/events`; the names are part of the API.
///
/// To add one: add a case, and say in `EventFeed` what it carries.
enum EventType: String, CaseIterable, Sendable {
    case pushReceived = "push.received"
    case pushResponded = "push.responded"
    case pushStored = "push.stored"
    case pushDelivered = "push.delivered"
    case pushDiscarded = "push.discarded"
    /// On the device: it waits for its app.
    case pushHeld = "push.held"
    /// On the device: its app has got it.
    case pushHandedOver = "push.handed-over"
    /// On the device: it was thrown away.
    case pushDropped = "push.dropped"
    case deviceChanged = "device.changed"
    case feedbackAdded = "feedback.added"
    case faultFired = "fault.fired"
    case connectionOpened = "connection.opened"
    case connectionClosed = "connection.closed"
    case clockChanged = "clock.changed"
    case reset
    case mark

    /// The kind of an event.
    init?(_ item: EventPage.Item) {
        switch item {
        case .received: self = .pushReceived
        case .responded: self = .pushResponded
        case .step(_, _, let event): self.init(rawValue: "push.\(event.row.event)")
        case .other(let event):
            switch event.kind {
            case .deviceChanged: self = .deviceChanged
            case .feedbackAdded: self = .feedbackAdded
            case .faultFired: self = .faultFired
            case .connectionOpened: self = .connectionOpened
            case .connectionClosed: self = .connectionClosed
            case .clockChanged: self = .clockChanged
            case .reset: self = .reset
            case .marked: self = .mark
            }
        }
    }

    // MARK: Choosing

    /// What may be asked for: every kind, and every group of kinds.
    static let patterns: [String] = {
        var groups: [String] = []
        for type in allCases {
            guard let dot = type.rawValue.firstIndex(of: ".") else { continue }
            let group = String(type.rawValue[..<dot]) + ".*"
            if !groups.contains(group) { groups.append(group) }
        }
        return groups + allCases.map(\.rawValue)
    }()

    /// The kinds that a pattern means; `nil` when it means none.
    static func types(of pattern: String) -> Set<EventType>? {
        guard patterns.contains(pattern) else { return nil }
        guard pattern.hasSuffix("*") else { return EventType(rawValue: pattern).map { [$0] } }
        return Set(allCases.filter { $0.rawValue.hasPrefix(pattern.dropLast()) })
    }
}

/// How much of a push is shown.
enum PushFields: String, CaseIterable, Sendable {
    case summary
    case full
}
