package import MockAPNsLog
internal import NIOConcurrencyHelpers

/// The log in a PostgreSQL database that replicas share.
package final class PostgresLog: SharedLog {
    /// The connection for turns.
    private let turns: LockedConnection
    /// The connection that reads what other replicas have written, outside of turns and while this one waits for its own.
    private let follower: LockedConnection
    /// The connection for calls that must not wait for turns or stores.
    private let reports: LockedConnection
    private let worlds: PostgresStores
    private let server: ServerAddress
    private let state = NIOLockedValueBox(State())

    private struct State {
        /// The status of this replica; `nil` until it has joined.
        var replica: ReplicaStatus?
        /// The end of the log in the current turn; `nil` outside a turn.
        var head: UInt64?
        /// The IDs of the namespaces by name, as of `version`.
        var namespaces: [String: Int64] = [:]
        var version: UInt64?
        /// What pushes share; those of a turn that fails are forgotten, since it may not have written them.
        var texts = HeaderTexts()
    }

    /// Connects to the database at a URL `postgresql://…`, and creates the tables if there are none.
    ///
    /// Throws `.noAccess` if the server rejects the user or is read-only, `.otherVersion` if the tables are of another
    /// version of mock-apns, and `.failed` if no server answers.
    package init(_ url: String, options: PostgresOptions = PostgresOptions()) throws(StoreError) {
        server = try ServerAddress(url)
        turns = LockedConnection(server, options.turns)
        follower = LockedConnection(server, options.turns)
        reports = LockedConnection(server, options.short)
        try reports.use { connection throws(StoreError) in try Schema.create(connection) }
        worlds = PostgresStores(server, options)
    }

    package var stores: any WorldStores { worlds }

    // MARK: Turns

    private static let headQuery = """
        select (select position from head), (select value from counter where name = 'trimmed'),
            (select value from counter where name = 'namespaces')
        """

    package func head() throws(StoreError) -> LogHead { Self.head(try follower.run(Self.headQuery)) }

    private static func head(_ result: QueryResult) -> LogHead {
        LogHead(
            position: result.first?.number(0) ?? 0, trimmed: result.first?.number(1) ?? 0,
            namespaces: result.first?.number(2) ?? 0)
    }

    package func visitEntries(
        after position: UInt64, upTo end: UInt64, _ use: (SharedEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        // A turn reads with its own connection: another one might have reached an older primary.
        let reader = state.withLockedValue { $0.head } == nil ? follower : turns
        try EntryPages.visit(
            after: position, upTo: end, server.place, worlds.texts,
            { commands throws(StoreError) in
                try reader.use { connection throws(StoreError) in try connection.run(commands) }
            }, use)
    }

    package func beginTurn(whileWaiting: () -> Void) throws(StoreError) -> LogHead {
        leaveTurn()
        return try withoutActuallyEscaping(whileWaiting) { whileWaiting throws(StoreError) in
            try beginTurn(calling: whileWaiting)
        }
    }

    private func beginTurn(calling whileWaiting: @escaping () -> Void) throws(StoreError) -> LogHead {
        try turns.use { connection throws(StoreError) in
            let results = try connection.begin(
                [Command("select position from head where id = 1 for update"), Command(Self.headQuery)],
                whileWaiting: whileWaiting)
            var head = Self.head(results[1])
            do throws(StoreError) { head.namespaces = try knowNamespaces(head.namespaces, connection) } catch {
                connection.rollBack()
                throw error
            }
            let position = head.position
            state.withLockedValue { $0.head = position }
            return head
        }
    }

    /// Updates the IDs of the namespaces if their version has changed, and returns the version.
    ///
    /// A turn writes its entries with these IDs. If another replica removes a namespace during the turn and creates one
    /// with the same name, the entries still belong to the old one.
    private func knowNamespaces(_ version: UInt64, _ connection: Connection) throws(StoreError) -> UInt64 {
        guard state.withLockedValue({ $0.version }) != version else { return version }
        let found = try connection.run(
            """
            select value, id, namespace.name from counter left join namespace on true
            where counter.name = 'namespaces'
            """)
        let newest = found.first?.number(0) ?? version
        let pairs = found.rows.filter { !$0.isNull(1) }.map { ($0.text(2), $0.integer(1)) }
        state.withLockedValue { state in
            state.namespaces = Dictionary(pairs) { first, _ in first }
            state.version = newest
            // Those of removed namespaces are not needed any more.
            state.texts = HeaderTexts()
        }
        return newest
    }

    package func keepTurn() throws(StoreError) { try turns.run("select 1") }

    package func endTurn(_ turn: UInt64, with entries: [SharedEntry]) throws(StoreError) {
        let (head, namespaces, replica, texts) = state.withLockedValue { state in
            defer { (state.head, state.texts) = (nil, HeaderTexts()) }
            return (state.head, state.namespaces, state.replica, state.texts)
        }
        try turns.use { connection throws(StoreError) in
            guard let last = entries.last else {
                connection.rollBack()
                return
            }
            guard let head, entries.first?.position == head + 1, last.position == head + UInt64(entries.count) else {
                connection.rollBack()
                let known = head.map { "which ends at \($0)" } ?? "and no turn is open"
                let seen = "changes up to \(last.position) do not follow the log"
                throw StoreError(.failed, "cannot write \(server.place): \(seen), \(known)")
            }
            var batch = EntryBatch(texts, at: head)
            for entry in entries {
                // If it has no ID, the namespace was removed, and its positions stay empty.
                guard let namespace = namespaces[entry.namespace] else { continue }
                batch.add(entry.entry, at: entry.position, of: namespace)
            }
            var commands = batch.commands()
            let move = "update head set position = $1 where id = 1"
            commands.append(Command(move, [.number(last.position)]))
            if let replica { commands.append(Self.turnCommand(turn, of: replica)) }
            try connection.commit(commands)
            state.withLockedValue { [texts = batch.texts] in $0.texts = texts }
        }
    }

    /// Stores the number of a turn, which `hasEnded` reads; inserts the replica's row again if it is missing.
    private static func turnCommand(_ turn: UInt64, of replica: ReplicaStatus) -> Command {
        let insertion = """
            insert into replica (number, name, address, position, version, turn) values ($1, $2, $3, $4, $5, $6)
            on conflict (number) do update set turn = excluded.turn
            """
        return Command(insertion, values(replica) + [.number(turn)])
    }

    private static func values(_ replica: ReplicaStatus) -> [Value] {
        [
            .number(replica.number), .text(replica.name), .text(replica.address), .number(replica.position),
            .text(replica.version),
        ]
    }

    package func leaveTurn() {
        state.withLockedValue { $0.head = nil }
        turns.rollBack()
    }

    package func hasEnded(_ turn: UInt64) throws(StoreError) -> Bool {
        guard let number = state.withLockedValue({ $0.replica?.number }) else { return false }
        let query = "select turn from replica where number = $1"
        return try (turns.run(query, [.number(number)]).first?.number(0) ?? 0) >= turn
    }

    // MARK: Replicas

    package func join(as replica: ReplicaStatus) throws(StoreError) -> UInt64 {
        let number = try reports.use { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                let count = "update counter set value = value + 1 where name = 'replicas' returning value"
                let number = try connection.run(count).first?.number(0) ?? 0
                // Rows of replicas that ended without deleting theirs.
                try connection.run("delete from replica where seen_at < now() - interval '1 day'")
                var new = replica
                new.number = number
                try connection.run(
                    """
                    insert into replica (number, name, address, position, version) values ($1, $2, $3, $4, $5)
                    """, Self.values(new))
                return number
            }
        }
        state.withLockedValue { state in
            state.replica = replica
            state.replica?.number = number
        }
        return number
    }

    package func report(_ status: ReplicaStatus) throws(StoreError) {
        let known = state.withLockedValue { state -> ReplicaStatus? in
            guard let number = state.replica?.number else { return nil }
            state.replica = status
            state.replica?.number = number
            return state.replica
        }
        guard let known else { return }
        let update = """
            insert into replica (number, name, address, position, version) values ($1, $2, $3, $4, $5)
            on conflict (number) do update set name = excluded.name, address = excluded.address,
                position = excluded.position, version = excluded.version, seen_at = now()
            """
        try reports.run(update, Self.values(known))
    }

    package func replicas() throws(StoreError) -> [ReplicaStatus] {
        let query = """
            select number, name, address, position, version from replica
            where seen_at > now() - interval '10 seconds' order by number
            """
        return try reports.run(query).rows.map { row in
            ReplicaStatus(
                number: row.number(0), name: row.text(1), address: row.text(2), position: row.number(3),
                version: row.text(4))
        }
    }

    package func close() {
        leaveTurn()
        if let number = state.withLockedValue({ $0.replica.take()?.number }) {
            do throws(StoreError) { try reports.run("delete from replica where number = $1", [.number(number)]) } catch
            {
                // Ignored: the row is hidden after 10 seconds anyway.
            }
        }
        worlds.close()
        for connection in [turns, follower, reports] { connection.disconnect() }
    }
}
