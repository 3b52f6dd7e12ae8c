internal import MockAPNsRules

/// The device tokens to which providers must stop sending, and the pushes sent to them nevertheless.
struct FeedbackList {
    struct Record {
        var cause: FeedbackEntry.Cause
        var reported: UInt32 = 0
        var lastReportedAt: Timestamp?

        mutating func report(at now: Timestamp) {
            reported += 1
            lastReportedAt = now
        }
    }

    /// The maximum number of tokens without a registration; above it, the oldest are dropped.
    static let faultCapacity = 10_000

    private(set) var records: [UInt32: Record] = [:]
    /// The entries of tokens without a registration, for which a 410 was requested.
    private(set) var faults: [DeviceToken: FeedbackEntry] = [:]
    private var faultOrder = LatestItems<DeviceToken>(capacity: Self.faultCapacity)

    var count: Int { records.count + faults.count }

    mutating func add(_ place: UInt32, cause: FeedbackEntry.Cause) {
        records[place] = Record(cause: cause)
    }

    mutating func remove(_ place: UInt32) { records[place] = nil }

    /// Records a 410 for an invalid registration, and returns whether it was not in the list.
    mutating func report(_ place: UInt32, cause: FeedbackEntry.Cause, at now: Timestamp) -> Bool {
        let count = records.count
        records[place, default: Record(cause: cause)].report(at: now)
        return records.count > count
    }

    /// Records a 410 for a token without a registration, and returns whether it was not in the list.
    mutating func reportFault(_ token: DeviceToken, topic: String?, at now: Timestamp) -> Bool {
        let isNew = faults[token] == nil
        if isNew {
            faults[token] = FeedbackEntry(
                token: token,
                topic: topic,
                unregisteredAt: now,
                record: Record(cause: .fault)
            )
            if let oldest = faultOrder.append(token) { faults[oldest] = nil }
        }
        faults[token]?.record.report(at: now)
        return isNew
    }

    mutating func removeAll() { self = FeedbackList() }
}

extension FeedbackEntry.Cause {
    /// The cause has the name of the state; of an invalid token, this is never `registered`.
    init(_ state: RegistrationState) { self = Self(rawValue: state.rawValue) ?? .uninstalled }
}
