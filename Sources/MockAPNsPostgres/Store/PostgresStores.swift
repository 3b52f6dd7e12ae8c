package import MockAPNsLog
internal import NIOConcurrencyHelpers

/// The worlds in a PostgreSQL database, by the names of their namespaces.
package final class PostgresStores: WorldStores {
    /// The connection with which stores write and read large amounts of data.
    let connection: LockedConnection
    /// The connection for short calls, which do not wait for large amounts of data.
    let control: LockedConnection
    /// The connections for searches.
    let readers: ReaderPool
    let options: PostgresOptions
    let lease = TidyLease()
    let texts = KnownTexts()
    private let server: ServerAddress
    /// When each namespace is due for tidying, by its ID.
    private let nextTidy = NIOLockedValueBox<[Int64: ContinuousClock.Instant]>([:])

    init(_ server: ServerAddress, _ options: PostgresOptions) {
        self.server = server
        self.options = options
        connection = LockedConnection(server, options.bulk)
        control = LockedConnection(server, options.short)
        readers = ReaderPool(server, options.short)
    }

    package var place: String { server.place }

    package func names() throws(StoreError) -> [String] {
        try control.run("select name from namespace order by name").rows.map { $0.text(0) }
    }

    package func open(_ name: String) throws(StoreError) -> (any WorldStore)? { try store(name) }

    /// Opens the store of a world; `nil` if it does not exist.
    func store(_ name: String) throws(StoreError) -> PostgresStore? {
        let id = try control.use { connection throws(StoreError) in try Self.id(of: name, connection) }
        return id.map { PostgresStore($0, name: name, of: self) }
    }

    package func create(_ name: String) throws(StoreError) -> any WorldStore {
        let id = try control.use { connection throws(StoreError) in
            if let known = try Self.id(of: name, connection) { return known }
            return try connection.transaction { () throws(StoreError) in
                let insertion = "insert into namespace (name) values ($1) on conflict (name) do nothing returning id"
                guard let new = try connection.run(insertion, [.text(name)]).first?.integer(0) else {
                    // Another replica created it first.
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

    /// Increments the version of the namespaces, so that the replicas read them again.
    static let countNamespaces = "update counter set value = value + 1 where name = 'namespaces'"

    package func remove(_ name: String) throws(StoreError) {
        try control.use { connection throws(StoreError) in
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

    /// Returns whether a namespace is due for tidying.
    func isTidyDue(_ namespace: Int64) -> Bool {
        let now = ContinuousClock.now
        return nextTidy.withLockedValue { $0[namespace].map { $0 <= now } ?? true }
    }

    /// Postpones the next tidying of a namespace, because each attempt costs a round trip.
    func tidied(_ namespace: Int64) {
        let next = ContinuousClock.now + .seconds(options.tidyInterval)
        nextTidy.withLockedValue { $0[namespace] = next }
    }

    package func interrupt() { server.interruption.begin() }

    package func close() {
        readers.close()
        do throws(StoreError) {
            try control.use { connection throws(StoreError) in try lease.release(connection) }
        } catch {
            // Ignored: the lease expires after 10 seconds anyway.
        }
        for connection in [connection, control] { connection.disconnect() }
    }
}
