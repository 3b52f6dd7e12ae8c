internal import MockAPNsLog
internal import MockAPNsWorld

/// A namespace of a database, for the commands of `mock-apns data`.
struct PostgresWorld: KeptWorld {
    /// The maximum number of rows in a page.
    private static let page: Int64 = 1_000

    private let store: PostgresStore
    private let connection: LockedConnection
    private var namespace: Value { .integer(store.id) }

    init(_ store: PostgresStore, _ connection: LockedConnection) {
        self.store = store
        self.connection = connection
    }

    func opened() throws(StoreError) -> any WorldStore { store }

    /// Calls `use` in a read-only transaction, so that all its queries see the same state of the database.
    private func read<Result>(_ use: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try connection.use { connection throws(StoreError) in
            try connection.begin([Command("set transaction isolation level repeatable read, read only")])
            let result: Result
            do throws(StoreError) { result = try use(connection) } catch {
                connection.rollBack()
                throw error
            }
            connection.rollBack()
            return result
        }
    }

    func facts() throws(StoreError) -> WorldFacts {
        let query = """
            with newest as (
                select coalesce(max(position), 0) as position from snapshot where namespace = $1
            ), kept as (
                select seq, received_at from record, namespace
                where namespace.id = $1 and namespace = $1 and deleted is null and seq > cleared
            )
            select pushes, (select received_at from kept order by seq limit 1),
                (select received_at from kept order by seq desc limit 1),
                greatest(newest.position, (select max(world_position) from change where namespace = $1)),
                (select count(*) from change where namespace = $1 and world_position > newest.position), bytes
            from namespace, newest where id = $1
            """
        return try read { connection throws(StoreError) in
            let row = try connection.run(query, [namespace]).first
            func time(_ column: CInt) -> Int64? { row.flatMap { $0.isNull(column) ? nil : $0.time(column) } }
            return WorldFacts(
                version: Schema.version, pushes: Int(row?.integer(0) ?? 0), firstReceivedAt: time(1),
                lastReceivedAt: time(2), position: row?.number(3) ?? 0, changesToReplay: Int(row?.integer(4) ?? 0),
                bytes: Int(row?.integer(5) ?? 0), unusedBytes: nil)
        }
    }

    func problems() throws(StoreError) -> [String] {
        try read { connection throws(StoreError) in
            let gaps = """
                select world_position from (
                    select world_position, lag(world_position) over (order by world_position) as before
                    from change where namespace = $1
                ) as change where before <> world_position - 1 order by world_position
                """
            var problems = try connection.run(gaps, [namespace]).rows.map { row in
                "change \(row.number(0) - 1) is missing"
            }
            let bounds = """
                select (select min(world_position) from change where namespace = $1),
                    (select min(position) from snapshot where namespace = $1), pushes, (
                        select count(*) from record where namespace = $1 and deleted is null and seq > cleared
                    )
                from namespace where id = $1
                """
            let found = try connection.run(bounds, [namespace]).first
            let start = found?.number(1) ?? 0
            if let found, !found.isNull(0), found.number(0) > start + 1 {
                problems.append("change \(start + 1) is missing")
            }
            let lacking = """
                select world_position from change where namespace = $1 and world_position > $2 and pushes <> (
                    select count(*) from record where namespace = $1 and seq between first_push and last_push
                    and record.position = world_position
                ) order by world_position
                """
            problems += try connection.run(lacking, [namespace, .number(start)]).rows.map { row in
                "change \(row.number(0)) lacks pushes"
            }
            try pages(of: "select \(RecordTable.columns) from record where namespace = $1", by: "seq", connection) {
                row in if case .failure(let push) = RecordTable.push(from: row) { problems.append("\(push)") }
            }
            if let found, found.integer(2) != found.integer(3) { problems.append("the number of pushes is wrong") }
            return problems
        }
    }

    /// Calls `use` with the rows of a query, page by page, ordered by `column`, which must be the query's first column.
    private func pages(
        of query: String, by column: String, _ connection: Connection,
        _ use: (QueryResult.Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        var last: Int64 = -1
        while true {
            let page = "\(query) and \(column) > $2 order by \(column) limit $3"
            let rows = try connection.run(page, [namespace, .integer(last), .integer(Self.page)]).rows
            for row in rows { try use(row) }
            guard let end = rows.last, rows.count == Int(Self.page) else { return }
            last = end.integer(0)
        }
    }
}
