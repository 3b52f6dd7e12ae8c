internal import MockAPNsLog
internal import NIOConcurrencyHelpers

/// A connection behind a lock, for any thread.
final class LockedConnection: Sendable {
    private let lock = NIOLock()
    private let connection: Connection

    init(_ server: ServerAddress, _ limits: Connection.Limits) { connection = Connection(server, limits) }

    /// Calls `body` with the connection while holding the lock; `body` must not call this object again (deadlock).
    func use<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(connection)
    }

    /// Runs a statement.
    @discardableResult func run(_ sql: String, _ values: [Value] = []) throws(StoreError) -> QueryResult {
        try use { connection throws(StoreError) in try connection.run(sql, values) }
    }

    /// Rolls back the transaction; does nothing without one.
    func rollBack() { lock.withLock { connection.rollBack() } }

    /// Ends the connection.
    func disconnect() {
        lock.withLock {
            connection.rollBack()
            connection.disconnect()
        }
    }
}
