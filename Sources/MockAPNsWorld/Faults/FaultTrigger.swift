public import MockAPNsRules

/// When a fault fires, among everything that its conditions let through.
///
/// What is let through is counted: the first `skip` of it pass, then every `every`th fires, `times` times at most,
/// each with `probability`.
public struct FaultTrigger: Equatable, Sendable {
    /// How many pass before the first fires.
    public var skip = 0
    /// How many fire at most; `nil` for no limit.
    public var times: Int?
    /// 1 for each, 2 for every other one.
    public var every = 1
    /// How likely each of those is to fire; never at 0, always at 1.
    public var probability = 1.0
    /// From when on, on the world's clock.
    public var from: Timestamp?
    /// Until when, on the world's clock; at this moment it is over.
    public var until: Timestamp?
    /// How long the connection must have been without a request, in microseconds of real time.
    public var afterIdle: Int64?
    /// How many requests must have come before on the same connection.
    public var afterRequests = 0

    /// Always.
    public init() {}

    /// Whether it is a time and a connection for the fault; what is not, is not counted.
    func admits(_ occasion: FaultOccasion) -> Bool {
        if let from, occasion.now < from { return false }
        if let until, occasion.now >= until { return false }
        if occasion.requestsBefore < afterRequests { return false }
        if let afterIdle {
            guard let idle = occasion.idle, idle >= afterIdle else { return false }
        }
        return true
    }
}

/// Where and when a fault may fire.
public struct FaultOccasion: Sendable {
    /// The time on the world's clock.
    public var now: Timestamp
    /// How many requests came before on the connection.
    public var requestsBefore: Int
    /// How long the connection has been without a request, in microseconds; `nil` if unknown.
    public var idle: Int64?

    /// An occasion.
    public init(now: Timestamp, requestsBefore: Int = 0, idle: Int64? = nil) {
        self.now = now
        self.requestsBefore = requestsBefore
        self.idle = idle
    }
}
