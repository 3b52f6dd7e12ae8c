package import MockAPNsLog
internal import NIOConcurrencyHelpers

/// Keeps the log of a world in a SQLite database.
package final class SQLiteStore: WorldStore {
    /// When a change is safe.
    package enum Sync: String, CaseIterable, Sendable {
        /// It survives the end of the process, but not always the loss of power.
        case normal
        /// It survives the loss of power too.
        case full
    }

    /// The settings of a store.
    package struct Options: Sendable {
        /// When a change is safe.
        package var sync = Sync.normal
        /// How much of the history is kept.
        package var retention = Retention()
        /// The number of pushes that one call of `tidy` deletes at most.
        package var tidyStep = 1_024
        /// The time after which one call of `tidy` deletes no more pushes: those that arrive meanwhile wait.
        package var tidyTime = Duration.milliseconds(5)
        /// The number of pushes that wait before they are made searchable, as long as the store is small.
        package var searchBacklog = 16_384

        package init() {}
    }

    /// What the table `head` has, and the numbers that limit what may be deleted.
    struct Head {
        /// The number of pushes that are kept.
        var pushes: Int
        /// The number up to which everything was deleted by resets.
        var cleared: UInt64
        /// The position of the last change.
        var position: UInt64
        /// The position up to which changes are no longer needed, and the number from which pushes are.
        var floor: (position: UInt64, push: UInt64)
    }

    let database: Database
    let options: Options
    let head: NIOLockedValueBox<Head>
    let backlog: NIOLockedValueBox<SearchBacklog>
    let checkpointer: Checkpointer
    private let pushes: SQLiteHistory

    /// Opens the database of a world, and creates it if it does not exist.
    package init(path: String, options: Options = Options()) throws(StoreError) {
        self.options = options
        database = try Database(path, .create)
        try Schema.migrate(database)
        try database.execute(
            """
            pragma synchronous = \(options.sync.rawValue);
            pragma wal_autocheckpoint = 16384;
            pragma journal_size_limit = 134217728;
            pragma cache_size = -32768;
            """
        )
        head = NIOLockedValueBox(try Self.readHead(of: database))
        let indexed = try database.number("select indexed from head") ?? 0
        backlog = NIOLockedValueBox(SearchBacklog(indexed: UInt64(clamping: indexed)))
        pushes = SQLiteHistory(path: path, backlog)
        checkpointer = try Checkpointer(path: path, pages: 2_048)
        while try readBacklog() {
            while try index(atLeast: 1) {}
        }
    }

    private static func readHead(of database: Database) throws(StoreError) -> Head {
        let found = try database.rows("select pushes, cleared from head") { row in
            Head(
                pushes: Int(row.integer(0)),
                cleared: row.number(1),
                position: 0,
                floor: (0, 0)
            )
        }
        guard var head = found.first else {
            let fix = "restore a copy of the file"
            throw StoreError(.damaged, "\(database.path) is damaged: the table head is empty; \(fix)")
        }
        let written = try database.number("select max(position) from change") ?? 0
        let snapshot = try database.number("select max(position) from snapshot") ?? 0
        head.position = UInt64(clamping: max(written, snapshot))
        head.floor = try floor(of: database)
        return head
    }

    /// Reads pushes that are not yet in the table `search`, and returns whether there may be more: after a crash there are
    /// not so many, but a file of an older version has none in it.
    private func readBacklog() throws(StoreError) -> Bool {
        let most = options.searchBacklog * 32
        let query = "select seq, token, topic, id from record where seq > ? order by seq limit ?"
        var read = backlog.withLockedValue { $0 }
        let values: [Value] = [.number(read.indexed), .integer(Int64(most))]
        var entries: [SearchEntry] = []
        try database.statement(query).visit(values) { row throws(StoreError) in
            let seq = row.number(0)
            entries.removeAll(keepingCapacity: true)
            SearchEntry.visit(seq, token: row.text(1), topic: row.text(2), id: row.text(3)) {
                entries.append($0)
            }
            read.add(entries, of: 1, upTo: seq)
        }
        backlog.withLockedValue { $0 = read }
        return read.pushCount == most
    }

    /// What the older of the two snapshots needs; everything if there are not yet two.
    static func floor(of database: Database) throws(StoreError) -> (position: UInt64, push: UInt64) {
        let older = "select position, first_push from snapshot order by position desc limit 1 offset 1"
        return try database.rows(older) { row in (row.number(0), row.number(1)) }.first ?? (0, 0)
    }

    package var history: any PushHistory { pushes }

    package func close() {
        pushes.close()
        checkpointer.close()
        database.close()
    }

    // MARK: Properties

    package func properties() throws(StoreError) -> [String: String] {
        let found = try database.rows("select name, value from property") { row in (row.text(0), row.text(1))
        }
        return Dictionary(found) { first, _ in first }
    }

    package func write(properties: [String: String]) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try database.run("delete from property")
            for (name, value) in properties {
                try database.run("insert into property values (?, ?)", [.text(name), .text(value)])
            }
        }
    }
}
