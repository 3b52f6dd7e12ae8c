internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Reads the pushes of a database.
final class SQLiteHistory: PushHistory {
    private let files: WorldFiles
    /// The pushes of the store that are not yet in the table `search`.
    private let backlog: NIOLockedValueBox<SearchBacklog>

    init(_ files: WorldFiles, _ backlog: NIOLockedValueBox<SearchBacklog>) {
        self.files = files
        self.backlog = backlog
    }

    // MARK: Queries

    func pushes(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) throws(StoreError) -> [KeptPush] {
        try pushes(HistorySearch(query, in: range, atMost: most))
    }

    private func pushes(_ search: HistorySearch) throws(StoreError) -> [KeptPush] {
        let waiting = search.keys.map { keys in backlog.withLockedValue { $0.pushes(keys) } } ?? []
        return try files.read { database throws(StoreError) in
            try search.pushes(in: database, waiting).map { push throws(StoreError) in try Self.kept(push, in: database)
            }
        }
    }

    func push(seq: UInt64) throws(StoreError) -> KeptPush? {
        let query = "select \(PushRow.columns) from record where record.seq = ? and \(PushRow.isKept)"
        return try files.read { database throws(StoreError) in
            let found = try database.rows(query, [.number(seq)]) { row throws(StoreError) in
                try PushRow.push(from: row, files.path)
            }
            guard let push = found.first else { return nil }
            return try Self.kept(push, in: database)
        }
    }

    func push(apnsID: String) throws(StoreError) -> KeptPush? { try pushes(HistorySearch(apnsID: apnsID)).first }

    func extent() throws(StoreError) -> HistoryExtent {
        try files.read { database throws(StoreError) in
            let count = Int(try database.number("select pushes from head") ?? 0)
            let oldest = """
                select record.seq, received_at from record where \(PushRow.isKept) order by record.seq limit 1
                """
            let first = try database.rows(oldest) { row in (row.number(0), row.integer(1)) }.first
            return HistoryExtent(count: count, firstSeq: first?.0, firstReceivedAt: first?.1)
        }
    }

    private static func kept(_ push: LoggedPush, in database: Database) throws(StoreError) -> KeptPush {
        let query = "select \(PushRow.stepColumns) from step where push = ? order by seq"
        let steps = try database.rows(query, [.number(push.seq)]) { row in PushRow.step(from: row) }
        return KeptPush(push: push, steps: steps, fanOut: try database.fanOut(of: push.seq))
    }
}
