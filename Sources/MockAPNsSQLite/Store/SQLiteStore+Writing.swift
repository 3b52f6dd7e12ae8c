package import MockAPNsLog
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

extension SQLiteStore {
    package func write(_ entries: [LogEntry]) throws(StoreError) {
        let old = head.withLockedValue { $0 }
        var next = old
        // After an error it is unknown which texts are in the database.
        var added = Added(headers: headers.withLockedValue { $0.take() })
        try files.use { database throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                if added.headers == nil { added.headers = try database.newHeaders() }
                for entry in entries { try write(entry, to: database, &next, &added) }
                try database.retire(&added.headers, from: options.sharingPushes, after: added.last)
                guard next.pushes != old.pushes || next.cleared != old.cleared else { return }
                let values: [Value] = [.integer(Int64(next.pushes)), .number(next.cleared)]
                try database.run("update head set pushes = ?, cleared = ?", values)
            }
            checkpointer.wrote(pages: database.takePagesWritten())
        }
        head.withLockedValue { $0 = next }
        headers.withLockedValue { $0 = added.headers }
        guard added.pushes > 0 else { return }
        backlog.withLockedValue { $0.add(added.search, of: added.pushes, upTo: added.last) }
    }

    /// The pushes written so far.
    private struct Added {
        var headers: SharedHeaders?
        var pushes = 0
        var last: UInt64 = 0
        var search: [SearchEntry] = []
    }

    private func write(
        _ entry: LogEntry, to database: Database, _ head: inout Head, _ added: inout Added
    ) throws(StoreError) {
        guard entry.position == head.position + 1 else {
            let seen = "expected change \(head.position + 1), saw change \(entry.position)"
            throw StoreError(.failed, "cannot write \(database.path): \(seen)")
        }
        let pushes = try write(pushesOf: entry, to: database, &added)
        let insertion = "insert into change values (?, ?, ?, ?, ?, ?, ?, ?)"
        try database.run(
            insertion,
            [
                .number(entry.position), .integer(entry.system), .integer(entry.world), .text(entry.kind),
                .blob(entry.data), .integer(Int64(pushes.count)), pushes.first.map { .number($0) } ?? .null,
                pushes.last.map { .number($0) } ?? .null,
            ])
        head.position = entry.position
        head.pushes += pushes.count
        for step in entry.steps { try database.write(step, at: entry.position) }
        for fanOut in entry.fanOuts { try database.write(fanOut: fanOut.data, of: fanOut.push) }
        try delete(entry, from: database, &head)
    }

    /// Writes the pushes of an entry; returns their count, and the first and last number.
    private func write(
        pushesOf entry: LogEntry, to database: Database, _ added: inout Added
    ) throws(StoreError) -> (count: Int, first: UInt64?, last: UInt64?) {
        let before = added.pushes
        var first: UInt64?
        let insertion = try database.statement(RecordTable.insertion)
        // Taken out, because `added` changes meanwhile.
        var headers = added.headers.take()
        defer { added.headers = headers }
        try entry.visitRows(sharing: &headers) { row throws(StoreError) in
            try RecordTable.insert(row, by: insertion)
            let seq = row.seq
            SearchEntry.visit(seq, token: row.token, topic: row.topic, id: row.apnsID) { added.search.append($0) }
            added.pushes += 1
            added.last = seq
            if first == nil { first = seq }
        }
        try database.writeAdded(&headers)
        return (added.pushes - before, first, first.map { _ in added.last })
    }

    /// Marks the pushes that a change deleted; `tidy` deletes them once no snapshot needs them.
    private func delete(_ entry: LogEntry, from database: Database, _ head: inout Head) throws(StoreError) {
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
        let floor = try files.use { database throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                try database.write(snapshot)
                let older = "(select position from snapshot order by position desc limit 1 offset 1)"
                try database.run("delete from snapshot where position < \(older)")
                return try Self.floor(of: database)
            }
        }
        head.withLockedValue { head in
            head.floor = floor
            head.position = max(head.position, snapshot.position)
        }
    }
}

extension Database {
    /// Ends the use of all shared texts of header fields, and returns a collection for new ones.
    fileprivate func newHeaders() throws(StoreError) -> SharedHeaders {
        try run("update header set last = (select coalesce(max(seq), 0) from record) where last is null")
        return SharedHeaders(next: (try number("select max(id) from header") ?? 0) + 1)
    }

    /// Writes the texts that have been added.
    fileprivate func writeAdded(_ headers: inout SharedHeaders?) throws(StoreError) {
        for text in headers?.takeAdded() ?? [] {
            try run(RecordTable.headerInsertion, [.integer(text.number), .number(text.firstPush), .utf8(text.text)])
        }
    }

    /// Ends the use of shared texts if `most` pushes have them; `last` is the last push.
    fileprivate func retire(_ headers: inout SharedHeaders?, from most: Int, after last: UInt64) throws(StoreError) {
        guard let first = headers?.first, headers?.isSpent(after: most) == true else { return }
        try run("update header set last = ? where id >= ?", [.number(last), .integer(first)])
        headers?.retire()
    }

    fileprivate func write(_ step: LoggedStep, at position: UInt64) throws(StoreError) {
        try run(
            "insert into step values (?, ?, ?, ?, ?, ?, ?)",
            [
                .number(step.seq), .number(step.push), .number(position), .integer(step.at), .text(step.event),
                .given(step.delivery), .blob(step.facts),
            ])
        guard !step.delivery.isEmpty else { return }
        let update = """
            update record set first_delivery = coalesce(first_delivery, delivery, ''), delivery = ?1
            where seq = ?2 and delivery is not ?1
            """
        try run(update, [.given(step.delivery), .number(step.push)])
    }

    fileprivate func write(fanOut data: [UInt8], of push: UInt64) throws(StoreError) {
        try run("insert or replace into fan_out values (?, ?)", [.number(push), .blob(data)])
    }

    fileprivate func write(_ snapshot: LogSnapshot) throws(StoreError) {
        try run(
            "insert or replace into snapshot values (?, ?, ?, ?)",
            [.number(snapshot.position), .number(snapshot.firstPush), .text(snapshot.digest), .blob(snapshot.data)])
    }

    /// Writes a copy of another world to an empty database.
    func write(_ world: WorldCopy) throws(StoreError) {
        try transaction { () throws(StoreError) in
            for (name, value) in world.properties {
                try run("insert into property values (?, ?)", [.text(name), .text(value)])
            }
            var count: Int64 = 0
            let insertion = try statement(RecordTable.insertion)
            var headers: SharedHeaders? = SharedHeaders(next: 1)
            try world.visitPushes { push throws(StoreError) in
                try push.withRow(sharing: &headers) { row throws(StoreError) in
                    try RecordTable.insert(row, by: insertion)
                }
                try writeAdded(&headers)
                try retire(&headers, from: SQLiteStore.Options().sharingPushes, after: push.seq)
                for step in push.steps { try write(step, at: world.snapshot.position) }
                if let fanOut = push.fanOut { try write(fanOut: fanOut, of: push.seq) }
                count += 1
            }
            try write(world.snapshot)
            try run("update head set pushes = ?, cleared = ?", [.integer(count), .number(world.cleared)])
        }
    }
}
