internal import MockAPNsLog
internal import NIOConcurrencyHelpers

/// The files of a world: opened when they are used, and closed again when other worlds need the room.
final class WorldFiles: Sendable {
    /// The maximum number of idle connections for reading.
    private static let mostIdle = 4

    let path: String
    private let openWorlds: OpenWorlds?
    private let lock: DirectoryLock?
    /// The statements for each new connection that writes.
    private let settings: String
    private let state: NIOLockedValueBox<State>

    private struct State {
        /// The number of callers that use the files, which stay open meanwhile.
        var users = 0
        var writer: Database?
        var checkpointer: Database?
        var readers: [Database] = []
        /// The identities of the database and of the files beside it, by the suffix that their names add to `path`.
        var identities: [String: FileIdentity] = [:]
        /// The size of the database, and what had been moved to it then.
        var known: (size: Int64, index: LogIndex)?
        /// Why the files no longer have what was written; once set, it stays.
        var damage: StoreError?
        /// Whether a file is shorter than what it contains.
        ///
        /// SQLite may not read it: it could crash, or delete the log.
        var isCut = false
        /// The last change when the files were closed.
        var position: Int64?
        var isClosed = false
    }

    /// Opens the database of a world, and creates it if it does not exist.
    init(
        path: String, options: SQLiteStore.Options, among openWorlds: OpenWorlds?, lock: DirectoryLock?
    ) throws(StoreError) {
        self.path = path
        self.openWorlds = openWorlds
        self.lock = lock
        settings = """
            pragma journal_mode = wal;
            pragma synchronous = \(options.sync.rawValue);
            pragma wal_autocheckpoint = 16384;
            pragma journal_size_limit = 134217728;
            pragma cache_size = -\(options.cacheKiB);
            """
        try Self.requireLog(path + "-wal")
        let writer = try Database(path, .create)
        // Until its first transaction is complete, a new file is worth nothing; what follows in the log has checksums.
        try writer.execute("pragma synchronous = \(options.sync == .full ? "full" : "off")")
        try Schema.create(in: writer)
        try writer.execute(settings)
        var state = State()
        state.writer = writer
        state.identities = Self.identities(path)
        state.known = Self.known(writer)
        self.state = NIOLockedValueBox(state)
        // Now that a caller can close the files of this world, too.
        openWorlds?.willUse(self)
    }

    deinit { close() }

    /// Throws if the log of a database does not begin like one: SQLite would ignore all of it.
    private static func requireLog(_ path: String) throws(StoreError) {
        guard let size = FileIdentity.size(path: path), size > 0 else { return }
        guard LogIndex.starts.contains(try FileIdentity.start(of: path, 4)) else {
            let fix = "restore a copy of it, or move it away to start without the changes in it"
            throw StoreError(.damaged, "\(path) is damaged: it does not begin like the log of a database; \(fix)")
        }
    }

    private static func known(_ writer: Database) -> (size: Int64, index: LogIndex)? {
        guard let index = writer.logIndex, !index.isMoving else { return nil }
        return FileIdentity.size(path: writer.path).map { ($0, index) }
    }

    private static func identities(_ path: String) -> [String: FileIdentity] {
        var found: [String: FileIdentity] = [:]
        for suffix in ["", "-wal", "-shm"] { found[suffix] = FileIdentity(path: path + suffix) }
        return found
    }

    // MARK: Using them

    /// Calls `use` with the connection that writes, for which callers take turns.
    func use<Result>(_ use: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
        begin()
        defer { end() }
        let connection = try opened { state throws(StoreError) in try self.writer(&state) }
        return try noting(connection) { () throws(StoreError) in try use(connection) }
    }

    /// Calls `use` with a connection that checkpoints, for which callers take turns.
    func checkpoint(_ use: (Database) throws(StoreError) -> Void) throws(StoreError) {
        begin()
        defer { end() }
        let connection = try opened { state throws(StoreError) in
            _ = try self.writer(&state)
            if let known = state.checkpointer { return known }
            let opened = try self.connection(.write, state)
            state.checkpointer = opened
            return opened
        }
        try noting(connection) { () throws(StoreError) in try use(connection) }
    }

    /// Calls `use` in a read transaction, which sees a consistent state of the database; concurrent calls use separate
    /// connections.
    func read<Result>(_ use: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
        begin()
        defer { end() }
        let connection = try opened { state throws(StoreError) in
            _ = try self.writer(&state)
            return if let idle = state.readers.popLast() { idle } else { try self.connection(.read, state) }
        }
        // A connection is not reused after an error.
        let result = try noting(connection) { () throws(StoreError) in
            try connection.transaction("begin") { () throws(StoreError) in try use(connection) }
        }
        state.withLockedValue { state in
            if !state.isClosed, state.readers.count < Self.mostIdle { state.readers.append(connection) }
        }
        return result
    }

