package import MockAPNsLog

/// A database for the commands of `mock-apns data`.
///
/// Servers may use the database at the same time, except during `compact`.
package final class PostgresData: Sendable {
    let connection: LockedConnection
    private let stores: PostgresStores

    /// The servers and the database, for messages.
    package var place: String { stores.place }

    /// Returns whether a text is a database URL rather than the path of a directory.
    package static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Connects to the database at a URL; with `creates`, creates the tables if there are none.
    ///
    /// Throws `.noAccess` if the tables do not exist and `creates` is `false`.
    package init(_ url: String, creates: Bool = false) throws(StoreError) {
        let server = try ServerAddress(url)
        var options = PostgresOptions()
        // Reading a large database can take minutes.
        options.callTimeout = 600
        options.bulkTimeout = 600
        connection = LockedConnection(server, options.bulk)
        stores = PostgresStores(server, options)
        try connection.use { connection throws(StoreError) in
            let isThere = try Schema.isThere(connection)
            guard isThere || creates else {
                let fix = "mock-apns serve --data creates them"
                throw StoreError(.noAccess, "\(server.place) has no tables of mock-apns; \(fix)")
            }
            try Schema.create(connection)
        }
    }

    /// The names of the namespaces, sorted.
    package func names() throws(StoreError) -> [String] { try stores.names() }

    /// Returns the world of a namespace; throws `.noAccess` if it does not exist.
    package func world(_ name: String) throws(StoreError) -> any KeptWorld {
        guard let store = try stores.store(name) else {
            throw StoreError(.noAccess, "\(place) has no namespace \(name); mock-apns data info lists them")
        }
        return PostgresWorld(store, connection)
    }

    private static let tables = ["record", "header", "step", "fan_out", "change", "snapshot"]

    /// Rewrites the tables without unused space, and returns their size in bytes before and after.
    ///
    /// Throws `.inUse` if servers are using the database.
    package func compact() throws(StoreError) -> (before: Int, after: Int) {
        try connection.use { connection throws(StoreError) in
            let names = try connection.run(Schema.users).rows.map { $0.text(0) }
            guard names.isEmpty else {
                let users = names.joined(separator: ", ")
                throw StoreError(.inUse, "\(place) is in use by \(users); stop these servers")
            }
            let before = try Self.size(connection)
            for table in Self.tables { try connection.run("vacuum (full, analyze) \(table)") }
            return (before, try Self.size(connection))
        }
    }

    private static func size(_ connection: Connection) throws(StoreError) -> Int {
        let sizes = tables.map { "pg_total_relation_size('\($0)')" }.joined(separator: " + ")
        return Int(try connection.run("select \(sizes)").first?.integer(0) ?? 0)
    }

    /// Copies a world to a new namespace; replicas do not see it until the copy is complete.
    package func write(_ world: WorldCopy, as name: String) throws(StoreError) {
        try connection.use { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                let insertion = """
                    insert into namespace (name, properties, cleared) values ($1, $2::jsonb, $3) on conflict do nothing
                    returning id
                    """
                let values: [Value] = [
                    .text(name), .text(PostgresStore.text(world.properties)), .number(world.cleared),
                ]
                guard let id = try connection.run(insertion, values).first?.integer(0) else {
                    let problem = "the namespace \(name) exists already"
                    let fix = "remove it, or use another database"
                    throw StoreError(.failed, "cannot copy to \(place): \(problem); \(fix)")
                }
                var batch = EntryBatch(HeaderTexts(isCopy: true), at: 0)
                try world.visitPushes { push throws(StoreError) in
                    batch.add(push, stepsAt: world.snapshot.position, of: id)
                    guard batch.isFull else { return }
                    try connection.run(batch.commands())
                    batch = EntryBatch(batch.texts, at: 0)
                }
                try connection.run(batch.commands())
                try PostgresStore.insert(world.snapshot, of: id, connection)
                try connection.run(PostgresStores.countNamespaces)
            }
        }
    }

    /// Ends the connections.
    package func close() {
        stores.close()
        connection.disconnect()
    }
}
