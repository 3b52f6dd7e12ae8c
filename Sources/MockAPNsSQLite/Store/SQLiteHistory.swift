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

    func pushes(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) throws(StoreError) -> [ReadPush] {
        try pushes(HistorySearch(query, in: range, atMost: most))
    }

    private func pushes(_ search: HistorySearch) throws(StoreError) -> [ReadPush] {
        let waiting = search.keys.map { keys in backlog.withLockedValue { $0.pushes(keys) } } ?? []
        return try files.read { database throws(StoreError) in
            try search.pushes(in: database, waiting).map { push throws(StoreError) in
                try database.complete(push, upTo: .max)
            }
        }
    }

    func push(seq: UInt64) throws(StoreError) -> ReadPush? {
        let query = "select \(RecordTable.columns) from record where record.seq = ? and \(RecordTable.isKept)"
        return try files.read { database throws(StoreError) in
            guard let push = try database.rows(query, [.number(seq)], { row in RecordTable.push(from: row) }).first
            else { return nil }
            return try database.complete(push, upTo: .max)
        }
    }

    func push(apnsID: String) throws(StoreError) -> ReadPush? { try pushes(HistorySearch(apnsID: apnsID)).first }

    func extent() throws(StoreError) -> HistoryExtent {
        try files.read { database throws(StoreError) in
            let count = Int(try database.number("select pushes from head") ?? 0)
            let oldest = """
                select record.seq, received_at from record where \(RecordTable.isKept) order by record.seq limit 1
                """
            let first = try database.rows(oldest) { row in (row.number(0), row.integer(1)) }.first
            return HistoryExtent(count: count, firstSeq: first?.0, firstReceivedAt: first?.1)
        }
    }
}

extension Database {
    /// Adds the steps up to a position, and what became of a broadcast, to a push.
    func complete(_ push: ReadPush, upTo position: UInt64) throws(StoreError) -> ReadPush {
        guard case .success(var push) = push else { return push }
        let steps = "select \(RecordTable.stepColumns) from step where push = ? and position <= ? order by seq"
        push.steps = try rows(steps, [.number(push.seq), .number(position)]) { row in RecordTable.step(from: row) }
        push.fanOut = try rows("select data from fan_out where push = ?", [.number(push.seq)]) { $0.bytes(0) }.first
        return .success(push)
    }
}
