internal import MockAPNsRules

/// Limits the rate of pushes to each device token: stores when it would be idle if they were evenly spaced.
struct DeviceRateLimiter {
    /// The number of entries above which those of idle tokens are dropped.
    static let capacity = 100_000

    private var idleAt: [DeviceToken: Int64] = [:]

    var count: Int { idleAt.count }

    mutating func admits(_ token: DeviceToken, rate: RuleOptions.DeviceRate, at now: Timestamp) -> Bool {
        guard let next = next(token, rate: rate, at: now) else { return false }
        if idleAt.count >= Self.capacity, idleAt[token] == nil { makeRoom(at: now) }
        idleAt[token] = next
        return true
    }

    /// Returns whether another push would be admitted, without counting it.
    func wouldAdmit(_ token: DeviceToken, rate: RuleOptions.DeviceRate, at now: Timestamp) -> Bool {
        next(token, rate: rate, at: now) != nil
    }

    /// Returns when the token would be idle after another push; `nil` if that exceeds the rate.
    private func next(_ token: DeviceToken, rate: RuleOptions.DeviceRate, at now: Timestamp) -> Int64? {
        let burst = Int64(max(rate.count, 1))
        let spacing = rate.interval / burst
        let tolerance = spacing * (burst - 1)
        let idle = max(idleAt[token] ?? now.microseconds, now.microseconds)
        return idle - now.microseconds <= tolerance ? idle + spacing : nil
    }

    private mutating func makeRoom(at now: Timestamp) {
        idleAt = idleAt.filter { $0.value > now.microseconds }
        // All tokens are busy. Dropping half of them allows each of those another burst, and bounds memory
        // and the time of this cleanup.
        for token in idleAt.keys.dropFirst(Self.capacity / 2) { idleAt[token] = nil }
    }
}
