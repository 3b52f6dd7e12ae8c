public import MockAPNsRules

/// The delivery of an accepted notification so far.
public struct Delivery: Sendable {
    /// A step of the delivery.
    public struct Step: Sendable {
        /// The number of the event.
        public let seq: UInt64
        /// The time of the step on the world's clock.
        public let at: Timestamp
        /// The event.
        public let event: DeliveryEvent

        init(seq: UInt64, at: Timestamp, event: DeliveryEvent) {
            self.seq = seq
            self.at = at
            self.event = event
        }
    }

    /// The steps in order.
    public let steps: [Step]
    /// The label of the device, if it has one.
    public let deviceLabel: String?
    /// The state of the app when the notification reached the device; `nil` before that.
    public let appState: AppState?
    /// Whether the app was allowed to show notifications at that time.
    public let allowsNotifications: Bool

    init(steps: [Step], deviceLabel: String?, appState: AppState?, allowsNotifications: Bool) {
        self.steps = steps
        self.deviceLabel = deviceLabel
        self.appState = appState
        self.allowsNotifications = allowsNotifications
    }

    /// The number of the step with which the notification reached the device.
    var arrival: UInt64? {
        steps.first { $0.event == .delivered || $0.event == .deliveredFromStorage }?.seq
    }

    /// The last step of the service.
    public var state: DeliveryEvent? { steps.last { $0.event.row.state != nil }?.event }
}
