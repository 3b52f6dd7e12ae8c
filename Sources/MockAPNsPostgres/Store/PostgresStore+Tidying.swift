package import MockAPNsLog

extension PostgresStore {
    package func tidy(at now: Int64, keeping pins: Set<UInt64>) throws(StoreError) -> Bool {
        guard stores.isTidyDue(id) else { return false }
        let hasMore = try connection.use { connection throws(StoreError) in
            guard try stores.lease.take(connection) else { return false }
            let hasMore = try tidy(connection, at: now, keeping: pins)
            if !hasMore { try summarize(connection) }
            return hasMore
        }
        if !hasMore { stores.tidied(id) }
        return hasMore
    }

    /// Summarizes new rows in the BRIN index, so searches for the newest pushes are faster.
    private func summarize(_ connection: Connection) throws(StoreError) {
        let index = "to_regclass('mock_apns.\(Schema.search)')"
        guard try connection.run("select \(index) is not null").first?.integer(0) == 1 else { return }
        do throws(StoreError) {
            try connection.transaction { () throws(StoreError) in
                // `nowait`: a lock that waits would make the server cancel its own maintenance (autovacuum).
                try connection.run("lock table record in share update exclusive mode nowait")
                try connection.run("select brin_summarize_new_values(\(index))")
            }
        } catch {
            // Ignored: it is tried again later, and until then searches are only slower.
        }
    }

    private var step: Value { .integer(Int64(stores.options.tidyStep)) }

    private func tidy(_ connection: Connection, at now: Int64, keeping pins: Set<UInt64>) throws(StoreError) -> Bool {
        if try removeNamespaces(connection) { return true }
        // What the older of the two snapshots does not need can go; until there are two, nothing can.
        let query = """
            select position, first_push from snapshot where namespace = $1
            order by position desc limit 1 offset 1
            """
        guard let floor = try connection.run(query, [.integer(id)]).first else { return false }
        if try forgetChanges(upTo: floor.number(0), connection) { return true }
        let marked = try markedPushes(before: floor.number(1), connection)
        if !marked.isEmpty {
            try delete(marked, whichWereKept: false, connection)
            return true
        }
        let excess = try excessPushes(before: floor.number(1), at: now, keeping: pins, connection)
        if !excess.isEmpty { try delete(excess, whichWereKept: true, connection) }
        guard excess.isEmpty else { return true }
        try deleteHeaders(before: floor.number(1), connection)
        return false
    }

    /// Deletes the texts of header fields that only deleted pushes have had.
    ///
    /// Later pushes have numbers from `push` on.
    private func deleteHeaders(before push: UInt64, _ connection: Connection) throws(StoreError) {
        let deletion = """
            delete from header where namespace = $1 and first + $3 <= $2 and not exists (
                select 1 from record where namespace = $1 and seq >= header.first and seq < header.first + $3
            )
            """
        try connection.run(deletion, [.integer(id), .number(push), .number(HeaderTexts.span)])
    }

    /// Deletes some of the changes up to a position, and returns whether there were any.
    private func forgetChanges(upTo floor: UInt64, _ connection: Connection) throws(StoreError) -> Bool {
        // One statement, so that the counter always covers everything that was deleted.
        let deletion = """
            with gone as (
                delete from change where namespace = $1 and world_position <= least($2,
                    (select min(world_position) from change where namespace = $1) + $3)
                returning position
            )
            update counter set value = greatest(value, last.position)
            from (select max(position) as position from gone) as last
            where name = 'trimmed' and last.position is not null
            """
        return try connection.run(deletion, [.integer(id), .number(floor), step]).changes > 0
    }

    /// Returns some of the pushes that are marked as deleted and that no snapshot needs.
    private func markedPushes(before push: UInt64, _ connection: Connection) throws(StoreError) -> QueryResult {
        let queries = [
            """
            select seq from record where namespace = $1 and seq < $2
                and seq <= (select cleared from namespace where id = $1) order by seq limit $3
            """,
            """
            select seq from record where namespace = $1 and seq < $2 and deleted is not null order by seq limit $3
            """,
        ]
        let values: [Value] = [.integer(id), .number(push), step]
        let found = try connection.run(queries.map { Command($0, values) })
        return found[0].isEmpty ? found[1] : found[0]
    }

    /// Returns some of the pushes that exceed the retention, oldest first.
    private func excessPushes(
        before push: UInt64, at now: Int64, keeping pins: Set<UInt64>, _ connection: Connection
    ) throws(StoreError) -> QueryResult {
        let retention = stores.options.retention
        // The oldest pushes that exceed the limit for number, age or size.
        let query = """
            select seq from (
                select seq, received_at, row_number() over (order by seq) as number,
                    sum(\(RecordTable.size)) over (order by seq rows between unbounded preceding and 1 preceding) as before
                from record where namespace = $1 and seq < $2 and not seq = any($7::bigint[])
                order by seq limit $3
            ) as oldest, namespace
            where id = $1 and (number <= pushes - $4 or received_at < $5 or coalesce(before, 0) < bytes - $6)
            order by seq
            """
        let oldest = retention.age.map { now - $0 } ?? .min
        // Usually nothing is due, so only the oldest push is checked first.
        for count in [1, stores.options.tidyStep] {
            let found = try connection.run(
                query,
                [
                    .integer(id), .number(push), .integer(Int64(count)), .integer(Int64(retention.pushes ?? .max)),
                    .time(oldest), .integer(Int64(retention.bytes ?? .max)), .numbers(pins.sorted()),
                ])
            if found.isEmpty || count > 1 { return found }
        }
        preconditionFailure("the last round returns")
    }

    /// Deletes pushes with their steps and fan-outs.
    private func delete(_ pushes: QueryResult, whichWereKept areKept: Bool, _ connection: Connection) throws(StoreError)
    {
        let numbers = Value.numbers(pushes.rows.map { $0.number(0) })
        let both: [Value] = [.integer(id), numbers]
        try connection.transaction { () throws(StoreError) in
            _ = try connection.run([
                Command("delete from step where namespace = $1 and push = any($2::bigint[])", both),
                Command("delete from fan_out where namespace = $1 and push = any($2::bigint[])", both),
                Command(
                    """
                    with gone as (
                        delete from record where namespace = $1 and seq = any($2::bigint[])
                        returning \(RecordTable.size) as size
                    )
                    update namespace set pushes = pushes - $3 * sum.count, bytes = bytes - sum.size
                    from (select count(*) as count, coalesce(sum(size), 0) as size from gone) as sum
                    where id = $1
                    """, both + [.integer(areKept ? 1 : 0)]),
            ])
        }
    }

    /// Deletes some rows of removed namespaces, and returns whether there were any.
    ///
    /// A namespace is forgotten a minute after its removal: a turn that was open then may still have added rows.
    private func removeNamespaces(_ connection: Connection) throws(StoreError) -> Bool {
        let query = "select id, removed_at < now() - interval '1 minute' from removed_namespace limit 1"
        guard let removed = try connection.run(query).first else { return false }
        let namespace: Value = .integer(removed.integer(0))
        for table in ["fan_out", "step", "snapshot", "record", "header", "change"] {
            let deletion = """
                delete from \(table) where ctid = any(array(select ctid from \(table) where namespace = $1 limit $2))
                """
            if try connection.run(deletion, [namespace, step]).changes > 0 { return true }
        }
        guard removed.integer(1) == 1 else { return false }
        try connection.run("delete from removed_namespace where id = $1", [namespace])
        return true
    }
}
