public import MockAPNsRules

/// The changes of notifications caused by an operation.
public struct DeliveryReport: Sendable {
    /// The numbers of the notifications that reached their device.
    public internal(set) var delivered: [UInt64] = []
    /// The numbers of the notifications that expired.
    public internal(set) var expired: [UInt64] = []
    /// The numbers of the notifications that were discarded for other reasons.
    public internal(set) var discarded: [UInt64] = []
    /// The device tokens that became inactive.
    public internal(set) var inactive: [DeviceToken] = []
    /// What happened to Live Activities, in order.
    public internal(set) var activities: [ActivityStep] = []
    /// The device tokens that became Unregistered some time after their apps were uninstalled.
    public internal(set) var unregistered: [DeviceToken] = []
}

/// The result of storing a list of devices.
public struct DevicePutReport: Sendable {
    /// The number of created devices.
    public let created: Int
    /// The number of existing devices, changed or not.
    public let updated: Int
    /// The devices, in the order of the drafts.
    public let devices: [Device]
    /// The changes of notifications because devices came online.
    public let deliveries: DeliveryReport
}

/// A query for devices; all conditions must match.
public struct DeviceQuery: Sendable {
    /// Whether they are online.
    public var isOnline: Bool?
    /// The exact topic of one of their registrations; a device matches any of several topics.
    public var topics: [String] = []
    /// A part of their label or of one of their tokens, ignoring case.
    public var text: String?
    /// The device after which to continue.
    public var after: DeviceID?
    /// The maximum number of devices to return.
    public var limit = 50

    /// Creates a query for all devices.
    public init() {}
}

/// The result of a query.
public struct DevicePage: Sendable {
    /// The devices in a stable order, usually that of creation.
    public internal(set) var devices: [Device] = []
    /// The number of matching devices, including those above the limit.
    public internal(set) var matched = 0
    /// The device to continue after; `nil` on the last page.
    public internal(set) var nextAfter: DeviceID?
    /// The number of all devices.
    public internal(set) var total = 0
    /// The number of devices created by pushes that were evicted.
    public internal(set) var forgotten: UInt64 = 0
}

/// An invalid device token in the feedback list, to which providers must stop sending.
public struct FeedbackEntry: Sendable {
    /// The reason why a token is in the list; the names are part of the API.
    public enum Cause: String, CaseIterable, Sendable {
        case uninstalled
        case rotated
        case expired
        case inactive
        /// A device token or a fault requested the response.
        case fault
    }

    /// The device token.
    public let token: DeviceToken
    /// The label of its device.
    public var label: String?
    /// The topic; `nil` if no push had one.
    public let topic: String?
    /// When the token became invalid, on the world's clock.
    public let unregisteredAt: Timestamp
    var record: FeedbackList.Record
    /// The reason.
    public var cause: Cause { record.cause }
    /// The number of pushes that got 410.
    public var reported: Int { Int(record.reported) }
    /// The time of the last one on the world's clock; `nil` if there was none.
    public var lastReportedAt: Timestamp? { record.lastReportedAt }
    /// When a client of the feedback service read the entry last, on the world's clock; `nil` if none has.
    public var readAt: Timestamp? { record.readAt }
    /// The number of pushes after the first 410, which the provider should not have sent.
    public var pushesAfterFirstReport: Int { max(0, reported - 1) }
}

struct DeviceSearch {
    let query: DeviceQuery
    /// The text that labels or tokens must contain, in lower case.
    let text: String?
    let first: UInt32
    /// The epoch of the devices in which the topics have these numbers.
    let epoch: UInt64
    let topics: Set<UInt32>
    /// Whether the devices are only named, for many of them.
    let keepsOnlyIDs: Bool
    var next = 0
    var page = DevicePage()
    var ids: [DeviceID] = []

    init(_ query: DeviceQuery, epoch: UInt64, topics names: TopicNames, keepsOnlyIDs: Bool = false) {
        (self.query, self.keepsOnlyIDs) = (query, keepsOnlyIDs)
        text = query.text?.lowercased()
        first = query.after.map { $0.index &+ 1 } ?? 0
        self.epoch = epoch
        topics = Set(query.topics.map { names.number($0) })
    }
}