    /// Notes damage that `use` finds.
    private func noting<Result>(
        _ connection: Database, _ use: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) { return try use() } catch {
            if let damage = connection.damage {
                let error = StoreError(damagedInUse: path, damage)
                state.withLockedValue { $0.damage = $0.damage ?? error }
            }
            throw error
        }
    }

    private func begin() {
        state.withLockedValue { $0.users += 1 }
        openWorlds?.willUse(self)
    }

    private func end() { state.withLockedValue { $0.users -= 1 } }

    private func opened(_ open: (inout State) throws(StoreError) -> Database) throws(StoreError) -> Database {
        try state.withLockedValue { state in
            Result { () throws(StoreError) in
                if state.isClosed { throw StoreError(.failed, "cannot use \(path): it was closed; restart mock-apns") }
                if state.isCut, let damage = state.damage { throw damage }
                return try open(&state)
            }
        }.get()
    }

    private func writer(_ state: inout State) throws(StoreError) -> Database {
        if let known = state.writer { return known }
        let opened = try connection(.write, state)
        try opened.execute(settings)
        guard try Self.position(opened) == state.position else {
            let fix = "move the original file back, or restart mock-apns, which then uses what is there"
            throw StoreError(.lost, "\(path) or its log was changed by another program while in use; \(fix)")
        }
        state.writer = opened
        state.identities = Self.identities(path)
        state.known = Self.known(opened)
        return opened
    }

    /// Opens a connection to the file that the others use.
    private func connection(_ access: Database.Access, _ state: State) throws(StoreError) -> Database {
        try state.identities[""]?.require(at: path)
        return try Database(path, access)
    }

    private static func position(_ database: Database) throws(StoreError) -> Int64 {
        try database.number(
            "select max(position) from (select position from change union select position from snapshot)") ?? 0
    }

    // MARK: Checking and closing them

    /// A file of a world, and how large it is at least while it is open.
    private struct Part {
        let suffix: String
        /// The least size in bytes, by the index of the log and the last known size of the database; `nil` if unknown.
        let least: @Sendable (LogIndex?, (size: Int64, index: LogIndex)?) -> Int64?
    }

    private static let parts = [
        Part(suffix: "-shm") { _, _ in LogIndex.leastFile }, Part(suffix: "-wal") { index, _ in index?.leastLog },
        Part(suffix: "") { index, known in
            guard let index, let known, !index.isMoving else { return nil }
            // Only moving pages from the log to the database changes its size.
            return index.isUnmoved(since: known.index) ? known.size : 1
        },
    ]

    /// Throws if a file is not the one that was opened, if it is shorter than what was written to it, if it was found to
    /// be damaged, or if another server may use the directory.
    func check() throws(StoreError) {
        try lock?.check()
        try state.withLockedValue { state in
            Result { () throws(StoreError) in
                guard !state.isClosed else { return }
                if let damage = state.damage { throw damage }
                guard let writer = state.writer else {
                    // While no connection is open, other programs may move the log to the file and delete it.
                    try state.identities[""]?.require(at: path)
                    return
                }
                var sizes: [String: Int64] = [:]
                // Memory beyond the end of its file must not be read.
                let memory = try state.identities["-shm"]?.require(at: path + "-shm") ?? 0
                let index = memory < LogIndex.leastFile ? nil : writer.logIndex
                for part in Self.parts {
                    sizes[part.suffix] = try state.identities[part.suffix]?.require(at: path + part.suffix)
                }
                for part in Self.parts {
                    guard let size = sizes[part.suffix], let least = part.least(index, state.known), size < least else {
                        continue
                    }
                    // Unless it changed meanwhile; then it is looked at the next time.
                    guard index == nil || writer.logIndex == index else { return }
                    let seen = "it has \(size) bytes, expected at least \(least)"
                    let damage = StoreError(damagedInUse: path + part.suffix, seen)
                    (state.damage, state.isCut) = (damage, true)
                    throw damage
                }
                guard let size = sizes[""], let index, !index.isMoving, writer.logIndex == index else { return }
                state.known = (size, index)
            }
        }.get()
    }

    /// Closes the files until they are used again, and returns whether it could.
    func closeIfUnused() -> Bool {
        state.withLockedValue { state in
            guard state.users == 0, let writer = state.writer else { return state.users == 0 }
            // Without the position, the next opening would not notice that another file has taken this one's place.
            guard let position = try? Self.position(writer) else { return false }
            state.position = position
            for reader in state.readers { reader.close() }
            state.readers = []
            state.checkpointer?.close()
            state.checkpointer = nil
            writer.closeKeepingLog()
            state.writer = nil
            return true
        }
    }

    /// Closes the files.
    ///
    /// Make no calls afterwards.
    func close() {
        openWorlds?.forget(self)
        state.withLockedValue { state in
            state.isClosed = true
            for reader in state.readers { reader.close() }
            state.readers = []
            if state.damage != nil {
                // Moving what is left of the log to the database would make it worse.
                state.checkpointer?.closeKeepingLog()
                state.writer?.closeKeepingLog()
            }
            state.checkpointer?.close()
            state.writer?.close()
            (state.checkpointer, state.writer) = (nil, nil)
        }
    }
}
