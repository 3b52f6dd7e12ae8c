internal import DequeModule
internal import MockAPNsRules

/// The tokens that providers should stop pushing to, and the pushes that still came.
struct FeedbackList {
    /// What the list says of one token.
    struct Record {
        var cause: FeedbackEntry.Cause
        var reported: UInt32 = 0
        var lastReportedAt: Int64 = 0

        mutating func report(at now: Timestamp) {
            reported += 1
            lastReportedAt = now.microseconds
        }
    }

    /// A token without a registration, whose answer was asked for.
    struct UnknownToken {
        var record = Record(cause: .fault)
        let topic: String?
        let at: Int64
    }

    /// The most tokens without a registration; older ones go.
    static let faultCapacity = 10_000

    /// By the place of the registration.
    private(set) var records: [UInt32: Record] = [:]
    private(set) var faults: [DeviceToken: UnknownToken] = [:]
    private var faultOrder: Deque<DeviceToken> = []

    /// Entries at hand.
    var count: Int { records.count + faults.count }

    /// Puts a registration on the list.
    mutating func add(_ place: UInt32, cause: FeedbackEntry.Cause) {
        records[place] = Record(cause: cause)
    }

    /// Takes a registration off the list.
    mutating func remove(_ place: UInt32) { records[place] = nil }

    /// A push to a dead registration was answered 410; brings it back to the list after that was cleared.
    ///
    /// - Returns: whether it was not on the list.
    mutating func report(_ place: UInt32, cause: FeedbackEntry.Cause, at now: Timestamp) -> Bool {
        let count = records.count
        records[place, default: Record(cause: cause)].report(at: now)
        return records.count > count
    }

    /// A push to a token without a registration was answered 410.
    ///
    /// - Returns: whether it was not on the list.
    mutating func reportFault(_ token: DeviceToken, topic: String?, at now: Timestamp) -> Bool {
        let isNew = faults[token] == nil
        if isNew {
            faults[token] = UnknownToken(topic: topic, at: now.microseconds)
            if faultOrder.count == Self.faultCapacity, let oldest = faultOrder.popFirst() {
                faults[oldest] = nil
            }
            faultOrder.append(token)
        }
        faults[token]?.record.report(at: now)
        return isNew
    }

    /// Empties the list.
    mutating func removeAll() { self = FeedbackList() }
}

extension FeedbackEntry.Cause {
    /// Why a registration in a state is on the list.
    init(_ state: RegistrationState) {
        switch state {
        case .registered, .uninstalled: self = .uninstalled
        case .rotated: self = .rotated
        case .expired: self = .expired
        case .inactive: self = .inactive
        }
    }
}
