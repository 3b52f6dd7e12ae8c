public import MockAPNsRules

/// An iteration over the records of the journal at one time, one record at a time.
///
/// It takes no lock between records, so the caller may pause for any time. The records stay in memory until
/// the scan is released.
public struct JournalScan {
    /// A record found by a scan; valid during the lifetime of the scan.
    public struct Match {
        let found: FoundRecord
    }

    /// The extent of the journal.
    public var extent: Journal.Extent { snapshot.extent }

    private let query: PushQuery
    private let snapshot: JournalSnapshot
    private let core: WorldCore
    private let registrations: RegistrationIndex
    private var walk: JournalWalk

    init(_ query: PushQuery, _ core: WorldCore, _ snapshot: JournalSnapshot) {
        self.query = query
        self.core = core
        registrations = core.ruleset.registrations
        self.snapshot = snapshot
        walk = JournalWalk(snapshot, after: query.after)
    }

    /// Examines the next record, oldest first, and calls `use` if it matches the query.
    ///
    /// - Returns: Whether a record was examined; `false` at the end.
    public mutating func next(_ use: (borrowing RequestView, PushOutline, Match) -> Void) -> Bool {
        guard let found = walk.next(), found.entry.seq < query.before ?? .max else { return false }
        guard query.matches(found.record, found.entry, registrations) else { return true }
        let outline = PushOutline(found.record, found.entry, registrations)
        found.record.withRequest { use($0, outline, Match(found: found)) }
        return true
    }

    /// Returns the page of the query from the matches of the scan.
    ///
    /// - Parameter matches: All matches, oldest first.
    /// - Returns: The page, with the current delivery states of its pushes.
    public func page(of matches: [Match]) -> PushPage {
        let isAscending = query.order == .ascending
        let page = isAscending ? Array(matches.prefix(query.limit)) : matches.suffix(query.limit).reversed()
        let isCut = isAscending && page.count < matches.count
        let lastSeen = isCut ? page.last?.found.entry.seq ?? query.after : nil
        let lastAskedFor = query.before.map { $0 > 0 ? $0 - 1 : 0 } ?? .max
        let pushes = withExtendedLifetime(snapshot) {
            core.records(page.map(\.found), epoch: snapshot.extent.epoch)
        }
        return PushPage(
            pushes: pushes,
            matched: matches.count,
            nextAfter: lastSeen ?? max(min(extent.lastSeq, lastAskedFor), query.after),
            extent: extent
        )
    }
}

extension Journal {
    /// Starts a scan of the journal's current records.
    public func scan(_ query: PushQuery) -> JournalScan { JournalScan(query, core, snapshot()) }
}
