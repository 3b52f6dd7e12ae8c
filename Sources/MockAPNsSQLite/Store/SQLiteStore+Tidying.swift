package import MockAPNsLog
internal import NIOConcurrencyHelpers

extension SQLiteStore {
    package func tidy(at now: Int64) throws(StoreError) -> Bool {
        let head = head.withLockedValue { $0 }
        // The larger the table, the more pushes wait: so a round writes each page for many of them.
        if try index(atLeast: min(max(options.searchBacklog, head.pushes / 16), 16 * options.searchBacklog)) {
            return true
        }
        if try forgetChanges(head) { return true }
        let marked = try markedPushes(head)
        if !marked.isEmpty {
            try delete(marked)
            return true
        }
        let excess = try excessPushes(head, at: now)
        if !excess.isEmpty {
            try delete(excess, whichWereKept: true)
            return true
        }
        return try shrink()
    }

    /// Makes some of the pushes that wait searchable, and returns whether there were enough.
    private func index(atLeast least: Int) throws(StoreError) -> Bool {
        guard let part = backlog.withLockedValue({ $0.next(atLeast: least) }) else { return false }
        try database.transaction { () throws(StoreError) in
            let insertion = try database.statement("insert or ignore into search values (?, ?)")
            for entry in part.entries { try insertion.run([.integer(entry.key), .number(entry.seq)]) }
            guard let indexed = part.indexed else { return }
            try database.run("update head set indexed = ?", [.number(indexed)])
        }
        backlog.withLockedValue { $0.wrote() }
        return true
    }

    /// Deletes some of the changes that no snapshot needs, and returns whether there were any.
    private func forgetChanges(_ head: Head) throws(StoreError) -> Bool {
        let first = UInt64(clamping: try database.number("select min(position) from change") ?? .max)
        guard first <= head.floor.position else { return false }
        let last = min(head.floor.position, first + UInt64(options.tidyStep))
        try database.run("delete from change where position <= ?", [.number(last)])
        return true
    }

    /// Some of the pushes that were deleted and that no snapshot needs.
    private func markedPushes(_ head: Head) throws(StoreError) -> [UInt64] {
        let queries = [
            "select seq from record where seq <= ? and seq < ? order by seq limit ?",
            "select seq from record where seq > ? and deleted is not null and seq < ? order by seq limit ?",
        ]
        let values: [Value] = [
            .number(head.cleared), .number(head.floor.push), .integer(Int64(options.tidyStep)),
        ]
        for query in queries {
            let found = try database.rows(query, values) { row in row.number(0) }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Some of the pushes that are more than is kept, oldest first.
    private func excessPushes(_ head: Head, at now: Int64) throws(StoreError) -> [UInt64] {
        let retention = options.retention
        guard retention != Retention() else { return [] }
        let excess = retention.pushes.map { max(0, head.pushes - $0) } ?? 0
        let oldest = retention.age.map { now - $0 } ?? .min
        let isTooLarge =
            try retention.bytes.map { most throws(StoreError) in try database.usedBytes() > most } ?? false
        let query = "select seq, received_at from record where seq < ? order by seq limit ?"
        func candidates(_ count: Int) throws(StoreError) -> [(seq: UInt64, receivedAt: Int64)] {
            try database.rows(query, [.number(head.floor.push), .integer(Int64(count))]) { row in
                (row.number(0), row.integer(1))
            }
        }
        // Usually nothing is due, so the oldest push alone is read first.
        guard let first = try candidates(1).first, isTooLarge || excess > 0 || first.receivedAt < oldest
        else {
            return []
        }
        return try candidates(options.tidyStep).enumerated().prefix { index, push in
            isTooLarge || index < excess || push.receivedAt < oldest
        }.map(\.element.seq)
    }

    /// Deletes pushes with everything that belongs to them.
    private func delete(_ pushes: [UInt64], whichWereKept areKept: Bool = false) throws(StoreError) {
        // Otherwise they would be made searchable after they are gone.
        if let last = pushes.last, backlog.withLockedValue({ $0.indexed < last }), try index(atLeast: 1) {
            return
        }
        let head = head.withLockedValue { $0 }
        let kept = head.pushes - (areKept ? pushes.count : 0)
        try database.transaction { () throws(StoreError) in
            var entries: [SearchEntry] = []
            let query = "select token, topic, id from record where seq = ?"
            for push in pushes {
                _ = try database.rows(query, [.number(push)]) { row in
                    SearchEntry.visit(push, token: row.text(0), topic: row.text(1), id: row.text(2)) {
                        entries.append($0)
                    }
                }
            }
            let search = try database.statement("delete from search where key = ? and seq = ?")
            for entry in entries.sorted() { try search.run([.integer(entry.key), .number(entry.seq)]) }
            for table in ["record where seq", "step where push", "fan_out where push"] {
                let deletion = try database.statement("delete from \(table) = ?")
                for push in pushes { try deletion.run([.number(push)]) }
            }
            try database.run("update head set pushes = ?", [.integer(Int64(kept))])
        }
        self.head.withLockedValue { $0.pushes = kept }
    }

    /// Returns unused pages to the system, some at a time, and returns whether there were many.
    private func shrink() throws(StoreError) -> Bool {
        let free = try database.number("pragma freelist_count") ?? 0
        let pages = try database.number("pragma page_count") ?? 0
        guard free > 1_024, free > pages / 4 else { return false }
        try database.execute("pragma incremental_vacuum(512)")
        return true
    }
}

extension Database {
    /// The size of the file without unused pages.
    func usedBytes() throws(StoreError) -> Int {
        let pages = try number("pragma page_count") ?? 0
        let free = try number("pragma freelist_count") ?? 0
        return Int((pages - free) * (try number("pragma page_size") ?? 0))
    }
}
