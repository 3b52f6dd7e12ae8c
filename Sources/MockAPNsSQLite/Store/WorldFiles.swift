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
        /// The database, and the files beside it, whose names are `path` and these suffixes.
        var identities: [String: FileIdentity] = [:]
        /// The last change when the files were closed.
        var position: Int64?
        var isClosed = false
    }

    /// Opens the database of a world, and creates it if it does not exist.
    init(
        path: String,
        options: SQLiteStore.Options,
        among openWorlds: OpenWorlds?,
        lock: DirectoryLock?
    ) throws(StoreError) {
        self.path = path
        self.openWorlds = openWorlds
        self.lock = lock
        settings = """
            pragma synchronous = \(options.sync.rawValue);
            pragma wal_autocheckpoint = 16384;
            pragma journal_size_limit = 134217728;
            pragma cache_size = -\(options.cacheKiB);
            """
        let writer = try Database(path, .create)
        // Until its first transaction is complete, a new file is worth nothing; what follows in the log has checksums.
        try writer.execute("pragma synchronous = \(options.sync == .full ? "full" : "off")")
        try Schema.migrate(writer)
        try writer.execute(settings)
        var state = State()
        state.writer = writer
        state.identities = Self.identities(path)
        self.state = NIOLockedValueBox(state)
        // Now that a caller can close the files of this world, too.
        openWorlds?.willUse(self)
    }

    deinit { close() }

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
        return try use(try opened { state throws(StoreError) in try self.writer(&state) })
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
        try use(connection)
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
        let result = try connection.transaction("begin") { () throws(StoreError) in try use(connection) }
        state.withLockedValue { state in
            if !state.isClosed, state.readers.count < Self.mostIdle { state.readers.append(connection) }
        }
        return result
    }

    private func begin() {
        state.withLockedValue { $0.users += 1 }
        openWorlds?.willUse(self)
    }

    private func end() { state.withLockedValue { $0.users -= 1 } }

    private func opened(
        _ open: (inout State) throws(StoreError) -> Database
    ) throws(StoreError) -> Database {
        try state.withLockedValue { state in
            Result { () throws(StoreError) in
                if state.isClosed { throw StoreError(.failed, "cannot use \(path): it was closed") }
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
        return opened
    }

    /// Opens a connection to the file that the others use.
    private func connection(_ access: Database.Access, _ state: State) throws(StoreError) -> Database {
        try state.identities[""]?.require(at: path)
        return try Database(path, access)
    }

    private static func position(_ database: Database) throws(StoreError) -> Int64 {
        try database.number(
            "select max(position) from (select position from change union select position from snapshot)"
        )
            ?? 0
    }

    // MARK: Checking and closing them

    /// Throws if a file is not the one that was opened, or if another server may use the directory.
    func check() throws(StoreError) {
        try lock?.check()
        try state.withLockedValue { state in
            Result { () throws(StoreError) in
                guard !state.isClosed else { return }
                // While no connection is open, other programs may move the log to the file and delete it.
                let suffixes = state.writer == nil ? [""] : ["", "-wal", "-shm"]
                for suffix in suffixes { try state.identities[suffix]?.require(at: path + suffix) }
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
            state.checkpointer?.close()
            state.writer?.close()
            (state.checkpointer, state.writer) = (nil, nil)
        }
    }
}
