internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld

/// Reads the stored pushes of a namespace; each call has a connection of the pool to itself.
final class PostgresHistory: PushHistory {
    private let namespace: Int64
    private let readers: ReaderPool

    init(_ namespace: Int64, _ readers: ReaderPool) {
        self.namespace = namespace
        self.readers = readers
    }

    private static let isKept = """
        deleted is null and record.seq > (select cleared from namespace where id = $1)
        """

    func pushes(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) throws(StoreError) -> [ReadPush] {
        let search = HistorySearch(query, in: range, atMost: most)
        return try readers.read { connection throws(StoreError) in
            try KeptPushes.read(
                "\(Self.isKept) and \(search.condition)", search.order, [.integer(namespace)] + search.values,
                connection)
        }
    }

    func push(seq: UInt64) throws(StoreError) -> ReadPush? {
        try readers.read { connection throws(StoreError) in
            let values: [Value] = [.integer(namespace), .number(seq)]
            return try KeptPushes.read("\(Self.isKept) and record.seq = $2", "", values, connection).first
        }
    }

    func push(apnsID: String) throws(StoreError) -> ReadPush? {
        try readers.read { connection throws(StoreError) in
            try KeptPushes.read(
                "\(Self.isKept) and lower(record.id) = $2", "order by record.seq desc limit 1",
                [.integer(namespace), .text(apnsID)], connection
            ).first
        }
    }

    func extent() throws(StoreError) -> HistoryExtent {
        try readers.read { connection throws(StoreError) in
            let query = """
                select namespace.pushes, first.seq, first.received_at from namespace left join lateral (
                    select seq, received_at from record where namespace = $1 and \(Self.isKept)
                    order by record.seq limit 1
                ) as first on true
                where namespace.id = $1
                """
            guard let row = try connection.run(query, [.integer(namespace)]).first else {
                return HistoryExtent(count: 0)
            }
            return HistoryExtent(
                count: Int(row.integer(0)), firstSeq: row.isNull(1) ? nil : row.number(1),
                firstReceivedAt: row.isNull(2) ? nil : row.time(2))
        }
    }
}
