package import MockAPNsFormats
public import MockAPNsRules

/// A Live Activity of an app on a device at one time.
///
/// Documented: Apple, "Displaying live data with Live Activities", and "Starting and updating Live Activities with
/// ActivityKit push notifications".
public struct Activity: Sendable {
    /// A push to the activity that the device ignored.
    public struct Ignored: Sendable {
        /// The number of the push.
        public let push: UInt64
        /// When the device ignored it, on the world's clock.
        public let at: Timestamp
        /// Why.
        public let refusal: ActivityRefusal
    }

    /// The number of ignored pushes that are listed, the latest.
    public static let listedIgnored = 5
    /// The maximum size of attributes and content state together, in bytes (documented: 4 KB).
    public static let largestContent = 4_096
    /// How many activities of one app run on a device at most (claimed, pushward.app; Apple names no number).
    public static let mostPerApp = 5
    /// How long it runs at most, in microseconds (documented: 8 hours).
    public static let longestRun: Int64 = 8 * 3_600 * 1_000_000
    /// How long it may stay on the lock screen after its end, in microseconds (documented: 4 hours).
    public static let longestOnLockScreen: Int64 = 4 * 3_600 * 1_000_000
    /// How many activities that have ended and dead update tokens a world keeps, the latest of each; a token that is no
    /// longer kept is unknown.
    public static let mostDead = 10_000

    /// The identity.
    public let id: ActivityID
    /// The device.
    public let device: DeviceID
    /// The update token; `nil` if it has none.
    ///
    /// It stays when the activity has ended, and is answered 410 then.
    public let token: DeviceToken?
    /// The topic of pushes to it: the bundle identifier of the app with the suffix `.push-type.liveactivity`.
    public let topic: String
    /// The environment of the app.
    public let environment: Environment
    /// The name of the `ActivityAttributes` structure.
    public let attributesType: String
    /// The attributes, as the bytes of a JSON object.
    public let attributes: [UInt8]
    /// The newest content state, as the bytes of a JSON object.
    public let contentState: [UInt8]
    /// The state.
    public let state: ActivityState
    /// When it was started, on the world's clock.
    public let startedAt: Timestamp
    /// When its content becomes stale, or became so; `nil` if no push or app has said it.
    public let staleAt: Timestamp?
    /// When it ended; `nil` while it runs.
    public let endedAt: Timestamp?
    /// When it is dismissed, or was; `nil` while it runs.
    public let dismissAt: Timestamp?
    /// The channel that it follows; `nil` if there is none.
    public let channel: ChannelID?
    /// Whether the app started it itself, and no push did.
    public let isStartedByApp: Bool
    /// The number of the last push that changed it, or of the one that started it; `nil` if none did.
    public let lastPush: UInt64?
    /// The timestamp of the last push that changed it, in UNIX seconds; `nil` if none did.
    public let lastTimestamp: Double?
    /// The latest pushes that it ignored, oldest first.
    public let ignored: [Ignored]
}

/// The input for a Live Activity that the app starts itself.
public struct ActivityDraft: Sendable {
    /// The topic of the app, with any suffix or none.
    public var topic: String
    /// The environment of the app; `nil` for the only one in which the device has it.
    public var environment: Environment?
    /// The name of the `ActivityAttributes` structure.
    public var attributesType: String
    /// The attributes, as the bytes of a JSON object.
    public var attributes: [UInt8]
    /// The content state, as the bytes of a JSON object.
    public var contentState: [UInt8]
    /// When the content becomes stale; `nil` for never.
    public var staleAt: Timestamp?
    /// The channel that it follows instead of having an update token; `nil` for a token.
    public var channel: ChannelID?

    /// Creates an activity with an update token.
    public init(
        topic: String, environment: Environment? = nil, attributesType: String, attributes: [UInt8] = Array("{}".utf8),
        contentState: [UInt8] = Array("{}".utf8), staleAt: Timestamp? = nil, channel: ChannelID? = nil
    ) {
        self.topic = topic
        self.environment = environment
        self.attributesType = attributesType
        self.attributes = attributes
        self.contentState = contentState
        self.staleAt = staleAt
        self.channel = channel
    }
}

/// Something that happened to a Live Activity.
public struct ActivityStep: Equatable, Sendable {
    /// What happened; the raw values are names in the API, after `activity.`.
    public enum Kind: String, CaseIterable, Sendable {
        case started
        case updated
        /// Its `stale-date` has passed.
        case stale
        case ended
        case dismissed
        /// It has another update token; the old one is answered 410.
        case token
    }

    /// Why it happened; the raw values are names in the API.
    public enum Reason: String, CaseIterable, Sendable {
        /// A push to the device.
        case push
        /// A push to a channel.
        case broadcast
        /// The app itself.
        case app
        /// The `stale-date` of the content.
        case staleDate = "stale-date"
        /// It ran for 8 hours.
        case lifetime
        /// The `dismissal-date`, or 4 hours on the lock screen.
        case dismissalDate = "dismissal-date"
        /// The user removed it.
        case user
        /// The app was uninstalled.
        case uninstalled
        /// The device was deleted.
        case deviceRemoved = "device-removed"
        /// The system replaced the token, as it does in the real service from time to time.
        case rotation
    }

    /// What happened.
    public let kind: Kind
    /// The activity.
    public let activity: ActivityID
    /// Its device, which may be deleted since.
    public let device: DeviceID
    /// The number of the push that did it; `nil` if none did.
    public let push: UInt64?
    /// Why it happened.
    public let reason: Reason
}

extension ActivityDraft: MemberwiseArchived {
    package static let format = ArchiveFormat(
        ActivityDraft.init(topic:environment:attributesType:attributes:contentState:staleAt:channel:), \.topic,
        \.environment, \.attributesType, \.attributes, \.contentState, \.staleAt, \.channel)
}
