package import MockAPNsLog
internal import MockAPNsWorld

/// The database of a namespace as the `mock-apns data` commands see it.
///
/// A server may use it at the same time, unless stated otherwise.
package struct StoredWorld: KeptWorld {
    let database: Database

    /// Opens a database.
    ///
    /// Set `toWrite` to compact it.
    package init(path: String, toWrite: Bool = false) throws(StoreError) {
        let database = try Database(path, toWrite ? .write : .read)
        if try Schema.isOlder(database) {
            let writer = try Database(path, .write)
            defer { writer.close() }
            try Schema.create(in: writer)
        }
        self.database = database
        guard try !Schema.isNew(database) else {
            throw StoreError(.damaged, "\(path) is empty; restore a copy, or delete it")
        }
    }

    /// Returns the statistics of the database.
    package func facts() throws(StoreError) -> WorldFacts {
        try database.transaction("begin") { () throws(StoreError) in
            let snapshot = try database.number("select max(position) from snapshot") ?? 0
            let size = Int(try database.number("pragma page_size") ?? 0)
            let times = """
                select (select received_at from push order by seq limit 1),
                    (select received_at from push order by seq desc limit 1)
                """
            let bounds = try database.rows(times) { row in (0...1).map { row.isNull($0) ? nil : row.integer($0) } }
            return WorldFacts(
                version: Int(try database.number("pragma user_version") ?? 0),
                pushes: Int(try database.number("select pushes from head") ?? 0), firstReceivedAt: bounds.first?[0],
                lastReceivedAt: bounds.first?[1],
                position: UInt64(clamping: max(snapshot, try database.number("select max(position) from change") ?? 0)),
                changesToReplay: Int(
                    try database.number("select count(*) from change where position > ?", [.integer(snapshot)]) ?? 0),
                bytes: Int(try database.number("pragma page_count") ?? 0) * size,
                unusedBytes: Int(try database.number("pragma freelist_count") ?? 0) * size)
        }
    }

    /// Returns the problems found in the database; empty if there are none.
    package func problems() throws(StoreError) -> [String] {
        try database.transaction("begin") { () throws(StoreError) in
            var problems = try database.rows("pragma integrity_check") { row in row.text(0) }.filter { $0 != "ok" }
            guard problems.isEmpty else { return problems }
            problems += try Schema.lackingIndexes(of: database).map { index in
                "the index \(index.name) is missing or different; the next start of a server creates it again"
            }
            let gaps = """
                select position from change where position > (select min(position) from change)
                    and position - 1 not in (select position from change)
                """
            problems += try database.rows(gaps) { row in "change \(row.number(0) - 1) is missing" }
            let first = try database.number("select min(position) from change") ?? 1
            let start = try database.number("select min(position) from snapshot") ?? 0
            if first > start + 1 { problems.append("change \(start + 1) is missing") }
            let lacking = """
                select position from change where position > ? and pushes <> (
                    select count(*) from record where seq between first_push and last_push
                    and record.position = change.position
                )
                """
            problems += try database.rows(lacking, [.integer(start)]) { row in
                "pushes of change \(row.number(0)) are missing"
            }
            try database.statement("select \(RecordTable.columns) from record").visit([]) { row throws(StoreError) in
                if case .failure(let push) = RecordTable.push(from: row) { problems.append("\(push)") }
            }
            if try database.number("select count(*) from push") != database.number("select pushes from head") {
                problems.append("the number of pushes is wrong")
            }
            return problems
        }
    }

    /// Opens the database as a store, which callers must only read from.
    ///
    /// Opening may itself add pushes to the table `search`.
    package func opened() throws(StoreError) -> any WorldStore { try SQLiteStore(path: database.path) }

    /// Rewrites the database without unused pages.
    ///
    /// No server may be using it.
    package func compact() throws(StoreError) {
        try database.execute("vacuum")
        try database.execute("pragma wal_checkpoint(truncate)")
    }

    /// Copies the current database to a new file.
    package func copy(to path: String) throws(StoreError) {
        let target = try Database(path, .create)
        try Self.requireEmpty(target)
        try database.backUp(to: target)
        // The copy uses WAL mode, as every database of a world does.
        try target.execute("pragma journal_mode = wal")
        target.close()
    }

    /// Writes a copy of a world from another kind of store to a new file.
    package static func write(_ world: WorldCopy, to path: String) throws(StoreError) {
        let target = try Database(path, .create)
        defer { target.close() }
        try requireEmpty(target)
        try Schema.create(in: target)
        try target.write(world)
    }

    private static func requireEmpty(_ target: Database) throws(StoreError) {
        guard try target.number("select count(*) from sqlite_schema") == 0 else {
            let fix = "choose another directory"
            throw StoreError(.failed, "cannot copy to \(target.path): it exists already; \(fix)")
        }
    }
}
