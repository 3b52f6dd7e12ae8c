/// What the rules ask about the devices of the world.
///
/// One per event loop; never crosses it.
public protocol DeviceDirectory: AnyObject {
    /// Whether another push to this device is within `rate` at `now`; counts it when it is.
    func admits(_ token: DeviceToken, rate: RuleOptions.DeviceRate, at now: Timestamp) -> Bool
    /// What is known of a device token; `nil` if it is not registered.
    func find(_ token: DeviceToken) -> RegisteredToken?
    /// The number that stands for a topic in `RegisteredToken`; 0 for one that no registration has.
    func topicNumber(_ topic: ByteSpan) -> UInt32
}

/// What a verdict depends on of one registered device token.
public struct RegisteredToken: Equatable, Sendable {
    /// Whether pushes to a token are accepted.
    public enum Standing: UInt8, Sendable {
        /// They are.
        case valid
        /// 410 Unregistered.
        case unregistered
        /// 410 ExpiredToken.
        case expired
    }

    /// Where the registration stands in the world's memory.
    public var place: UInt32
    /// How often the place was used before, so that a registration that came later is not taken for this one.
    public var generation: UInt32
    /// Stands for the topic that the token was made for.
    public var topic: UInt32
    /// The environment that the token belongs to.
    public var environment: Environment
    /// Whether pushes to it are accepted.
    public var standing: Standing
    /// Whether somebody described or changed its device, which otherwise only a push made.
    public var isKept: Bool
    /// When it died, in microseconds of the world's clock; 0 while it is valid.
    public var deadSince: Int64

    /// A token that was registered.
    public init(
        place: UInt32,
        generation: UInt32,
        topic: UInt32,
        environment: Environment,
        standing: Standing = .valid,
        isKept: Bool = true,
        deadSince: Int64 = 0
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
