/// One step on the way of an accepted notification to its app.
///
/// Documented: the metrics of Apple's push console are delivered, stored and discarded, with the reason
/// (the page viewing-the-status-of-push-notifications-using-metrics-and-apns of its UserNotifications reference);
/// their exact labels are partly inferred. To add one: add a case and its row.
public enum DeliveryEvent: UInt8, CaseIterable, Sendable {
    case storedDeviceOffline
    case storedPowerConsiderations
    case delivered
    case deliveredFromStorage
    case discardedTokenUnregistered
    case discardedExpired
    case discardedDisabled
    /// A newer notification took its place: the only stored one of an app, or one of the same collapse id.
    case discardedCollapsed
    /// The device was offline for so long that the service gave it up.
    case discardedInactive
    /// On the device: a background notification that waits for its app to be launched.
    case held
    /// On the device: handed over when the app was launched.
    case handedOver
    /// On the device: thrown away, because the user had ended the app.
    case droppedForceQuit
    /// On the device: thrown away, because a newer background notification came.
    case droppedNewer
    /// On the device: thrown away with its app.
    case droppedUninstalled

    /// What is known of one step.
    public struct Row: Sendable {
        /// What happened, in one word.
        public let event: StaticString
        /// The state that the notification is in from now on; `nil` when only the device knows of the step.
        public let state: StaticString?
        /// The state in the words of Apple's console.
        public let status: StaticString?
        /// Why, for programs; `nil` when there is nothing to add.
        public let detail: StaticString?
        /// Whether the service has nothing more to do for the notification.
        public let isFinal: Bool
    }

    /// What is known of this step; the switch is exhaustive, so a case without a row does not compile.
    public var row: Row {
        switch self {
        case .storedDeviceOffline:
            Self.service(
                "stored",
                "stored-device-offline",
                "Stored - Device Offline",
                "device-offline",
                false
            )
        case .storedPowerConsiderations:
            Self.service(
                "stored",
                "stored-power-considerations",
                "Stored - Device Power Considerations",
                "power-considerations",
                false
            )
        case .delivered: Self.service("delivered", "delivered", "Delivered to Device", nil)
        case .deliveredFromStorage:
            Self.service(
                "delivered",
                "delivered-from-storage",
                "Delivered to Device (From Storage)",
                "from-storage"
            )
        case .discardedTokenUnregistered:
            Self.service(
                "discarded",
                "discarded-token-unregistered",
                "Discarded - Token Unregistered",
                "token-unregistered"
            )
        case .discardedExpired:
            Self.service("discarded", "discarded-expired", "Discarded - Expired", "expired")
        case .discardedDisabled:
            Self.service("discarded", "discarded-disabled", "Discarded - Disabled", "disabled")
        case .discardedCollapsed:
            Self.service("discarded", "discarded-collapsed", "Discarded - Collapsed", "newer-notification")
        case .discardedInactive:
            Self.service("discarded", "discarded-expired", "Discarded - Expired", "device-inactive")
        case .held: Self.onDevice("held", "app-not-running")
        case .handedOver: Self.onDevice("handed-over", "app-launched")
        case .droppedForceQuit: Self.onDevice("dropped", "force-quit")
        case .droppedNewer: Self.onDevice("dropped", "newer-notification")
        case .droppedUninstalled: Self.onDevice("dropped", "app-uninstalled")
        }
    }

    private static func service(
        _ event: StaticString,
        _ state: StaticString,
        _ status: StaticString,
        _ detail: StaticString?,
        _ isFinal: Bool = true
    ) -> Row {
        Row(event: event, state: state, status: status, detail: detail, isFinal: isFinal)
    }

    private static func onDevice(_ event: StaticString, _ detail: StaticString) -> Row {
        Row(event: event, state: nil, status: nil, detail: detail, isFinal: true)
    }
}
