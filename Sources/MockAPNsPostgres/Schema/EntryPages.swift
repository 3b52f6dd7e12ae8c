internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld

/// Reads changes with their pushes, a page at a time.
struct EntryPages {
    /// The maximum number of changes in a page.
    private static let size: UInt64 = 128

    /// A change that was read.
    private struct Found {
        var entry: SharedEntry
        var namespace: Int64
        var pushCount: Int
    }

    private static let columns = """
        change.position, namespace.name, change.namespace, world_position, system, world, kind, data, change.pushes
        """

    /// Calls `use` with the entries of the shared log after `position`, up to and including `end`.
    ///
    /// `read` runs statements. It has always returned before `use` is called.
    static func visit(
        after position: UInt64, upTo end: UInt64, _ place: String, _ texts: KnownTexts,
        _ read: ([Command]) throws(StoreError) -> [QueryResult], _ use: (SharedEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        var last = position
        while last < end {
            let pageEnd = min(end, last + size)
            let bounds: [Value] = [.number(last), .number(pageEnd)]
            let page = "change.position > $1 and change.position <= $2"
            let results = try read([
                Command(
                    """
                    select \(columns) from change join namespace on namespace.id = change.namespace
                    where \(page) order by change.position
                    """, bounds), Command(pushQuery(page), bounds),
                // Must come last: changes that are not trimmed yet were visible to the queries above.
                trimmed,
            ])
            try requireKept(results[2], after: last)
            let found: [Found]
            do throws(StoreError) { found = try entries(results[0], results[1], place, texts, read) } catch {
                // A text is missing if its pushes were deleted meanwhile.
                try requireKept(read([trimmed])[0], after: last)
                throw error
            }
            for found in found { try use(found.entry) }
            last = pageEnd
        }
    }

    private static let trimmed = Command("select value from counter where name = 'trimmed'")

    private static func requireKept(_ trimmed: QueryResult, after position: UInt64) throws(StoreError) {
        let trimmed = trimmed.first?.number(0) ?? 0
        guard trimmed <= position else {
            throw StoreError(.failed, "the changes up to \(trimmed) were replaced by a snapshot")
        }
    }

    /// Calls `use` with the entries of a namespace after a position in its world's log.
    static func visit(
        _ namespace: Int64, after position: UInt64, _ place: String, _ texts: KnownTexts,
        _ read: ([Command]) throws(StoreError) -> [QueryResult], _ use: (LogEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        var last = position
        while true {
            let bounds: [Value] = [.integer(namespace), .number(last), .number(last + size)]
            let page = "change.namespace = $1 and world_position > $2 and world_position <= $3"
            let results = try read([
                Command(
                    """
                    select \(columns) from change join namespace on namespace.id = change.namespace
                    where \(page) order by world_position
                    """, bounds), Command(pushQuery(page), bounds),
                Command(
                    """
                    select min(world_position), max(world_position) from change
                    where namespace = $1 and world_position > $2
                    """, Array(bounds.prefix(2))),
            ])
            let found = try entries(results[0], results[1], place, texts, read)
            for next in found {
                guard next.entry.entry.position == last + 1 else { break }
                last += 1
                try use(next.entry.entry)
            }
            guard let rest = results[2].first, !rest.isNull(1), rest.number(1) > last else { return }
            // There are more changes. They must follow without a gap; the next page reads them.
            guard rest.number(0) <= last + 1, !found.isEmpty else { throw missing("change \(last + 1)", place) }
        }
    }

    /// Selects the pushes of a page: for each namespace, those from its first to its last push in the page.
    ///
    /// `offset 0` stops the planner from reordering the join. It cannot estimate the ranges, and would sometimes scan
    /// the whole table for each page.
    private static func pushQuery(_ page: String) -> String {
        """
        select \(RecordTable.ownColumns), page.namespace, record.position
        from (
            select change.namespace, min(first_push) as first, max(last_push) as last from change
            where \(page) and change.pushes > 0 group by change.namespace
        ) as page cross join lateral (
            select * from record where namespace = page.namespace and seq between page.first and page.last
            order by seq offset 0
        ) as record
        """
    }

    private static func entries(
        _ changes: QueryResult, _ pushes: QueryResult, _ place: String, _ texts: KnownTexts,
        _ read: ([Command]) throws(StoreError) -> [QueryResult]
    ) throws(StoreError) -> [Found] {
        var taken: [EntryBatch.Row: [KeptPush]] = [:]
        let known = try texts.read(of: pushes.rows, read)
        var last: (key: EntryBatch.Row, text: [UInt8])?
        for row in pushes.rows {
            let key = EntryBatch.Row(
                namespace: row.integer(RecordTable.sharedColumn + 1), number: row.number(RecordTable.sharedColumn + 2))
            let shared = KnownTexts.key(of: row)
            if let shared, last?.key != shared { last = known[shared].map { (shared, $0) } }
            let push = shared.flatMap { _ in last?.text }.map { text in
                text.withUnsafeBufferPointer { RecordTable.push(from: row, sharing: ByteSpan($0)) }
            }
            taken[key, default: []].append(try (push ?? RecordTable.push(from: row)).whole(in: place))
        }
        return try changes.rows.map { row throws(StoreError) in
            var entry = LogEntry(
                position: row.number(3), system: row.integer(4), world: row.integer(5), kind: row.text(6),
                data: row.bytes(7))
            let namespace = row.integer(2)
            entry.pushes = taken[EntryBatch.Row(namespace: namespace, number: entry.position)] ?? []
            guard entry.pushes.count == Int(row.integer(8)) else {
                throw missing("a push of change \(entry.position) of \(row.text(1))", place)
            }
            let shared = SharedEntry(position: row.number(0), namespace: row.text(1), entry: entry)
            return Found(entry: shared, namespace: namespace, pushCount: entry.pushes.count)
        }
    }

    private static func missing(_ what: String, _ place: String) -> StoreError {
        StoreError(.damaged, "\(place) is damaged: \(what) is missing; restore a backup of the database")
    }
}
