/// A step in the delivery of an accepted notification.
///
/// Documented: the metrics of Apple's push console are delivered, stored and discarded, with the reason (the
/// page viewing-the-status-of-push-notifications-using-metrics-and-apns of its UserNotifications reference).
/// Their exact labels are partly inferred. To add one, add a case and its row.
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

    /// The properties of a step.
    public struct Row: Sendable {
        /// The event in one word.
        public let event: StaticString
        /// The new state of the notification; `nil` if only the device knows about the step.
        public let state: StaticString?
        /// The state as Apple's console names it.
        public let status: StaticString?
        /// The reason, for programs; `nil` if there is none.
        public let detail: StaticString?
        /// Whether the service is done with the notification.
        public let isFinal: Bool
    }

    /// The properties of this step; the switch is exhaustive, so a case without a row does not compile.
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
