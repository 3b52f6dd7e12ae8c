/// The answer to a query.
public struct PushPage: Sendable {
    /// The records, in the order asked for.
    public let pushes: [PushRecord]
    /// How many records met the conditions, whether or not the limit let them through.
    public let matched: Int
    /// The number to ask on from: nothing up to it has been missed by reading this page in ascending order.
    public let nextAfter: UInt64
    /// What the journal held.
    public let extent: JournalExtent
}

extension Journal {
    /// Finds records.
    ///
    /// Everything answered before the call is in it.
    public func pushes(_ query: PushQuery) -> PushPage {
        var scan = scan(query)
        var found: [JournalScan.Match] = []
        while scan.next({ _, _, match in found.append(match) }) {}
        return scan.page(of: found)
    }

    /// The record of this number; `nil` when it never was or is not kept any more.
    public func push(seq: UInt64) -> PushRecord? { core.record(seq) }

    /// The newest record whose answer carried this `apns-id`, in any letter case.
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
