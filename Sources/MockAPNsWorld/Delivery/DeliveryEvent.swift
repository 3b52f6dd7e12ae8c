package import MockAPNsFormats

/// A step in the delivery of an accepted notification.
///
/// Documented: the metrics of Apple's push console are delivered, stored and discarded, with the reason (the
/// page viewing-the-status-of-push-notifications-using-metrics-and-apns of its UserNotifications reference).
/// Their labels were observed in the console (https://seacode.uk/swift/push-notifications-console); "Collapsed" and
/// "Published to Channel" are ours. To add one, add a case and its row.
public enum DeliveryEvent: UInt8, CaseIterable, Sendable {
    case storedDeviceOffline
    case storedPowerConsiderations
    case delivered
    case deliveredFromStorage
    case discardedTokenUnregistered
    case discardedExpired
    case discardedDisabled
    /// A newer notification replaced it: as the stored one of the app, or with the same collapse ID.
    case discardedCollapsed
    /// The device was offline for too long.
    case discardedInactive
    /// On the device: a background notification is held until its app is launched.
    case held
    /// On the device: passed to the app when it was launched.
    case handedOver
    /// On the device: dropped, because the user had force-quit the app.
    case droppedForceQuit
    /// On the device: dropped, because a newer background notification arrived.
    case droppedNewer
    /// On the device: dropped, because the app was uninstalled.
    case droppedUninstalled
    /// A broadcast was sent to the subscribers of its channel; `FanOut` tells what became of it.
    case published
    /// On the device: the push started a Live Activity, which subscribed to a channel.
    case subscribed
    /// On the device: the push did not start its Live Activity, because there is no such channel (documented).
    case droppedUnknownChannel
    /// On the device: the push started a Live Activity.
    case activityStarted
    /// On the device: the push changed the content of a Live Activity.
    case activityUpdated
    /// On the device: the push ended a Live Activity.
    case activityEnded
    /// On the device: no Live Activity took the push; `Delivery.refusal` says why.
    case activityIgnored
    /// The app was uninstalled, and the service does not know yet: its token is still valid.
    case discardedUninstalled

    /// The properties of this step; the switch is exhaustive, so a case without a row does not compile.
    ///
    /// - `event`: the event in one word
    /// - `state`: the new state of the notification; `nil` if only the device knows about the step
    /// - `status`: the state as Apple's console names it
    /// - `detail`: the reason, for programs; `nil` if there is none
    public var row: (event: StaticString, state: StaticString?, status: StaticString?, detail: StaticString?) {
        switch self {
        case .storedDeviceOffline: ("stored", "stored-device-offline", "Stored - Device Offline", "device-offline")
        case .storedPowerConsiderations:
            ("stored", "stored-power-considerations", "Stored - Power Considerations", "power-considerations")
        case .delivered: ("delivered", "delivered", "Delivered to Device", nil)
        case .deliveredFromStorage:
            ("delivered", "delivered-from-storage", "Delivered to Device (From Storage)", "from-storage")
        case .discardedTokenUnregistered:
            ("discarded", "discarded-token-unregistered", "Discarded - Token Unregistered", "token-unregistered")
        case .discardedExpired: ("discarded", "discarded-expired", "Discarded - Expired", "expired")
        case .discardedDisabled: ("discarded", "discarded-disabled", "Discarded - Disabled", "disabled")
        case .discardedCollapsed: ("discarded", "discarded-collapsed", "Discarded - Collapsed", "newer-notification")
        case .discardedInactive: ("discarded", "discarded-expired", "Discarded - Expired", "device-inactive")
        case .held: ("held", nil, nil, "app-not-running")
        case .handedOver: ("handed-over", nil, nil, "app-launched")
        case .droppedForceQuit: ("dropped", nil, nil, "force-quit")
        case .droppedNewer: ("dropped", nil, nil, "newer-notification")
        case .droppedUninstalled: ("dropped", nil, nil, "app-uninstalled")
        case .published: ("published", "published", "Published to Channel", nil)
        case .subscribed: ("subscribed", nil, nil, "input-push-channel")
        case .droppedUnknownChannel: ("dropped", nil, nil, "unknown-channel")
        case .activityStarted: ("started", nil, nil, "live-activity")
        case .activityUpdated: ("updated", nil, nil, "live-activity")
        case .activityEnded: ("ended", nil, nil, "live-activity")
        case .activityIgnored: ("ignored", nil, nil, "live-activity")
        // Inferred: the console has no state for it, and the token is not unregistered yet.
        case .discardedUninstalled:
            ("discarded", "discarded-app-not-installed", "Discarded - App Not Installed", "app-not-installed")
        }
    }

    /// The state of a notification that was stored before, as Apple's console names it.
    public var statusFromStorage: StaticString? {
        switch self {
        case .discardedTokenUnregistered: "Discarded - Token Unregistered (From Storage)"
        case .discardedDisabled: "Discarded - Disabled (From Storage)"
        default: row.status
        }
    }

    /// The console's name for the state of a notification that was accepted and went no further.
    public static let receivedStatus: StaticString = "Received by APNs"
}

extension DeliveryEvent: Archived {
    /// The name in logs: the event in one word, and the reason if it has one.
    package var name: String { Self.names[Int(rawValue)] }

    /// The names by number: logs write one for each push.
    private static let names = allCases.map { event in
        let row = event.row
        return row.detail.map { "\(row.event) \($0)" } ?? "\(row.event)"
    }

    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// Finds the step with a name.
    package init?(name: String) {
        guard let event = Self.named[name] else { return nil }
        self = event
    }

    package func write(to archive: inout ArchiveWriter) { archive.write(name) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        guard let event = DeliveryEvent(name: try archive.read()) else { throw .badValue }
        self = event
    }
}
