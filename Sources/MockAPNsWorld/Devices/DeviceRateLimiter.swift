public import MockAPNsRules

/// Limits pushes to each device token.
///
/// Each token costs one entry: the time at which it would be idle again if its pushes were spread evenly.
public struct DeviceRateLimiter {
    /// Entries kept before those of idle devices are dropped.
    static let capacity = 100_000

    private var idleAt: [DeviceToken: Int64] = [:]

    /// No pushes yet.
    public init() {}

    /// Devices known.
    var count: Int { idleAt.count }

    /// Whether another push is within the rate; counts it when it is.
    public mutating func admits(_ token: DeviceToken, rate: RuleOptions.DeviceRate, at now: Timestamp) -> Bool
    {
        let burst = Int64(max(rate.count, 1))
        let spacing = rate.interval / burst
        let tolerance = spacing * (burst - 1)
        let idle = max(idleAt[token] ?? now.microseconds, now.microseconds)
        guard idle - now.microseconds <= tolerance else { return false }
        if idleAt.count >= Self.capacity, idleAt[token] == nil { makeRoom(at: now) }
        idleAt[token] = idle + spacing
        return true
    }

    private mutating func makeRoom(at now: Timestamp) {
        idleAt = idleAt.filter { $0.value > now.microseconds }
        // So many are busy: forgetting half of them lets each send a burst more, and bounds memory, as well as
        // the time that this takes.
        let most = Self.capacity / 2
        if idleAt.count > most {
            idleAt = [DeviceToken: Int64](
                uniqueKeysWithValues: idleAt.prefix(most).map { ($0.key, $0.value) }
            )
        }
    }
}
