public import MockAPNsRules

/// The way of one accepted notification to its app, so far.
public struct Delivery: Sendable {
    /// A step, and when it was taken.
    public struct Step: Sendable {
        /// The number of the event.
        public let seq: UInt64
        /// When, on the world's clock.
        public let at: Timestamp
        /// What happened.
        public let event: DeliveryEvent

        init(seq: UInt64, at: Timestamp, event: DeliveryEvent) {
            self.seq = seq
            self.at = at
            self.event = event
        }
    }

    /// The steps, in their order.
    public let steps: [Step]
    /// The label of the device, if it has one.
    public let deviceLabel: String?
    /// What the app was doing when the notification reached the device; `nil` before that.
    public let appState: AppState?
    /// Whether the user let the app show notifications then.
    public let allowsNotifications: Bool

    init(steps: [Step], deviceLabel: String?, appState: AppState?, allowsNotifications: Bool) {
        self.steps = steps
        self.deviceLabel = deviceLabel
        self.appState = appState
        self.allowsNotifications = allowsNotifications
    }

    /// The number of the step by which the notification reached the device.
    var arrival: UInt64? {
        steps.first { $0.event == .delivered || $0.event == .deliveredFromStorage }?.seq
    }

    /// What the service last did with the notification.
    public var state: DeliveryEvent? { steps.last { $0.event.row.state != nil }?.event }
}
