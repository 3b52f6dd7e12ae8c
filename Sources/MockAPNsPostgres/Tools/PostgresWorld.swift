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
            try pages(of: "select seq, headers from record where namespace = $1", by: "seq", connection) {
                row throws(StoreError) in
                guard HeaderText.headers(of: row.bytes(1)) == nil else { return }
                problems.append("push \(row.number(0)) has unreadable headers")
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

    func visitRows(
        _ begin: (StoredHeader) throws(StoreError) -> Void, _ use: (StoredRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        try read { connection throws(StoreError) in
            try begin(try header(connection))
            // The columns of a push come first.
            let next = PushRow.columnCount
            let pushes = """
                select \(PushRow.columns), position, first_delivery is not null, delivery, deleted from record
                where namespace = $1
                """
            try pages(of: pushes, by: "seq", connection) { row throws(StoreError) in
                let stored = StoredPush(
                    push: try PushRow.push(from: row, store.stores.place), position: row.number(next),
                    delivery: row.integer(next + 1) == 1 ? row.text(next + 2) : nil,
                    deleted: row.isNull(next + 3) ? nil : row.number(next + 3))
                try use(.push(stored))
            }
            let steps = "select \(PushRow.stepColumns), position from step where namespace = $1"
            try pages(of: steps, by: "seq", connection) { row throws(StoreError) in
                try use(.step(PushRow.step(from: row), position: row.number(6)))
            }
            let fanOuts = "select push, data from fan_out where namespace = $1"
            try pages(of: fanOuts, by: "push", connection) { row throws(StoreError) in
                try use(.fanOut(push: row.number(0), data: row.bytes(1)))
            }
            let snapshots = "select position, data, digest, first_push from snapshot where namespace = $1"
            try pages(of: snapshots, by: "position", connection) { row throws(StoreError) in
                let snapshot = LogSnapshot(
                    position: row.number(0), data: row.bytes(1), digest: row.text(2), firstPush: row.number(3))
                try use(.snapshot(snapshot))
            }
            let changes = """
                select world_position, system, world, kind, data, pushes, first_push, last_push from change
                where namespace = $1
                """
            try pages(of: changes, by: "world_position", connection) { row throws(StoreError) in
                try use(.change(Self.change(row)))
            }
        }
    }

    private func header(_ connection: Connection) throws(StoreError) -> StoredHeader {
        let results = try connection.run([
            Command("select cleared from namespace where id = $1", [namespace]),
            Command("select key, value from namespace, jsonb_each_text(properties) where id = $1", [namespace]),
        ])
        let properties = results[1].rows.map { ($0.text(0), $0.text(1)) }
        return StoredHeader(
            properties: Dictionary(properties) { first, _ in first }, cleared: results[0].first?.number(0) ?? 0)
    }

    private static func change(_ row: QueryResult.Row) -> StoredChange {
        let entry = LogEntry(
            position: row.number(0), system: row.integer(1), world: row.integer(2), kind: row.text(3),
            data: row.bytes(4))
        return StoredChange(
            entry: entry, pushes: Int(row.integer(5)), firstPush: row.isNull(6) ? nil : row.number(6),
            lastPush: row.isNull(7) ? nil : row.number(7))
    }
}
