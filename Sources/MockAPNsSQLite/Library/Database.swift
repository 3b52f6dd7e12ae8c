internal import CMockAPNsSQLite
internal import MockAPNsLog

/// A connection to a database file.
///
/// `@unchecked Sendable`: SQLite allows any thread to use a connection, one at a time; the owner ensures the latter.
final class Database: @unchecked Sendable {
    /// What a connection may do.
    enum Access {
        case create
        case write
        case read
    }

    /// The path of the file.
    let path: String
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    private var isOpen = true
    /// What was seen when the file was first found not to be a whole database.
    private(set) var damage: String?
    private var logMemory: UnsafeRawPointer?

    /// Opens a file.
    init(_ path: String, _ access: Access) throws(StoreError) {
        self.path = path
        try Self.requireWhole(path)
        let mode =
            switch access {
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .write: SQLITE_OPEN_READWRITE
            case .read: SQLITE_OPEN_READONLY
            }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let opened else { throw StoreError(.failed, "cannot open \(path): not enough memory") }
        guard code == SQLITE_OK else {
            defer { sqlite3_close_v2(opened) }
            throw Self.failure(of: opened, code, path)
        }
        handle = opened
        // How long to wait for a lock held by another program, such as `sqlite3`.
        sqlite3_busy_timeout(handle, 5_000)
    }

    /// The size of the smallest database, in bytes.
    private static let leastSize: Int64 = 512

    /// Throws if SQLite would take the file for a new one although it is not, and then delete its log or overwrite it.
    private static func requireWhole(_ path: String) throws(StoreError) {
        let size = FileIdentity.size(path: path)
        if let size, size > 0, size < leastSize {
            let fix = "move it away, or choose another directory"
            throw StoreError(.damaged, "\(path) is not a database of mock-apns: it has \(size) bytes; \(fix)")
        }
        guard size ?? 0 == 0, let log = FileIdentity.size(path: path + "-wal"), log > 0 else { return }
        let seen = size == nil ? "is missing" : "is empty"
        let fix = "restore \(path), or move its -wal and -shm away to start with an empty world"
        throw StoreError(.damaged, "\(path) \(seen), but \(path)-wal has changes of it; \(fix)")
    }

    deinit { close() }

    /// Closes the file.
    ///
    /// Make no calls afterwards.
    func close() {
        guard isOpen else { return }
        isOpen = false
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// Closes the file quickly, and leaves its log for the next connection.
    ///
    /// Make no calls afterwards.
    func closeKeepingLog() {
        // If the library is too old for this, closing only takes longer.
        if isOpen { _ = mockapns_sqlite_keep_log(handle) }
        close()
    }

    /// Runs statements that have neither parameters nor results.
    func execute(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Returns a prepared statement, which is cached after its first use.
    func statement(_ sql: String) throws(StoreError) -> Statement {
        if let known = statements[sql] { return known }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw failure(code) }
        let statement = Statement(prepared, of: self)
        statements[sql] = statement
        return statement
    }

    /// Runs a statement without results.
    func run(_ sql: String, _ values: [Value] = []) throws(StoreError) { try statement(sql).run(values) }

    /// Returns the results of a statement.
    func rows<Result>(
        _ sql: String, _ values: [Value] = [], _ row: (borrowing Row) throws(StoreError) -> Result
    ) throws(StoreError) -> [Result] {
        var results: [Result] = []
        try statement(sql).visit(values) { next throws(StoreError) in results.append(try row(next)) }
        return results
    }

    /// Returns the first column of the first result; `nil` if there are no results or it is null.
    func number(_ sql: String, _ values: [Value] = []) throws(StoreError) -> Int64? {
        try rows(sql, values) { row in row.isNull(0) ? nil : row.integer(0) }.first ?? nil
    }

    /// Runs `body` in a transaction, which is rolled back if it throws.
    func transaction<Result>(
        _ begin: String = "begin immediate", _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try run(begin)
        do throws(StoreError) {
            let result = try body()
            try run("commit")
            return result
        } catch {
            // SQLite has already rolled back after some errors.
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "rollback", nil, nil, nil) }
            throw error
        }
    }

    /// The shared index of the log; `nil` while it changes.
    ///
    /// The database must have been read once. Call this from any thread, but not while the file is being closed or for the first time.
    var logIndex: LogIndex? {
        if logMemory == nil { logMemory = mockapns_sqlite_log_memory(handle) }
        return logMemory.flatMap { LogIndex($0) }
    }

    /// The number of rows changed by the last statement.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Returns the number of pages written since the last call.
    func takePagesWritten() -> Int {
        var (count, highest): (CInt, CInt) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 1)
        return Int(count)
    }

    /// Copies the current contents of the database to another, which is overwritten.
    func backUp(to target: Database) throws(StoreError) {
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw target.failure(sqlite3_extended_errcode(target.handle))
        }
        // Copy in one step: between steps, a write by another program would restart the backup.
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw target.failure(code) }
    }

    func failure(_ code: CInt) -> StoreError {
        if damage == nil, code & 0xff == SQLITE_CORRUPT || code & 0xff == SQLITE_NOTADB {
            damage = String(cString: sqlite3_errmsg(handle))
        }
        return Self.failure(of: handle, code, path)
    }

    private static func failure(of handle: OpaquePointer, _ code: CInt, _ path: String) -> StoreError {
        let system = sqlite3_system_errno(handle)
        let isAboutFiles = [SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_READONLY].contains(code & 0xff)
        let message = String(cString: sqlite3_errmsg(handle))
        return StoreError(sqlite: code, message, system: isAboutFiles ? system : 0, path: path)
    }
}
