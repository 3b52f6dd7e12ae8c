internal import DequeModule
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

    /// The entry of a token without a registration, for which a 410 was requested.
    struct UnknownToken {
        var record = Record(cause: .fault)
        let topic: String?
        let at: Timestamp
    }

    /// The maximum number of tokens without a registration; above it, the oldest are dropped.
    static let faultCapacity = 10_000

    private(set) var records: [UInt32: Record] = [:]
    private(set) var faults: [DeviceToken: UnknownToken] = [:]
    private var faultOrder: Deque<DeviceToken> = []

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
            faults[token] = UnknownToken(topic: topic, at: now)
            if faultOrder.count == Self.faultCapacity, let oldest = faultOrder.popFirst() {
                faults[oldest] = nil
            }
            faultOrder.append(token)
        }
        faults[token]?.record.report(at: now)
        return isNew
    }

    mutating func removeAll() { self = FeedbackList() }
}

extension FeedbackEntry.Cause {
    init(_ state: RegistrationState) {
        switch state {
        case .registered, .uninstalled: self = .uninstalled
        case .rotated: self = .rotated
        case .expired: self = .expired
        case .inactive: self = .inactive
        }
    }
}
