package import MockAPNsLog
package import MockAPNsWorld

extension SQLiteStore {
    package func newestSnapshot(below position: UInt64?) throws(StoreError) -> LogSnapshot? {
        let query = """
            select position, data, digest, first_push from snapshot where position < ? order by position desc limit 1
            """
        return try files.use { database throws(StoreError) in
            try database.rows(query, [.number(position ?? .max)]) { row in
                LogSnapshot(position: row.number(0), data: row.bytes(1), digest: row.text(2), firstPush: row.number(3))
            }.first
        }
    }

    package func visitJournal(of snapshot: LogSnapshot, _ use: (ReadPush) throws(StoreError) -> Void) throws(StoreError)
    {
        // Pushes that a reset deleted before the snapshot have lower numbers than its first push.
        let query = """
            select \(RecordTable.columns) from record
            where seq >= ?1 and position <= ?2 and (deleted is null or deleted > ?2) order by seq
            """
        let values: [Value] = [.number(snapshot.firstPush), .number(snapshot.position)]
        try files.use { database throws(StoreError) in
            try database.statement(query).visit(values) { row throws(StoreError) in
                try use(database.complete(RecordTable.push(from: row), upTo: snapshot.position))
            }
        }
    }

    package func visitEntries(after position: UInt64, _ use: (LogEntry) throws(StoreError) -> Void) throws(StoreError) {
        try files.use { database throws(StoreError) in try visitEntries(database, after: position, use) }
    }

    private func visitEntries(
        _ database: Database, after position: UInt64, _ use: (LogEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        let query = """
            select position, system, world, kind, data, pushes, first_push, last_push from change
            where position > ? order by position
            """
        var expected = position + 1
        try database.statement(query).visit([.number(position)]) { row throws(StoreError) in
            var entry = LogEntry(
                position: row.number(0), system: row.integer(1), world: row.integer(2), kind: row.text(3),
                data: row.bytes(4))
            guard entry.position == expected else { throw missing("change \(expected)") }
            expected += 1
            if row.integer(5) > 0 {
                entry.pushes = try database.pushes(of: entry.position, from: row.number(6), to: row.number(7))
            }
            guard entry.pushes.count == Int(row.integer(5)) else { throw missing("a push of change \(entry.position)") }
            try use(entry)
        }
    }

    private func missing(_ what: String) -> StoreError {
        StoreError(.damaged, "\(files.path) is damaged: \(what) is missing; restore a copy of the file")
    }
}

extension Database {
    fileprivate func pushes(of position: UInt64, from first: UInt64, to last: UInt64) throws(StoreError) -> [KeptPush] {
        let query = """
            select \(RecordTable.columns) from record where seq between ? and ? and position = ? order by seq
            """
        return try rows(query, [.number(first), .number(last), .number(position)]) { row throws(StoreError) in
            try RecordTable.push(from: row).whole(in: path)
        }
    }
}
