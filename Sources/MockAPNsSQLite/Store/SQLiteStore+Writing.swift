package import MockAPNsLog
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

extension SQLiteStore {
    package func write(_ entries: [LogEntry]) throws(StoreError) {
        var next = head.withLockedValue { $0 }
        let pushCount = next.pushes
        let cleared = next.cleared
        try database.transaction { () throws(StoreError) in
            for entry in entries { try write(entry, &next) }
            guard next.pushes != pushCount || next.cleared != cleared else { return }
            let values: [Value] = [.integer(Int64(next.pushes)), .number(next.cleared)]
            try database.run("update head set pushes = ?, cleared = ?", values)
        }
        head.withLockedValue { $0 = next }
        backlog.withLockedValue { backlog in
            for entry in entries {
                for push in entry.pushes {
                    backlog.add(push.seq, token: push.token, topic: push.topic, id: push.apnsID)
                }
            }
        }
    }

    private func write(_ entry: LogEntry, _ head: inout Head) throws(StoreError) {
        guard entry.position == head.position + 1 else {
            let seen = "change \(entry.position) was to be written after change \(head.position)"
            throw StoreError(.failed, "cannot write \(database.path): \(seen)")
        }
        let insertion = "insert into change values (?, ?, ?, ?, ?, ?, ?, ?)"
        try database.run(
            insertion,
            [
                .number(entry.position), .integer(entry.system), .integer(entry.world), .text(entry.kind),
                .blob(entry.data), .integer(Int64(entry.pushes.count)),
                entry.pushes.first.map { .number($0.seq) } ?? .null,
                entry.pushes.last.map { .number($0.seq) } ?? .null,
            ]
        )
        head.position = entry.position
        if !entry.pushes.isEmpty {
            let statement = try database.statement(PushRow.insertion)
            for push in entry.pushes { try statement.run(PushRow.values(push, at: entry.position)) }
            head.pushes += entry.pushes.count
        }
        for step in entry.steps { try write(step, at: entry.position) }
        for fanOut in entry.fanOuts {
            let values: [Value] = [.number(fanOut.push), .blob(fanOut.data)]
            try database.run("insert or replace into fan_out values (?, ?)", values)
        }
        try delete(entry, &head)
    }

    private func write(_ step: LoggedStep, at position: UInt64) throws(StoreError) {
        try database.run(
            "insert into step values (?, ?, ?, ?, ?, ?, ?)",
            [
                .number(step.seq), .number(step.push), .number(position), .integer(step.at),
                .text(step.event),
                .given(step.delivery), .blob(step.facts),
            ]
        )
        guard !step.delivery.isEmpty else { return }
        let update = """
            update record set first_delivery = coalesce(first_delivery, delivery, ''), delivery = ?1
            where seq = ?2 and delivery is not ?1
            """
        try database.run(update, [.given(step.delivery), .number(step.push)])
    }

    /// Marks what a change has deleted; `tidy` deletes it once it is not needed to replay later changes.
    private func delete(_ entry: LogEntry, _ head: inout Head) throws(StoreError) {
        for push in entry.removed where push > head.cleared {
            let deletion = "update record set deleted = ? where seq = ? and deleted is null"
            try database.run(deletion, [.number(entry.position), .number(push)])
            head.pushes -= database.changes
        }
        guard let cleared = entry.clearedUpTo, cleared > head.cleared else { return }
        head.cleared = cleared
        let rest = "select count(*) from record where seq > ? and deleted is null"
        head.pushes = Int(try database.number(rest, [.number(cleared)]) ?? 0)
    }

    package func write(_ snapshot: LogSnapshot) throws(StoreError) {
        let floor = try database.transaction { () throws(StoreError) in
            try database.run(
                "insert or replace into snapshot values (?, ?, ?, ?)",
                [
                    .number(snapshot.position), .number(snapshot.firstPush), .text(snapshot.digest),
                    .blob(snapshot.data),
                ]
            )
            let older = "(select position from snapshot order by position desc limit 1 offset 1)"
            try database.run("delete from snapshot where position < \(older)")
            return try Self.floor(of: database)
        }
        head.withLockedValue { head in
            head.floor = floor
            head.position = max(head.position, snapshot.position)
        }
    }
}
