package import MockAPNsLog
internal import NIOConcurrencyHelpers

extension SQLiteStore {
    package func tidy(at now: Int64, keeping pins: Set<UInt64>) throws(StoreError) -> Bool {
        try checkpointer.throwFailure()
        return try files.use { database throws(StoreError) in
            defer { checkpointer.wrote(pages: database.takePagesWritten()) }
            return try tidy(database, at: now, keeping: pins)
        }
    }

    private func tidy(_ database: Database, at now: Int64, keeping pins: Set<UInt64>) throws(StoreError) -> Bool {
        let head = head.withLockedValue { $0 }
        // Index larger batches as the table grows, so that a search reads fewer rows.
        let batch = min(max(options.searchBacklog, head.pushes / 16), 4 * options.searchBacklog)
        if try index(database, atLeast: batch) { return true }
        if try forgetChanges(database, head) { return true }
        let marked = try markedPushes(database, head)
        if !marked.isEmpty {
            try delete(marked, from: database)
            return true
        }
        let excess = try excessPushes(database, head, at: now, keeping: pins)
        if !excess.isEmpty {
            try delete(excess, from: database, whichWereKept: true)
            return true
        }
        if try forgetSegments(database, keeping: pins) { return true }
        if try forgetHeaders(database, keeping: pins) { return true }
        return try shrink(database)
    }

    /// Writes one part of the backlog to the table `search`; returns `false` if too few pushes are waiting.
    func index(_ database: Database, atLeast least: Int) throws(StoreError) -> Bool {
        guard let part = backlog.withLockedValue({ $0.next(atLeast: least) }) else { return false }
        try database.transaction { () throws(StoreError) in
            let numbers = part.entries.map(\.seq)
            if let first = numbers.min(), let last = numbers.max() {
                try database.run(
                    "insert into search (part, first, last, entries) values (?, ?, ?, ?)",
                    [
                        .integer(Int64(part.part)), .number(first), .number(last),
                        .blob(SearchSegment(part.entries).bytes),
                    ])
            }
            guard let indexed = part.indexed else { return }
            try database.run("update head set indexed = ?", [.number(indexed)])
        }
        backlog.withLockedValue { $0.wrote() }
        return true
    }

    /// Deletes some of the changes that no snapshot needs, and returns whether it found any.
    private func forgetChanges(_ database: Database, _ head: Head) throws(StoreError) -> Bool {
        let first = UInt64(clamping: try database.number("select min(position) from change") ?? .max)
        guard first <= head.floor.position else { return false }
        let last = min(head.floor.position, first + UInt64(options.tidyStep))
        try database.run("delete from change where position <= ?", [.number(last)])
        return true
    }

