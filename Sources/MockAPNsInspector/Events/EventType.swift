internal import MockAPNsWorld

/// The kinds of events of `/api/v1/events`; the names are part of the API.
///
/// To add one: add a case, and its data in `EventFeed`.
enum EventType: String, CaseIterable, Sendable {
    case pushReceived = "push.received"
    case pushResponded = "push.responded"
    case pushStored = "push.stored"
    case pushDelivered = "push.delivered"
    case pushDiscarded = "push.discarded"
    /// On the device, waiting for its app.
    case pushHeld = "push.held"
    /// Passed to its app on the device.
    case pushHandedOver = "push.handed-over"
    /// Discarded on the device.
    case pushDropped = "push.dropped"
    /// Sent to the subscribers of a channel.
    case pushPublished = "push.published"
    /// On the device: subscribed to a channel.
    case pushSubscribed = "push.subscribed"
    /// On the device: started a Live Activity.
    case pushStarted = "push.started"
    /// On the device: changed the content of a Live Activity.
    case pushUpdated = "push.updated"
    /// On the device: ended a Live Activity.
    case pushEnded = "push.ended"
    /// On the device: no Live Activity took it.
    case pushIgnored = "push.ignored"
    /// Its note or its pin; not one of the numbered events of a push.
    case pushChanged = "push.changed"
    /// Another push service answered it, or could not.
    case pushForwarded = "push.forwarded"
    case deviceChanged = "device.changed"
    case activityStarted = "activity.started"
    case activityUpdated = "activity.updated"
    case activityStale = "activity.stale"
    case activityEnded = "activity.ended"
    case activityDismissed = "activity.dismissed"
    /// It has another update token.
    case activityToken = "activity.token"
    case channelChanged = "channel.changed"
    case feedbackAdded = "feedback.added"
    case faultFired = "fault.fired"
    case connectionOpened = "connection.opened"
    case connectionClosed = "connection.closed"
    case clockChanged = "clock.changed"
    case appChanged = "app.changed"
    case savedPushesChanged = "saved-pushes.changed"
    case reset
    case mark

    init?(_ item: EventPage.Item) {
        switch item {
        case .received: self = .pushReceived
        case .responded: self = .pushResponded
        case .step(_, _, let event): self.init(rawValue: "push.\(event.row.event)")
        case .other(let event):
            switch event.kind {
            case .pushChanged: self = .pushChanged
            case .pushForwarded: self = .pushForwarded
            case .deviceChanged: self = .deviceChanged
            case .channelChanged: self = .channelChanged
            case .feedbackAdded: self = .feedbackAdded
            case .faultFired: self = .faultFired
            case .connectionOpened: self = .connectionOpened
            case .connectionClosed: self = .connectionClosed
            case .clockChanged: self = .clockChanged
            case .appChanged: self = .appChanged
            case .savedPushesChanged: self = .savedPushesChanged
            case .activityChanged(let step): self = EventType(step.kind)
            case .reset: self = .reset
            case .marked: self = .mark
            }
        }
    }

    init(_ kind: ActivityStep.Kind) {
        self =
            switch kind {
            case .started: .activityStarted
            case .updated: .activityUpdated
            case .stale: .activityStale
            case .ended: .activityEnded
            case .dismissed: .activityDismissed
            case .token: .activityToken
            }
    }

    /// What a client can choose: every group of kinds, and every kind.
    static let patterns: [String] = {
        var groups: [String] = []
        for type in allCases where type.rawValue.contains(".") {
            let group = String(type.rawValue.prefix { $0 != "." }) + ".*"
            if groups.last != group { groups.append(group) }
        }
        return groups + allCases.map(\.rawValue)
    }()

    /// The kinds that match a pattern; `nil` for an unknown one.
    static func types(of pattern: String) -> Set<EventType>? {
        guard patterns.contains(pattern) else { return nil }
        guard pattern.hasSuffix("*") else { return EventType(rawValue: pattern).map { [$0] } }
        return Set(allCases.filter { $0.rawValue.hasPrefix(pattern.dropLast()) })
    }
}

enum PushFields: String, CaseIterable, Sendable {
    case summary
    case full
}
