package import MockAPNsLog
internal import NIOConcurrencyHelpers

/// The worlds of a PostgreSQL database, each by the name of its namespace.
package final class PostgresStores: WorldStores {
    /// For what the stores write, and for what they read of logs.
    let connection: LockedConnection
    /// For searches.
    let readers: ReaderPool
    let options: PostgresOptions
    let lease = TidyLease()
    private let server: ServerAddress
    /// When each namespace is tidied again.
    private let nextTidy = NIOLockedValueBox<[Int64: ContinuousClock.Instant]>([:])

    init(_ server: ServerAddress, _ options: PostgresOptions) {
        self.server = server
        self.options = options
        connection = LockedConnection(server, options.bulk)
        readers = ReaderPool(server, options.short)
    }

    package var place: String { server.place }

    package func names() throws(StoreError) -> [String] {
        try connection.run("select name from namespace order by name").rows.map { $0.text(0) }
    }

    package func open(_ name: String) throws(StoreError) -> any WorldStore { try store(name) }

    /// Opens the store of a world, or creates one.
    package func store(_ name: String) throws(StoreError) -> PostgresStore {
        let id = try connection.use { connection throws(StoreError) in
            if let known = try Self.id(of: name, connection) { return known }
            return try connection.transaction { () throws(StoreError) in
                let insertion =
                    "insert into namespace (name) values ($1) on conflict (name) do nothing returning id"
                guard let new = try connection.run(insertion, [.text(name)]).first?.integer(0) else {
                    // Another replica was faster.
                    return try Self.id(of: name, connection) ?? 0
                }
                try connection.run(Self.countNamespaces)
                return new
            }
        }
        return PostgresStore(id, name: name, of: self)
    }

    private static func id(of name: String, _ connection: Connection) throws(StoreError) -> Int64? {
        try connection.run("select id from namespace where name = $1", [.text(name)]).first?.integer(0)
    }

    /// Tells the replicas that the namespaces are others.
    static let countNamespaces = "update counter set value = value + 1 where name = 'namespaces'"

    package func remove(_ name: String) throws(StoreError) {
        try connection.use { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                let deletion = """
                    with gone as (delete from namespace where name = $1 returning id)
                    insert into removed_namespace (id) select id from gone
                    """
                guard try connection.run(deletion, [.text(name)]).changes > 0 else { return }
                try connection.run(Self.countNamespaces)
            }
        }
    }

    /// Returns whether there may be something to tidy in a namespace.
    func isTidyDue(_ namespace: Int64) -> Bool {
        let now = ContinuousClock.now
        return nextTidy.withLockedValue { $0[namespace].map { $0 <= now } ?? true }
    }

    /// Lets a namespace alone for a while: every question is a round trip.
    func tidied(_ namespace: Int64) {
        let next = ContinuousClock.now + .seconds(options.tidyInterval)
        nextTidy.withLockedValue { $0[namespace] = next }
    }

    package func close() {
        readers.close()
        do throws(StoreError) {
            try connection.use { connection throws(StoreError) in try lease.release(connection) }
        } catch {
            // The lease ends after 10 seconds in any case.
        }
        connection.disconnect()
    }
}
