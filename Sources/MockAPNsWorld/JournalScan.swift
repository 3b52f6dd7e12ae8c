public import MockAPNsRules

/// A walk over the records that the journal had at one moment, one record at a time.
///
/// It takes no lock between records, so whoever walks may pause for as long as necessary. The records stay in memory
/// until the scan is released.
public struct JournalScan {
    /// A record that a scan came across; valid as long as the scan.
    public struct Match {
        let found: FoundRecord
    }

    /// What the journal held.
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

    /// Looks at the next record, oldest first, and lends it to `use` if the query finds it.
    ///
    /// - Returns: whether a record was looked at; `false` at the end.
    public mutating func next(_ use: (borrowing RequestView, PushOutline, Match) -> Void) -> Bool {
        guard let found = walk.next(), found.entry.seq < query.before ?? .max else { return false }
        guard query.matches(found.record, found.entry, registrations) else { return true }
        let outline = PushOutline(found.record, found.entry, registrations)
        found.record.withRequest { use($0, outline, Match(found: found)) }
        return true
    }

    /// The page that the query asks for, out of everything that the scan found.
    ///
    /// - Parameter matches: all matches, oldest first.
    /// - Returns: the page, with the delivery states that its pushes have now.
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
    /// Begins to walk over what the journal holds now.
    public func scan(_ query: PushQuery) -> JournalScan { JournalScan(query, core, snapshot()) }
}
