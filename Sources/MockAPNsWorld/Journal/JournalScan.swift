public import MockAPNsRules

/// An iteration over the records of the journal at one time, one record at a time.
///
/// It takes no lock between records, so the caller may pause for any time. The records stay in memory until
/// the scan is released.
public struct JournalScan {
    /// The extent of the journal.
    public var extent: JournalExtent { snapshot.extent }

    private let query: PushQuery
    private let snapshot: JournalSnapshot
    /// Copies records with their current delivery states.
    private let records: @Sendable ([FoundRecord], JournalSnapshot) -> [PushRecord]
    private let registrations: RegistrationIndex
    private var walk: JournalWalk

    init(
        _ query: PushQuery, _ registrations: RegistrationIndex, _ snapshot: JournalSnapshot,
        records: @escaping @Sendable ([FoundRecord], JournalSnapshot) -> [PushRecord]
    ) {
        self.query = query
        self.records = records
        self.registrations = registrations
        self.snapshot = snapshot
        walk = JournalWalk(snapshot)
    }

    /// Examines the next record, oldest first, and calls `use` if it matches; returns `false` at the end.
    public mutating func next(_ use: (borrowing RequestView, PushOutline, FoundRecord) -> Void) -> Bool {
        guard let found = walk.next(), found.entry.seq < query.before ?? .max else { return false }
        guard query.matches(found.record, found.entry, registrations) else { return true }
        let outline = PushOutline(found.record, found.entry, registrations)
        found.record.withRequest { use($0, outline, found) }
        return true
    }

    /// Returns a page of all matches, given oldest first, with the current delivery states of its pushes.
    public func page(of matches: [FoundRecord]) -> PushPage {
        let isAscending = query.order == .ascending
        let page = isAscending ? Array(matches.prefix(query.limit)) : matches.suffix(query.limit).reversed()
        let isCut = isAscending && page.count < matches.count
        let lastSeen = isCut ? page.last?.entry.seq ?? query.after : nil
        let lastAskedFor = query.before.map { $0 > 0 ? $0 - 1 : 0 } ?? .max
        return PushPage(
            pushes: records(page, snapshot), matched: matches.count,
            nextAfter: lastSeen ?? max(min(extent.lastSeq, lastAskedFor), query.after), extent: extent)
    }
}

/// The result of a query.
public struct PushPage: Sendable {
    /// The records, in the order of the query.
    public private(set) var pushes: [PushRecord]
    /// The number of matching records, including those above the limit.
    ///
    /// Of those that have left the memory, only those on the page are counted.
    public private(set) var matched: Int
    /// The number of records on the page that have left the memory.
    public private(set) var older = 0
    /// The number after which to continue: reading this page in ascending order has missed nothing up to it.
    public private(set) var nextAfter: UInt64
    /// The extent of the journal.
    public let extent: JournalExtent

    init(pushes: [PushRecord], matched: Int, nextAfter: UInt64, extent: JournalExtent) {
        self.pushes = pushes
        self.matched = matched
        self.nextAfter = nextAfter
        self.extent = extent
    }

    /// Adds the pushes that follow in descending order.
    package mutating func append(older: [PushRecord]) {
        pushes += older
        matched += older.count
        self.older = older.count
    }

    /// Adds the pushes that precede in ascending order; with `isFull`, there may be more of them.
    package mutating func prepend(older: [PushRecord], isFull: Bool) {
        if isFull, let last = older.last { nextAfter = last.seq }
        pushes = older + pushes
        matched += older.count
        self.older = older.count
    }
}
