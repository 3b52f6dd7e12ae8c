public import MockAPNsRules

/// The state of a broadcast channel at one time.
public struct Channel: Sendable {
    /// The counts of a channel, as Apple's console names them.
    public struct Metrics: Equatable, Sendable {
        /// The broadcasts that were accepted.
        public internal(set) var published: UInt64 = 0
        /// The devices that broadcasts reached, each time counted.
        public internal(set) var delivered: UInt64 = 0
        /// The subscriptions so far, with ended ones.
        public internal(set) var subscriptions: UInt64 = 0
        /// The devices that are subscribed now.
        public internal(set) var uniqueSubscribers = 0
    }

    /// The message that a channel stores for subscribers that are not reachable.
    public struct Stored: Sendable {
        /// The number of the broadcast in the journal.
        public let seq: UInt64
        /// The time until which it is stored, on the world's clock.
        public let until: Timestamp
    }

    /// The ID.
    public let id: ChannelID
    /// The app and the environment.
    public let app: ChannelApp
    /// Which messages it stores.
    public let storage: ChannelStorage
    /// When it was created, on the world's clock.
    public let createdAt: Timestamp
    /// The counts.
    public let metrics: Metrics
    /// The stored message; `nil` if there is none.
    public let stored: Stored?
    /// The first 1,000 subscribers, in order of subscription; empty in lists.
    public let subscribers: [Subscriber]

    /// A subscribed device.
    public struct Subscriber: Sendable {
        /// The device.
        public let device: DeviceID
        /// Its label.
        public let label: String?
        /// Whether it is online.
        public let isOnline: Bool
        /// The last broadcast that reached it, by its number in the journal; `nil` if none has.
        public let lastDelivered: UInt64?
        /// Whether the channel stores a message for it.
        public let isWaiting: Bool
    }
}

/// A device's subscription to a channel.
public struct ChannelSubscription: Sendable {
    /// The channel.
    public let channel: ChannelID
    /// The app and the environment.
    public let app: ChannelApp
    /// The last broadcast that reached the device, by its number in the journal; `nil` if none has.
    public let lastDelivered: UInt64?
    /// Whether the channel stores a message for the device.
    public let isWaiting: Bool
}

/// The options of channels.
public struct ChannelOptions: Sendable {
    /// The maximum number of channels of an app in an environment (documented: 10,000).
    public var limit = 10_000
    /// The bundle identifiers of apps without the broadcast capability.
    public var appsWithoutBroadcast: Set<String> = []
    /// The maximum number of channels of all apps, because a request may name any app.
    static let totalLimit = 200_000

    /// Creates the default options.
    public init() {}
}

/// The reason why an operation on channels failed.
public typealias ChannelError = WorldError<ChannelProblem>

/// A problem with channels.
public enum ChannelProblem: String, Sendable {
    case unknownDevice
    case unknownChannel
    case unknownApp
    case tooMany
}
