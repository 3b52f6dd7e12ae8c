internal import MockAPNsRules

/// Limits the rate of what is sent to each target, such as a device token: stores when it would be idle if they were
/// evenly spaced.
struct RateLimiter<Target: Hashable & Sendable>: Sendable {
    /// The number of entries above which those of idle targets are dropped.
    static var capacity: Int { 100_000 }

    private var idleAt: [Target: Int64] = [:]

    var count: Int { idleAt.count }

    mutating func admits(_ target: Target, rate: RuleOptions.Rate, at now: Timestamp) -> Bool {
        guard let next = next(target, rate: rate, at: now) else { return false }
        if idleAt.count >= Self.capacity, idleAt[target] == nil { makeRoom(at: now) }
        idleAt[target] = next
        return true
    }

    /// Returns whether another push would be admitted, without counting it.
    func wouldAdmit(_ target: Target, rate: RuleOptions.Rate, at now: Timestamp) -> Bool {
        next(target, rate: rate, at: now) != nil
    }

    /// Returns when the target would be idle after another push; `nil` if that exceeds the rate.
    private func next(_ target: Target, rate: RuleOptions.Rate, at now: Timestamp) -> Int64? {
        let burst = Int64(max(rate.count, 1))
        let spacing = rate.interval / burst
        let tolerance = spacing * (burst - 1)
        let idle = max(idleAt[target] ?? now.microseconds, now.microseconds)
        return idle - now.microseconds <= tolerance ? idle + spacing : nil
    }

    private mutating func makeRoom(at now: Timestamp) {
        idleAt = idleAt.filter { $0.value > now.microseconds }
        // All targets are busy. Dropping half of them allows each of those another burst, and bounds memory
        // and the time of this cleanup.
        for target in idleAt.keys.dropFirst(Self.capacity / 2) { idleAt[target] = nil }
    }
}

/// The limiters of a world.
struct RateLimiters: Sendable {
    var devices = RateLimiter<DeviceToken>()
    var channels = RateLimiter<ChannelID>()
}
