internal import MockAPNsFormats
internal import MockAPNsRules

/// The device tokens to which providers must stop sending, and the pushes sent to them nevertheless.
struct FeedbackList {
    struct Record {
        var cause: FeedbackEntry.Cause
        /// The readers of the entry; `nil` for a token without a registration.
        var audience: Audience?
        var reported: UInt32 = 0
        var lastReportedAt: Timestamp?
        var readAt: Timestamp?

        mutating func report(at now: Timestamp) {
            reported += 1
            lastReportedAt = now
        }
    }

    /// The clients of the feedback service that may read an entry.
    struct Audience: Hashable {
        let topic: UInt32
        let environment: Environment
    }

    /// The maximum number of tokens without a registration; above it, the oldest are dropped.
    static let faultCapacity = 10_000

    private(set) var records: [UInt32: Record] = [:]
    /// The entries of tokens without a registration, for which a 410 was requested.
    private(set) var faults: [DeviceToken: FeedbackEntry] = [:]
    private var faultOrder = LatestItems<DeviceToken>(capacity: Self.faultCapacity)

    /// The registrations with news for the feedback service.
    private var unread: [Audience: Set<UInt32>] = [:]
    /// The tokens without a registration that have news for it.
    private var unreadFaults: Set<DeviceToken> = []

    var count: Int { records.count + faults.count }

    mutating func add(_ place: UInt32, cause: FeedbackEntry.Cause, for audience: Audience) {
        records[place] = Record(cause: cause, audience: audience)
        unread[audience, default: []].insert(place)
    }

    mutating func remove(_ place: UInt32) {
        guard let audience = records.removeValue(forKey: place)?.audience else { return }
        noteRead(place, by: audience)
    }

    private mutating func noteRead(_ place: UInt32, by audience: Audience) {
        unread[audience]?.remove(place)
        if unread[audience]?.isEmpty == true { unread[audience] = nil }
    }

    /// Returns up to `limit` registrations with news.
    func unread(_ limit: Int, by audience: Audience) -> [UInt32] { Array(unread[audience, default: []].prefix(limit)) }

    /// Returns the tokens without a registration that have news of a topic.
    func unreadFaults(of topic: String) -> [DeviceToken] { unreadFaults.filter { faults[$0]?.topic == topic } }

    mutating func read(_ places: [UInt32], _ tokens: [DeviceToken], at now: Timestamp) {
        for place in places {
            records[place]?.readAt = now
            if let audience = records[place]?.audience { noteRead(place, by: audience) }
        }
        unreadFaults.subtract(tokens)
        for token in tokens { faults[token]?.record.readAt = now }
    }

    /// Records a 410 for an invalid registration, and returns whether it is new in the list.
    mutating func report(_ place: UInt32, cause: FeedbackEntry.Cause, for audience: Audience, at now: Timestamp) -> Bool
    {
        let count = records.count
        records[place, default: Record(cause: cause, audience: audience)].report(at: now)
        unread[audience, default: []].insert(place)
        return records.count > count
    }

    /// Records a 410 for a token without a registration, and returns whether it is new in the list.
    mutating func reportFault(_ token: DeviceToken, topic: String?, at now: Timestamp) -> Bool {
        let isNew = faults[token] == nil
        if isNew {
            faults[token] = FeedbackEntry(
                token: token, topic: topic, unregisteredAt: now, record: Record(cause: .fault))
            if let oldest = faultOrder.append(token) {
                faults[oldest] = nil
                unreadFaults.remove(oldest)
            }
        }
        faults[token]?.record.report(at: now)
        unreadFaults.insert(token)
        return isNew
    }

    mutating func removeAll() { self = FeedbackList() }
}

extension FeedbackEntry.Cause {
    /// The cause has the name of the state; of an invalid token, this is never `registered`.
    init(_ state: RegistrationState) { self = Self(rawValue: state.rawValue) ?? .uninstalled }
}

extension FeedbackEntry.Cause: Archived {}

extension FeedbackList: Archived {
    func write(to archive: inout ArchiveWriter) {
        archive.write(count: records.count)
        for (place, record) in records.sorted(by: { $0.key < $1.key }) {
            archive.write(place)
            archive.write(record)
            archive.write(record.audience.flatMap { unread[$0] }?.contains(place) ?? false)
        }
        archive.write(count: faultOrder.items.count)
        for entry in faultOrder.items.compactMap({ faults[$0] }) {
            archive.write(entry.token)
            archive.write(entry.topic)
            archive.write(entry.unregisteredAt)
            archive.write(entry.record)
            archive.write(unreadFaults.contains(entry.token))
        }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        for _ in 0..<(try archive.count()) {
            let place = try archive.read(UInt32.self)
            let record = try archive.read(Record.self)
            records[place] = record
            guard try archive.read(Bool.self) else { continue }
            guard let audience = record.audience else { throw .badValue }
            unread[audience, default: []].insert(place)
        }
        let count = try archive.count()
        guard count <= Self.faultCapacity else { throw .badValue }
        for _ in 0..<count {
            let entry = FeedbackEntry(
                token: try archive.read(), topic: try archive.read(), unregisteredAt: try archive.read(),
                record: try archive.read())
            guard faults.updateValue(entry, forKey: entry.token) == nil else { throw .badValue }
            faultOrder.append(entry.token)
            if try archive.read(Bool.self) { unreadFaults.insert(entry.token) }
        }
    }
}

extension FeedbackList.Audience: MemberwiseArchived {
    static let format = ArchiveFormat(FeedbackList.Audience.init(topic:environment:), \.topic, \.environment)
}

extension FeedbackList.Record: MemberwiseArchived {
    static let format = ArchiveFormat(
        changing: FeedbackList.Record(cause: .fault), \.cause, \.audience, \.reported, \.lastReportedAt, \.readAt)
}
