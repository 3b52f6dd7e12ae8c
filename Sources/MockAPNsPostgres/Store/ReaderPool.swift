internal import MockAPNsLog
internal import NIOConcurrencyHelpers

/// Connections for searches, each used by one thread at a time.
final class ReaderPool: Sendable {
    /// The maximum number of idle connections.
    private static let mostIdle = 4

    private let server: ServerAddress
    private let limits: Connection.Limits
    /// The idle connections; `nil` once the pool is closed.
    private let idle = NIOLockedValueBox<[Connection]?>([])

    init(_ server: ServerAddress, _ limits: Connection.Limits) {
        self.server = server
        self.limits = limits
    }

    var place: String { server.place }

    /// Calls `use` with an idle or new connection.
    func read<Result>(_ use: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let (isClosed, known) = idle.withLockedValue { idle in (idle == nil, idle?.popLast()) }
        if isClosed { throw StoreError(.failed, "cannot read \(place): it was closed") }
        let connection = known ?? Connection(server, limits)
        // If this throws, the connection is not put back.
        let result = try use(connection)
        idle.withLockedValue { idle in if let count = idle?.count, count < Self.mostIdle { idle?.append(connection) } }
        return result
    }

    func close() {
        let connections = idle.withLockedValue { $0.take() } ?? []
        for connection in connections { connection.disconnect() }
    }
}
