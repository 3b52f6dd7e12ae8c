internal import MockAPNsFormats
package import MockAPNsLog
package import MockAPNsWorld

/// Stores the log of a world in a PostgreSQL database.
package final class PostgresStore: WorldStore {
    /// The ID of the namespace.
    let id: Int64
    let name: String
    let stores: PostgresStores

    init(_ id: Int64, name: String, of stores: PostgresStores) {
        self.id = id
        self.name = name
        self.stores = stores
    }

    var connection: LockedConnection { stores.connection }

    package var history: any PushHistory { PostgresHistory(id, stores.readers) }

    /// Does nothing: the worlds share their connections.
    package func close() {}

    // MARK: Properties

    package func properties() throws(StoreError) -> [String: String] {
        let found = try stores.control.run(
            "select key, value from namespace, jsonb_each_text(properties) where id = $1", [.integer(id)])
        return Dictionary(found.rows.map { ($0.text(0), $0.text(1)) }) { first, _ in first }
    }

    package func write(properties: [String: String]) throws(StoreError) {
        let text = Self.text(properties)
        try stores.control.use { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                // Unchanged properties count as well: this write completes the creation of a namespace, which the other
                // replicas wait for.
                let update = "update namespace set properties = $2::jsonb where id = $1"
                let updated = try connection.run(update, [.integer(id), .text(text)])
                if updated.changes > 0 { try connection.run(PostgresStores.countNamespaces) }
            }
        }
    }

    /// Returns properties as a JSON object.
    static func text(_ properties: [String: String]) -> String {
        let object = JSONValue.object(properties.mapValues { JSONValue($0) })
        return String(decoding: object.text, as: UTF8.self)
    }

    // MARK: Reading

    package func newestSnapshot(below position: UInt64?) throws(StoreError) -> LogSnapshot? {
        let query = """
            select position, data, digest, first_push from snapshot where namespace = $1 and position < $2
            order by position desc limit 1
            """
        let found = try connection.run(query, [.integer(id), .number(position ?? .max)])
        return found.first.map { row in
            LogSnapshot(position: row.number(0), data: row.bytes(1), digest: row.text(2), firstPush: row.number(3))
        }
    }

    package func visitEntries(after position: UInt64, _ use: (LogEntry) throws(StoreError) -> Void) throws(StoreError) {
        try EntryPages.visit(
            id, after: position, stores.place, stores.texts,
            { commands throws(StoreError) in
                try connection.use { connection throws(StoreError) in try connection.run(commands) }
            }, use)
    }

    package func visitJournal(of snapshot: LogSnapshot, _ use: (ReadPush) throws(StoreError) -> Void) throws(StoreError)
    {
        // Pushes that a reset deleted before the snapshot have numbers below its first push.
        let condition = """
            record.seq >= $2 and record.position <= $3 and (deleted is null or deleted > $3)
            """
        var next = snapshot.firstPush
        while true {
            let values: [Value] = [.integer(id), .number(next), .number(snapshot.position)]
            let page = try connection.use { connection throws(StoreError) in
                try KeptPushes.read(
                    condition, "order by record.seq limit \(KeptPushes.pageSize)", values, stepsUpTo: snapshot.position,
                    connection)
            }
            for push in page { try use(push) }
            guard page.count == KeptPushes.pageSize, let last = page.last else { return }
            next = last.seq + 1
        }
    }

    // MARK: Writing

    package func write(_ entries: [LogEntry]) throws(StoreError) {
        guard let first = entries.first else { return }
        try connection.use { connection throws(StoreError) in
            let results = try connection.begin([
                Command("select position from head where id = 1 for update"),
                Command(
                    """
                    select greatest((select max(world_position) from change where namespace = $1),
                        (select max(position) from snapshot where namespace = $1), 0)
                        from namespace where id = $1
                    """, [.integer(id)]),
            ])
            let position = results[0].first?.number(0) ?? 0
            let known = results[1].first?.number(0)
            let isNext = zip(entries, first.position...).allSatisfy { $0.position == $1 }
            guard isNext, let known, first.position == known + 1 else {
                connection.rollBack()
                let end = known.map { "after change \($0)" } ?? "to a namespace that was removed"
                let seen = "changes from \(first.position) on cannot be added \(end)"
                throw StoreError(.failed, "cannot write \(name) of \(stores.place): \(seen)")
            }
            var batch = EntryBatch(at: position)
            for (entry, position) in zip(entries, (position + 1)...) { batch.add(entry, at: position, of: id) }
            let end = position + UInt64(entries.count)
            let move = Command("update head set position = $1 where id = 1", [.number(end)])
            try connection.commit(batch.commands() + [move])
        }
    }

    package func write(_ snapshot: LogSnapshot) throws(StoreError) {
        try connection.use { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                guard try Self.insert(snapshot, of: id, connection) else { return }
                let older = """
                    (select position from snapshot where namespace = $1 order by position desc limit 1 offset 1)
                    """
                let deletion = "delete from snapshot where namespace = $1 and position < \(older)"
                try connection.run(deletion, [.integer(id)])
            }
        }
    }

    /// Inserts a snapshot, and returns whether it was new.
    @discardableResult static func insert(
        _ snapshot: LogSnapshot, of namespace: Int64, _ connection: Connection
    ) throws(StoreError) -> Bool {
        // Another replica may already have written this snapshot or a newer one.
        let insertion = """
            insert into snapshot (namespace, position, first_push, digest, data)
            select $1, $2, $3, $4, $5
            where exists (select 1 from namespace where id = $1)
                and not exists (select 1 from snapshot where namespace = $1 and position >= $2)
            on conflict do nothing
            """
        let values: [Value] = [
            .integer(namespace), .number(snapshot.position), .number(snapshot.firstPush), .text(snapshot.digest),
            .blob(snapshot.data),
        ]
        return try connection.run(insertion, values).changes > 0
    }
}
