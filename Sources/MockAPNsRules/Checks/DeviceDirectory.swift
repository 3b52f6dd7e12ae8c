/// The information about devices that the rules need.
///
/// There is one per event loop; it is used only on that loop.
public protocol DeviceDirectory: AnyObject {
    /// Returns whether another push to this device is within `rate` at `now`, and counts it if so.
    func admits(_ token: DeviceToken, rate: RuleOptions.Rate, at now: Timestamp) -> Bool
    /// Returns the registration of a device token; `nil` if it is not registered.
    func find(_ token: DeviceToken) -> RegisteredToken?
    /// Returns the number of a topic as used in `RegisteredToken`; 0 for a topic without registrations.
    func topicNumber(_ topic: ByteSpan) -> UInt32
}

/// The properties of a registered device token that affect a verdict.
public struct RegisteredToken: Equatable, Sendable {
    /// Whether pushes to a token are accepted, and the reason if not.
    public enum Standing: UInt8, Sendable {
        /// Pushes are accepted.
        case valid
        /// 410 Unregistered.
        case unregistered
        /// 410 ExpiredToken.
        case expired
    }

    /// The registration's slot in the world's memory.
    public var place: UInt32
    /// How often the slot was used before, to detect that a later registration reuses it.
    public var generation: UInt32
    /// The number of the topic that the token was created for.
    public var topic: UInt32
    /// The environment of the token.
    public var environment: Environment
    /// Whether pushes to the token are accepted.
    public var standing: Standing
    /// Whether the device was configured or changed through the API, and not only created by a push.
    public var isKept: Bool
    /// When the token became invalid, in microseconds of the world's clock; 0 while it is valid.
    public var deadSince: Int64

    /// Creates the properties of a registered token.
    public init(
        place: UInt32, generation: UInt32, topic: UInt32, environment: Environment, standing: Standing = .valid,
        isKept: Bool = true, deadSince: Int64 = 0
    ) {
        self.place = place
        self.generation = generation
        self.topic = topic
        self.environment = environment
        self.standing = standing
        self.isKept = isKept
        self.deadSince = deadSince
    }
}
