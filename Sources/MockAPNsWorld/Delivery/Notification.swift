public import MockAPNsRules

/// The parts of a push that affect storing and delivering its notification.
public struct Notification: Equatable, Sendable {
    /// The maximum time for which a notification is stored, in microseconds.
    ///
    /// Documented: 30 days, or until `apns-expiration` if that is sooner.
    public static let longestStorage: Int64 = 30 * 86_400 * 1_000_000

    /// The number of its push.
    public var seq: UInt64
    /// The priority.
    public var priority: Priority
    /// The time until which it may be stored, in microseconds of the world's clock; `nil` if it may not be
    /// stored.
    public var storableUntil: Int64?
    /// A number for the collapse ID; 0 for none.
    public var collapse: UInt64
    /// Whether it is a background notification, for which the app must run.
    public var isBackground: Bool
    /// Whether it requires permission to show notifications.
    public var needsPermission: Bool

    /// Creates a notification.
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

    /// Returns the time until which a push received at `now` may be stored, according to its
    /// `apns-expiration`.
    ///
    /// Documented: 30 days if the header is absent, one attempt for 0, otherwise until that time and at most
    /// 30 days. Observed: a time in the past has the effect of 0.
    public static func storableUntil(_ expiration: Expiration?, at now: Timestamp) -> Int64? {
        let latest = now.microseconds + longestStorage
        guard let expiration else { return latest }
        guard expiration.seconds > 0 else { return nil }
        let (end, overflow) = expiration.seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return latest }
        return end <= now.microseconds ? nil : min(end, latest)
    }
}
