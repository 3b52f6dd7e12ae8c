/// The result of a query.
public struct PushPage: Sendable {
    /// The records, in the order of the query.
    public let pushes: [PushRecord]
    /// The number of matching records, including those above the limit.
    public let matched: Int
    /// The number after which to continue: reading this page in ascending order has missed nothing up to it.
    public let nextAfter: UInt64
    /// The extent of the journal.
    public let extent: JournalExtent
}

extension Journal {
    /// Returns the records that match a query.
    ///
    /// Everything answered before the call is considered.
    public func pushes(_ query: PushQuery) -> PushPage {
        var scan = scan(query)
        var found: [JournalScan.Match] = []
        while scan.next({ _, _, match in found.append(match) }) {}
        return scan.page(of: found)
    }

    /// Returns the record with this number; `nil` if it does not exist or was evicted.
    public func push(seq: UInt64) -> PushRecord? { core.record(seq) }

    /// Returns the newest record whose response has this `apns-id`, ignoring case.
    public func push(apnsID: String) -> PushRecord? {
        let wanted = apnsID.lowercased()
        let snapshot = snapshot()
        var found: FoundRecord?
        snapshot.visit { record, entry in
            if record.hasID(wanted) { found = FoundRecord(record: record, entry: entry) }
            return true
        }
        return withExtendedLifetime(snapshot) {
            found.flatMap { core.records([$0], epoch: snapshot.extent.epoch).first }
        }
    }
}
