public import MockAPNsRules

/// What storing and delivering a notification depends on; the rest of the push does not matter to it.
public struct Notification: Equatable, Sendable {
    /// The longest time that a notification waits for its device, in microseconds.
    ///
    /// Documented: 30 days, or until `apns-expiration` if that is sooner.
    public static let longestStorage: Int64 = 30 * 86_400 * 1_000_000

    /// The number of its push.
    public var seq: UInt64
    /// How soon it has to arrive.
    public var priority: Priority
    /// Until when it may wait, in microseconds of the world's clock; `nil` when it may not wait at all.
    public var storableUntil: Int64?
    /// Stands for the collapse id; 0 for none.
    public var collapse: UInt64
    /// Whether it is for the app alone, which has to run to take it.
    public var isBackground: Bool
    /// Whether it only goes to an app that may show notifications.
    public var needsPermission: Bool

    /// A notification.
    public init(
        seq: UInt64,
        priority: Priority = .immediate,
        storableUntil: Int64?,
        collapse: UInt64 = 0,
        isBackground: Bool = false,
        needsPermission: Bool = true
    ) {
        self.seq = seq
        self.priority = priority
        self.storableUntil = storableUntil
        self.collapse = collapse
        self.isBackground = isBackground
        self.needsPermission = needsPermission
    }

    /// Until when a push that came at `now` may wait: what its `apns-expiration` allows.
    ///
    /// Documented: absent for 30 days, 0 for one attempt, otherwise until that time and 30 days at most.
    /// Observed: a time in the past as 0.
    public static func storableUntil(_ expiration: Expiration?, at now: Timestamp) -> Int64? {
        let latest = now.microseconds + longestStorage
        guard let expiration else { return latest }
        guard expiration.seconds > 0 else { return nil }
        let (end, overflow) = expiration.seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return latest }
        return end <= now.microseconds ? nil : min(end, latest)
    }
}