    /// Returns some of the deleted pushes that no snapshot needs.
    private func markedPushes(_ database: Database, _ head: Head) throws(StoreError) -> [UInt64] {
        // With one upper bound each: of two, SQLite looks up one and then reads every row that the other excludes.
        let firstKept = min(head.cleared + 1, head.floor.push)
        let step: Value = .integer(Int64(options.tidyStep))
        let queries: [(String, [Value])] = [
            ("select seq from record where seq < ? order by seq limit ?", [.number(firstKept), step]),
            (
                "select seq from record where seq > ? and deleted is not null and seq < ? order by seq limit ?",
                [.number(head.cleared), .number(head.floor.push), step]
            ),
        ]
        for (query, values) in queries {
            let found = try database.rows(query, values) { row in row.number(0) }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Returns some of the pushes that exceed the retention limits, oldest first.
    private func excessPushes(
        _ database: Database, _ head: Head, at now: Int64, keeping pins: Set<UInt64>
    ) throws(StoreError) -> [UInt64] {
        let retention = options.retention
        guard retention != Retention() else { return [] }
        let excess = retention.pushes.map { max(0, head.pushes - $0) } ?? 0
        let oldest = retention.age.map { now - $0 } ?? .min
        let isTooLarge = try retention.bytes.map { most throws(StoreError) in try database.usedBytes() > most } ?? false
        let query = "select seq, received_at from record where seq < ? order by seq limit ?"
        func candidates(_ count: Int) throws(StoreError) -> [(seq: UInt64, receivedAt: Int64)] {
            try database.rows(query, [.number(head.floor.push), .integer(Int64(count + pins.count))]) { row in
                (row.number(0), row.integer(1))
            }.filter { !pins.contains($0.seq) }
        }
        // Usually nothing is due, so read only the oldest push first.
        guard let first = try candidates(1).first, isTooLarge || excess > 0 || first.receivedAt < oldest else {
            return []
        }
        return try candidates(options.tidyStep).enumerated().prefix { index, push in
            isTooLarge || index < excess || push.receivedAt < oldest
        }.map(\.element.seq)
    }

    /// Deletes pushes with their steps and fan-outs, until the time limit is reached.
    private func delete(
        _ pushes: [UInt64], from database: Database, whichWereKept areKept: Bool = false
    ) throws(StoreError) {
        let head = head.withLockedValue { $0 }
        let kept = try database.transaction { () throws(StoreError) in
            let record = try database.statement("delete from record where seq = ?")
            let steps = try database.statement("delete from step where push = ?")
            let fanOut = try database.statement("delete from fan_out where push = ?")
            // The time per push depends on its size, and on whether its pages are cached.
            let end = ContinuousClock.now + options.tidyTime
            var count = 0
            for push in pushes {
                for deletion in [record, steps, fanOut] { try deletion.run([.number(push)]) }
                count += 1
                if count % 16 == 0, ContinuousClock.now > end { break }
            }
            let kept = head.pushes - (areKept ? count : 0)
            try database.run("update head set pushes = ?", [.integer(Int64(kept))])
            return kept
        }
        self.head.withLockedValue { $0.pushes = kept }
    }

    /// Deletes some search rows whose pushes are all deleted, and returns whether it found any.
    ///
    /// Other rows keep their entries of deleted pushes, which a search skips.
    private func forgetSegments(_ database: Database, keeping pins: Set<UInt64>) throws(StoreError) -> Bool {
        // A pinned push keeps its row, but not those of the deleted pushes after it.
        let rows = """
            select id, exists(select 1 from record where seq between first and last) from search order by id limit ?
            """
        let found = try database.rows(rows, [.integer(Int64(16 + pins.count))]) { row in
            (id: row.integer(0), hasPushes: row.integer(1) == 1)
        }
        let gone = found.filter { !$0.hasPushes }
        for row in gone { try database.run("delete from search where id = ?", [.integer(row.id)]) }
        return !gone.isEmpty
    }

    /// Deletes some shared texts of header fields whose pushes are all deleted, and returns whether it found any.
    private func forgetHeaders(_ database: Database, keeping pins: Set<UInt64>) throws(StoreError) -> Bool {
        // A text stays while there is a push of its range, which may be a pinned one with another text.
        let rows = """
            select id, exists(select 1 from record where seq between first and last) from header
            where last is not null order by id limit ?
            """
        let found = try database.rows(rows, [.integer(Int64(2 + pins.count))]) { row in
            (id: row.integer(0), hasPushes: row.integer(1) == 1)
        }
        let gone = found.filter { !$0.hasPushes }
        for row in gone { try database.run("delete from header where id = ?", [.integer(row.id)]) }
        return !gone.isEmpty
    }

    /// Frees some unused pages of the file if there are many, and returns whether it did.
    private func shrink(_ database: Database) throws(StoreError) -> Bool {
        let free = try database.number("pragma freelist_count") ?? 0
        let pages = try database.number("pragma page_count") ?? 0
        guard free > 1_024, free > pages / 4 else { return false }
        try database.execute("pragma incremental_vacuum(64)")
        return true
    }
}

extension Database {
    /// Returns the size of the file without unused pages.
    func usedBytes() throws(StoreError) -> Int {
        let pages = try number("pragma page_count") ?? 0
        let free = try number("pragma freelist_count") ?? 0
        return Int((pages - free) * (try number("pragma page_size") ?? 0))
    }
}
