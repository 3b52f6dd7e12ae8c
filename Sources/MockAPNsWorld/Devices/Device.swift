public import MockAPNsRules

/// The state of a simulated device and its apps at one time.
public struct Device: Sendable {
    /// How a device was created.
    public enum Origin: String, Sendable {
        /// By a call of the API or in code.
        case described
        /// At startup, and again by a reset.
        case startUp = "start-up"
        /// By a push to an unknown device token.
        case push

        /// The name in API responses.
        public var name: String { rawValue }
    }

    /// The identity of the device, never reused within an epoch.
    public let id: DeviceID
    /// The label, which is unique in the world.
    public let label: String?
    /// Whether the device is online.
    public let isOnline: Bool
    /// Whether the device is in low power mode, so that it only gets notifications of priority 10.
    public let savesPower: Bool
    /// How the device was created.
    public let origin: Origin
    /// When the device went offline, on the world's clock; `nil` while it is online.
    public let offlineSince: Timestamp?
    /// The number of clients that are connected as this device.
    public let connectedClients: Int
    /// The registrations of its apps, valid and invalid, in order of creation.
    public let registrations: [Registration]
}

/// The identity of a device: its slot, and how often the slot was used before.
public struct DeviceID: Hashable, Sendable {
    let index: UInt32
    let generation: UInt32

    init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }

    /// Both numbers combined.
    public var number: UInt64 { UInt64(generation) << 32 | UInt64(index) }

    /// Creates an ID from a number; `nil` if the number is invalid.
    public init(number: UInt64) {
        index = UInt32(truncatingIfNeeded: number)
        generation = UInt32(truncatingIfNeeded: number >> 32)
    }
}

/// One app on one device, identified by one device token.
public struct Registration: Sendable {
    /// The device token.
    public let token: DeviceToken
    /// The topic of the token, including the suffix.
    public let topic: String
    /// The environment of the token.
    public let environment: Environment
    /// The state of the app.
    public let appState: AppState
    /// Whether the user allows the app to show notifications.
    public let allowsNotifications: Bool
    /// Whether the token is valid.
    public let state: RegistrationState
    /// When it became invalid, on the world's clock; `nil` while it is valid, or before the service knows.
    public let deadSince: Timestamp?
    /// The counts of its notifications.
    public let counters: Counters
    /// The number of the latest push to it.
    public let lastPush: UInt64?
    /// The number of the stored notification.
    public let stored: UInt64?
    /// The time until which it is stored, on the world's clock.
    public let storedUntil: Timestamp?
    /// The number of the background notification that the device holds until the app is launched.
    public let held: UInt64?

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
