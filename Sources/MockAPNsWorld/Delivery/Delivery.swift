package import MockAPNsFormats
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
    }

    /// The steps in order.
    public let steps: [Step]
    /// The label of the device, if it has one.
    public let deviceLabel: String?
    /// The state of the app when the notification reached the device; `nil` before that.
    public let appState: AppState?
    /// Whether the app was allowed to show notifications at that time.
    public let allowsNotifications: Bool
    /// What became of a broadcast; `nil` for a push to a device.
    public var fanOut: FanOut?
    /// The Live Activity that the push started, changed or could not change; `nil` if there is none.
    public var activity: ActivityID?
    /// Why the device ignored a push to a Live Activity; `nil` if it did not.
    public var refusal: ActivityRefusal?
    /// The PushMagic with which the device is enrolled in device management; `nil` if it is not enrolled.
    public var pushMagic: String?

    var arrival: UInt64? { steps.first { $0.event == .delivered || $0.event == .deliveredFromStorage }?.seq }

    /// The last step of the service.
    public var state: DeliveryEvent? { steps.last { $0.event.row.state != nil }?.event }

    /// That step as Apple's console names it.
    public var status: StaticString? {
        steps.contains(where: \.event.isStored) ? state?.statusFromStorage : state?.row.status
    }
}

/// The state of an app when a notification reaches the device; `Reaction` and `AppDelivery` act on it.
///
/// The raw values are names in the API.
public enum AppState: String, CaseIterable, Sendable {
    /// The app is on the screen.
    case foreground
    /// The app is suspended, or running but not on the screen.
    case background
    /// The app is not running: it was not opened since the device started, or the system terminated it.
    case terminated
    /// The user has force-quit the app; the system does not wake it until it is opened again.
    case forceQuit

    /// Whether the app runs or is suspended.
    package var isRunning: Bool { self == .foreground || self == .background }
}

extension AppState: Archived {}

extension Delivery.Step: MemberwiseArchived {
    package static let format = ArchiveFormat(Delivery.Step.init(seq:at:event:), \.seq, \.at, \.event)
}
