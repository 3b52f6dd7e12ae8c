public import MockAPNsRules

/// When a fault fires, among the occasions that match its conditions.
///
/// The first `skip` of these are left out. Of the rest, every `every`th one fires with `probability`, at most
/// `times` times.
public struct FaultTrigger: Equatable, Sendable {
    /// The number of occasions to leave out.
    public var skip = 0
    /// The maximum number of times; `nil` for no limit.
    public var times: Int?
    /// 1 for each occasion, 2 for every second one.
    public var every = 1
    /// The probability that such an occasion fires, from 0 to 1.
    public var probability = 1.0
    /// The beginning of the period in which it fires, on the world's clock.
    public var from: Timestamp?
    /// The end of this period, on the world's clock, exclusive.
    public var until: Timestamp?
    /// The minimum time without a request on the connection, in microseconds of real time.
    public var afterIdle: Int64?
    /// The minimum number of earlier requests on the connection.
    public var afterRequests = 0

    /// Creates a trigger for every occasion.
    public init() {}

    /// Whether the time and the connection match; otherwise the occasion is not counted.
    func admits(_ occasion: FaultOccasion) -> Bool {
        if let from, occasion.now < from { return false }
        if let until, occasion.now >= until { return false }
        if let afterIdle, (occasion.idle ?? .min) < afterIdle { return false }
        return occasion.requestsBefore >= afterRequests
    }
}

/// An occasion on which a fault may fire.
public struct FaultOccasion: Sendable {
    let now: Timestamp
    let requestsBefore: Int
    let idle: Int64?

    /// Creates an occasion at a time on the world's clock, for a connection with this number of earlier requests.
    ///
    /// `idle` is the time since the last request in microseconds; `nil` if unknown.
    public init(now: Timestamp, requestsBefore: Int = 0, idle: Int64? = nil) {
        self.now = now
        self.requestsBefore = requestsBefore
        self.idle = idle
    }
}
