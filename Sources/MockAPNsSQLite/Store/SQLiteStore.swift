package import MockAPNsLog
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Stores the log of a world in a SQLite database.
package final class SQLiteStore: WorldStore {
    /// When a change is safe.
    package enum Sync: String, CaseIterable, Sendable {
        /// When it survives a crash of the process, but not necessarily a power failure.
        case normal
        /// When it also survives a power failure.
        case full
    }

    /// The settings of a store.
    package struct Options: Sendable {
        /// When a change is safe.
        package var sync = Sync.normal
        /// The limits of the stored history.
        package var retention = Retention()
        /// The maximum number of pushes that one call of `tidy` deletes.
        package var tidyStep = 1_024
        /// The time limit for deleting pushes in one call of `tidy`, because new pushes wait meanwhile.
        package var tidyTime = Duration.milliseconds(5)
        /// The number of pushes to collect before they are added to the table `search`; larger in a large store.
        package var searchBacklog = 16_384
        /// The number of pushes that may share a text of header fields before they get other texts.
        package var sharingPushes = 65_536
        /// The memory for pages of the database, in KiB.
        package var cacheKiB = 8_192

        package init() {}
    }

    /// The values of the table `head`, and the limits of what may be deleted.
    struct Head {
        /// The number of stored pushes.
        var pushes: Int
        /// The highest push number that a reset has cleared.
        var cleared: UInt64
        /// The position of the last change.
        var position: UInt64
        /// The last change that is no longer needed, and the first push that still is.
        var floor: (position: UInt64, push: UInt64)
    }

    let files: WorldFiles
    let options: Options
    let head: NIOLockedValueBox<Head>
    let backlog: NIOLockedValueBox<SearchBacklog>
    /// The texts that header fields of new pushes share; `nil` before the first push and after a failed write.
    let headers = NIOLockedValueBox<SharedHeaders?>(nil)
    let checkpointer: Checkpointer
    private let pushes: SQLiteHistory

    /// Opens the database of a world, and creates it if it does not exist.
    package convenience init(path: String, options: Options = Options()) throws(StoreError) {
        try self.init(path: path, options: options, among: nil, lock: nil)
    }

    /// Opens the database of a world among others of a directory that has a lock.
    init(path: String, options: Options, among openWorlds: OpenWorlds?, lock: DirectoryLock?) throws(StoreError) {
        self.options = options
        let files = try WorldFiles(path: path, options: options, among: openWorlds, lock: lock)
        self.files = files
        let (head, indexed) = try files.use { database throws(StoreError) in
            let indexed = try database.number("select indexed from head") ?? 0
            return (try Self.readHead(of: database), UInt64(clamping: indexed))
        }
        self.head = NIOLockedValueBox(head)
        backlog = NIOLockedValueBox(SearchBacklog(indexed: indexed))
        pushes = SQLiteHistory(files, backlog)
        checkpointer = Checkpointer(files, pages: 2_048)
        try files.use { database throws(StoreError) in
            while try readBacklog(database) { while try index(database, atLeast: 1) {} }
        }
    }

    private static func readHead(of database: Database) throws(StoreError) -> Head {
        let found = try database.rows("select pushes, cleared from head") { row in
            Head(pushes: Int(row.integer(0)), cleared: row.number(1), position: 0, floor: (0, 0))
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

    /// Reads pushes that are not yet in the table `search`, and returns whether more may remain.
    ///
    /// Usually one call is enough, but no push of a copy from a database server is in the table.
    private func readBacklog(_ database: Database) throws(StoreError) -> Bool {
        let most = options.searchBacklog * 32
        let query = "select seq, token, topic, id from record where seq > ? order by seq limit ?"
        var read = backlog.withLockedValue { $0 }
        let values: [Value] = [.number(read.indexed), .integer(Int64(most))]
        var entries: [SearchEntry] = []
        try database.statement(query).visit(values) { row throws(StoreError) in
            let seq = row.number(0)
            entries.removeAll(keepingCapacity: true)
            SearchEntry.visit(seq, token: row.text(1), topic: row.text(2), id: row.text(3)) { entries.append($0) }
            read.add(entries, of: 1, upTo: seq)
        }
        backlog.withLockedValue { $0 = read }
        return read.pushCount == most
    }

    /// Returns the limits set by the older of the two snapshots; with fewer snapshots, nothing may be deleted.
    static func floor(of database: Database) throws(StoreError) -> (position: UInt64, push: UInt64) {
        let older = "select position, first_push from snapshot order by position desc limit 1 offset 1"
        return try database.rows(older) { row in (row.number(0), row.number(1)) }.first ?? (0, 0)
    }

    package var place: String { files.path }

    package var history: any PushHistory { pushes }

    package func check() throws(StoreError) { try files.check() }

    package func close() {
        checkpointer.close()
        files.close()
    }

    // MARK: Properties

    package func properties() throws(StoreError) -> [String: String] {
        let found = try files.use { database throws(StoreError) in
            try database.rows("select name, value from property") { row in (row.text(0), row.text(1)) }
        }
        return Dictionary(found) { first, _ in first }
    }

    package func write(properties: [String: String]) throws(StoreError) {
        try files.use { database throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                try database.run("delete from property")
                for (name, value) in properties {
                    try database.run("insert into property values (?, ?)", [.text(name), .text(value)])
                }
            }
        }
    }
}
