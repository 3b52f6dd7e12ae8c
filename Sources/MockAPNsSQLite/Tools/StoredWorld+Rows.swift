package import MockAPNsLog
internal import MockAPNsWorld

extension StoredWorld: KeptWorld {
    package func opened() throws(StoreError) -> any WorldStore { try store() }

    package func visitRows(
        _ begin: (StoredHeader) throws(StoreError) -> Void, _ use: (StoredRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        try database.transaction("begin") { () throws(StoreError) in
            let properties = try database.rows("select name, value from property") { row in (row.text(0), row.text(1)) }
            let cleared = UInt64(clamping: try database.number("select cleared from head") ?? 0)
            try begin(StoredHeader(properties: Dictionary(properties) { first, _ in first }, cleared: cleared))
            try visitPushes(use)
            let steps = "select \(PushRow.stepColumns), position from step order by seq"
            try database.statement(steps).visit([]) { row throws(StoreError) in
                try use(.step(PushRow.step(from: row), position: row.number(6)))
            }
            try database.statement("select push, data from fan_out order by push").visit([]) { row throws(StoreError) in
                try use(.fanOut(push: row.number(0), data: row.bytes(1)))
            }
            let snapshots = "select position, data, digest, first_push from snapshot order by position"
            try database.statement(snapshots).visit([]) { row throws(StoreError) in
                let snapshot = LogSnapshot(
                    position: row.number(0), data: row.bytes(1), digest: row.text(2), firstPush: row.number(3))
                try use(.snapshot(snapshot))
            }
            try visitChanges(use)
        }
    }

    private func visitPushes(_ use: (StoredRow) throws(StoreError) -> Void) throws(StoreError) {
        // The columns of a push are the first 14.
        let query = """
            select \(PushRow.columns), position, first_delivery is not null, delivery, deleted from record order by seq
            """
        try database.statement(query).visit([]) { row throws(StoreError) in
            let stored = StoredPush(
                push: try PushRow.push(from: row, database.path), position: row.number(14),
                delivery: row.integer(15) == 1 ? row.text(16) : nil, deleted: row.isNull(17) ? nil : row.number(17))
            try use(.push(stored))
        }
    }

    private func visitChanges(_ use: (StoredRow) throws(StoreError) -> Void) throws(StoreError) {
        let query = """
            select position, system, world, kind, data, pushes, first_push, last_push from change order by position
            """
        try database.statement(query).visit([]) { row throws(StoreError) in
            let entry = LogEntry(
                position: row.number(0), system: row.integer(1), world: row.integer(2), kind: row.text(3),
                data: row.bytes(4))
            let change = StoredChange(
                entry: entry, pushes: Int(row.integer(5)), firstPush: row.isNull(6) ? nil : row.number(6),
                lastPush: row.isNull(7) ? nil : row.number(7))
            try use(.change(change))
        }
    }

    /// Writes a copy of another world to a new file.
    package static func write(_ world: any KeptWorld, to path: String) throws(StoreError) {
        let target = try Database(path, .create)
        defer { target.close() }
        try requireEmpty(target)
        try Schema.create(in: target)
        try target.transaction { () throws(StoreError) in
            try world.visitRows(
                { header throws(StoreError) in
                    for (name, value) in header.properties {
                        try target.run("insert into property values (?, ?)", [.text(name), .text(value)])
                    }
                    try target.run("update head set cleared = ?", [.number(header.cleared)])
                }, { row throws(StoreError) in try write(row, to: target) })
            try target.run("update head set pushes = (select count(*) from push)")
        }
    }

    private static func write(_ row: StoredRow, to target: Database) throws(StoreError) {
        switch row {
        case .push(let stored): try write(stored, to: target)
        case .step(let step, let position):
            try target.run(
                """
                insert into step (seq, push, position, at, event, delivery, facts) values (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .number(step.seq), .number(step.push), .number(position), .integer(step.at), .text(step.event),
                    .given(step.delivery), .blob(step.facts),
                ])
        case .fanOut(let push, let data):
            try target.run("insert into fan_out (push, data) values (?, ?)", [.number(push), .blob(data)])
        case .snapshot(let snapshot):
            try target.run(
                "insert into snapshot (position, first_push, digest, data) values (?, ?, ?, ?)",
                [.number(snapshot.position), .number(snapshot.firstPush), .text(snapshot.digest), .blob(snapshot.data)])
        case .change(let change):
            let entry = change.entry
            try target.run(
                """
                insert into change (position, system, world, kind, data, pushes, first_push, last_push)
                values (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .number(entry.position), .integer(entry.system), .integer(entry.world), .text(entry.kind),
                    .blob(entry.data), .integer(Int64(change.pushes)), change.firstPush.map { .number($0) } ?? .null,
                    change.lastPush.map { .number($0) } ?? .null,
                ])
        }
    }

    private static func write(_ stored: StoredPush, to target: Database) throws(StoreError) {
        let push = stored.push
        // An empty state is stored as null, except in `first_delivery` if the state has changed.
        try target.run(
            """
            insert into record (seq, position, received_at, answered_at, id, topic, token, push_type, environment,
                status, reason, delivery, first_delivery, deleted, headers, body, facts)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .number(push.seq), .number(stored.position), .integer(push.receivedAt), .integer(push.answeredAt),
                .given(push.apnsID), .given(push.topic), .given(push.token), .given(push.pushType),
                .given(push.environment), .integer(Int64(push.status)), .given(push.reason),
                .given(stored.delivery ?? push.delivery), stored.delivery == nil ? .null : .text(push.delivery),
                stored.deleted.map { .number($0) } ?? .null, .utf8(HeaderText.text(of: push.headers)),
                LoggedPush.isText(push.body) ? .utf8(push.body) : .blob(push.body), .blob(push.facts),
            ])
    }
}
