public import MockAPNsRules

/// A simulated phone with the apps on it, as it is at one moment.
public struct Device: Sendable {
    /// How a device came to be known.
    public enum Origin: String, Sendable {
        /// It was described, through the API or in code.
        case described
        /// It was there when the server started, and is there again after a reset.
        case startUp = "start-up"
        /// A push to an unknown device token made it.
        case push

        /// The word used in responses of the API.
        public var name: String { rawValue }
    }

    /// Tells devices apart; never used again within an epoch.
    public let id: DeviceID
    /// The name it was given; unique in the world.
    public let label: String?
    /// Whether notifications reach it.
    public let isOnline: Bool
    /// Whether it saves power, so that only notifications of priority 10 reach it.
    public let savesPower: Bool
    /// How it came to be known.
    public let origin: Origin
    /// Since when it is offline, on the world's clock; `nil` while it is online.
    public let offlineSince: Timestamp?
    /// How many clients hold a connection as this device.
    public let connectedClients: Int
    /// The apps on it, living and dead, in the order of their registration.
    public let registrations: [Registration]
}

/// The number of a device: its place in memory, and how often the place was used before.
public struct DeviceID: Hashable, Sendable {
    let index: UInt32
    let generation: UInt32

    init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }

    /// Both numbers in one.
    public var number: UInt64 { UInt64(generation) << 32 | UInt64(index) }

    /// The device of this number, if there is one.
    public init(number: UInt64) {
        index = UInt32(truncatingIfNeeded: number)
        generation = UInt32(truncatingIfNeeded: number >> 32)
    }
}

/// One app on one device, which owns one device token.
public struct Registration: Sendable {
    /// The device token.
    public let token: DeviceToken
    /// The topic the token was made for, suffix included.
    public let topic: String
    /// The environment the token belongs to.
    public let environment: Environment
    /// What the app is doing.
    public let appState: AppState
    /// Whether the user lets the app show notifications.
    public let allowsNotifications: Bool
    /// Whether the token works.
    public let state: RegistrationState
    /// Since when it does not, on the world's clock; `nil` while it works, or before the service has noticed.
    public let deadSince: Timestamp?
    /// What became of the notifications sent to it.
    public let counters: Counters
    /// The number of the latest push to it.
    public let lastPush: UInt64?
    /// The number of the notification that waits for the device.
    public let stored: UInt64?
    /// Until when it waits, on the world's clock.
    public let storedUntil: Timestamp?
    /// The number of the background notification that the device keeps until the app is launched.
    public let held: UInt64?

    /// Sums over everything sent to a registration.
    public struct Counters: Equatable, Sendable {
        /// Pushes accepted.
        public var accepted: UInt32 = 0
        /// Those that reached the device, from storage or at once.
        public var delivered: UInt32 = 0
        /// Those that did not and never will.
        public var discarded: UInt32 = 0

        /// Nothing yet.
        public init() {}
    }
}
