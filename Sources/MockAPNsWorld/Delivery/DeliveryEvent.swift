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

        fileprivate init(
            _ event: StaticString,
            _ state: StaticString?,
            _ status: StaticString?,
            _ detail: StaticString?,
            isFinal: Bool = true
        ) {
            self.event = event
            self.state = state
            self.status = status
            self.detail = detail
            self.isFinal = isFinal
        }
    }

    /// The properties of this step; the switch is exhaustive, so a case without a row does not compile.
    public var row: Row {
        switch self {
        case .storedDeviceOffline:
            Row(
                "stored",
                "stored-device-offline",
                "Stored - Device Offline",
                "device-offline",
                isFinal: false
            )
        case .storedPowerConsiderations:
            Row(
                "stored",
                "stored-power-considerations",
                "Stored - Device Power Considerations",
                "power-considerations",
                isFinal: false
            )
        case .delivered: Row("delivered", "delivered", "Delivered to Device", nil)
        case .deliveredFromStorage:
            Row("delivered", "delivered-from-storage", "Delivered to Device (From Storage)", "from-storage")
        case .discardedTokenUnregistered:
            Row(
                "discarded",
                "discarded-token-unregistered",
                "Discarded - Token Unregistered",
                "token-unregistered"
            )
        case .discardedExpired: Row("discarded", "discarded-expired", "Discarded - Expired", "expired")
        case .discardedDisabled: Row("discarded", "discarded-disabled", "Discarded - Disabled", "disabled")
        case .discardedCollapsed:
            Row("discarded", "discarded-collapsed", "Discarded - Collapsed", "newer-notification")
        case .discardedInactive:
            Row("discarded", "discarded-expired", "Discarded - Expired", "device-inactive")
        case .held: Row("held", nil, nil, "app-not-running")
        case .handedOver: Row("handed-over", nil, nil, "app-launched")
        case .droppedForceQuit: Row("dropped", nil, nil, "force-quit")
        case .droppedNewer: Row("dropped", nil, nil, "newer-notification")
        case .droppedUninstalled: Row("dropped", nil, nil, "app-uninstalled")
        }
    }
}
