internal import MockAPNsLog
internal import NIOConcurrencyHelpers

/// Connections for searches, each used by one thread at a time.
final class ReaderPool: Sendable {
    /// The number of connections that wait for the next call.
    private static let mostIdle = 4

    private let server: ServerAddress
    private let limits: Connection.Limits
    /// The connections that wait; `nil` after the end.
    private let idle = NIOLockedValueBox<[Connection]?>([])

    init(_ server: ServerAddress, _ limits: Connection.Limits) {
        self.server = server
        self.limits = limits
    }

    var place: String { server.place }

    /// Calls `use` with a connection.
    func read<Result>(_ use: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let (isClosed, known) = idle.withLockedValue { idle in (idle == nil, idle?.popLast()) }
        if isClosed { throw StoreError(.failed, "cannot read \(place): it was closed") }
        let connection = known ?? Connection(server, limits)
        // A connection that failed is not used again.
        let result = try use(connection)
        idle.withLockedValue { idle in
            if let count = idle?.count, count < Self.mostIdle { idle?.append(connection) }
        }
        return result
    }

    func close() {
        let connections = idle.withLockedValue { $0.take() } ?? []
        for connection in connections { connection.disconnect() }
    }
}
