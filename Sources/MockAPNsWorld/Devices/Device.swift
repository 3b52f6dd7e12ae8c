public import MockAPNsRules

/// The state of a simulated device and its apps at one time.
public struct Device: Sendable {
    /// How a device was created; the raw values are names in API responses.
    public enum Origin: String, Sendable {
        /// By a call of the API or in code.
        case described
        /// At startup, and again by a reset.
        case startUp = "start-up"
        /// By a push to an unknown device token.
        case push
    }

    /// The identity of the device, never reused within an epoch.
    public let id: DeviceID
    let record: DeviceRecord
    /// The label, which is unique in the world.
    public var label: String? { record.label }
    /// The PushMagic with which the device is enrolled in device management (MDM); `nil` if it is not enrolled.
    public let pushMagic: String?
    /// Whether the device is online.
    public var isOnline: Bool { record.isOnline }
    /// Whether the device is in low power mode, so that it only gets notifications of priority 10.
    public var savesPower: Bool { record.savesPower }
    /// The version of the system.
    public var os: DeviceOS { record.os }
    /// How the device was created.
    public var origin: Origin { record.origin }
    /// When the device went offline, on the world's clock; `nil` while it is online.
    public var offlineSince: Timestamp? { isOnline ? nil : Timestamp(microseconds: record.offlineSince) }
    /// The number of clients that are connected as this device.
    public let connectedClients: Int
    /// The number of broadcasts that channels store for it.
    public let storedBroadcasts: Int
    /// The registrations of its apps, valid and invalid, in order of creation.
    public let registrations: [Registration]
    /// The channels that it is subscribed to, newest first.
    public let channels: [ChannelID]
    /// The number of Live Activities that are shown: those that run, and those that have ended but are not dismissed.
    public let shownActivities: Int
}

/// The identity of a device: its slot, and how often the slot was used before.
public struct DeviceID: Hashable, Sendable {
    let index: UInt32
    let generation: UInt32

    /// Both numbers combined.
    public var number: UInt64 { UInt64(generation) << 32 | UInt64(index) }
}

extension DeviceID {
    /// Creates an ID from both numbers combined.
    public init(number: UInt64) {
        index = UInt32(truncatingIfNeeded: number)
        generation = UInt32(truncatingIfNeeded: number >> 32)
    }
}

/// One app on one device, identified by one device token.
public struct Registration: Sendable {
    let record: RegistrationRecord
    /// The device token.
    public var token: DeviceToken { record.token }
    /// The topic of the token, including the suffix.
    public let topic: String
    /// The environment of the token.
    public var environment: Environment { record.environment }
    /// The state of the app.
    public var appState: AppState { record.delivery.appState }
    /// Whether the user allows the app to show notifications.
    public var allowsNotifications: Bool { record.delivery.allowsNotifications }
    /// Whether the token is valid.
    public var state: RegistrationState { record.state }
    /// When it became invalid, on the world's clock; `nil` while it is valid, or before the service knows.
    public var deadSince: Timestamp? { record.deadSince == 0 ? nil : Timestamp(microseconds: record.deadSince) }
    /// The counts of its notifications.
    public var counters: Counters { record.counters }
    /// The number of the latest push to it.
    public let lastPush: UInt64?
    /// The number of the stored notification.
    public var stored: UInt64? { record.delivery.stored }
    /// The time until which it is stored, on the world's clock.
    public var storedUntil: Timestamp? { record.delivery.storedUntil.map { Timestamp(microseconds: $0) } }
    /// The number of the background notification that the device holds until the app is launched.
    public var held: UInt64? { record.delivery.held }

    /// The counts of a registration's notifications.
    public struct Counters: Equatable, Sendable {
        /// The accepted pushes.
        public var accepted: UInt32 = 0
        /// The notifications that reached the device, immediately or from storage.
        public var delivered: UInt32 = 0
        /// The notifications that will never reach the device.
        public var discarded: UInt32 = 0

        /// Creates counters of 0.
        public init() {}
    }
}

/// Whether a device token is valid, and why not; the raw values are names in the API, also of the causes in the
/// feedback list.
public enum RegistrationState: String, CaseIterable, Sendable {
    /// Pushes are accepted.
    case registered
    /// The app was uninstalled.
    case uninstalled
    /// The app has a new token: it was reinstalled, or the device was restored or updated.
    case rotated
    /// The token has expired.
    case expired
    /// The device was offline for too long.
    case inactive
}
