public import MockAPNsRules

/// What became of notifications because something changed.
public struct DeliveryReport: Sendable {
    /// The numbers of those that reached their device.
    public internal(set) var delivered: [UInt64] = []
    /// The numbers of those that expired.
    public internal(set) var expired: [UInt64] = []
    /// The numbers of those that were discarded for another reason.
    public internal(set) var discarded: [UInt64] = []
    /// The device tokens that became inactive.
    public internal(set) var inactive: [DeviceToken] = []

    init() {}
}

/// What a bulk description of devices did.
public struct DevicePutReport: Sendable {
    /// How many devices are new.
    public let created: Int
    /// How many were changed, or described again as they were.
    public let updated: Int
    /// The devices, in the order of their descriptions.
    public let devices: [Device]
    /// What became of notifications because devices came online.
    public let deliveries: DeliveryReport
}

/// A query for devices; all conditions must hold.
public struct DeviceQuery: Sendable {
    /// Whether notifications reach them.
    public var isOnline: Bool?
    /// The whole topic of one of their registrations; several mean any of them.
    public var topics: [String] = []
    /// What their label or the hexadecimal form of one of their tokens contains, in any letter case.
    public var text: String?
    /// Only devices after this one.
    public var after: DeviceID?
    /// The most devices to return.
    public var limit = 50

    /// Every device.
    public init() {}
}

/// The answer to a query.
public struct DevicePage: Sendable {
    /// The devices, in an order that stays; mostly that of their making.
    public let devices: [Device]
    /// How many met the conditions, whether or not the limit let them through.
    public let matched: Int
    /// The device to continue after; `nil` on the last page.
    public let nextAfter: DeviceID?
    /// How many devices there are.
    public let total: Int
    /// How many that pushes had made were forgotten to make room.
    public let forgotten: UInt64
}

/// A device token that does not work any more, on the list that tells providers to stop.
public struct FeedbackEntry: Sendable {
    /// Why the token is on the list.
    ///
    /// To add one: add a case; the name is the API's.
    public enum Cause: String, CaseIterable, Sendable {
        case uninstalled
        case rotated
        case expired
        case inactive
        /// The answer was asked for, by the device token or a fault.
        case fault
    }

    /// The device token.
    public let token: DeviceToken
    /// The label of its device.
    public let label: String?
    /// The topic; `nil` when no push said it.
    public let topic: String?
    /// When the token died, on the world's clock.
    public let unregisteredAt: Timestamp
    /// Why.
    public let cause: Cause
    /// How many pushes were answered 410.
    public let reported: Int
    /// When the last one was, on the world's clock; `nil` for never.
    public let lastReportedAt: Timestamp?
    /// How many pushes came after the first of these answers: each is one that the provider should not have sent.
    public var pushesAfterFirstReport: Int { max(0, reported - 1) }
}
