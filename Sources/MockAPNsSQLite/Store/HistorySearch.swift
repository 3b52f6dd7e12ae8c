internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld

/// A search for pushes in a database, with the conditions of a query that its columns can express.
struct HistorySearch {
    private var conditions = [RecordTable.isKept]
    private var values: [Value] = []
    /// The search keys, one of which a push must have; `nil` if the query has no token, topic or ID.
    private(set) var keys: [Int64]?
    /// The range of push numbers.
    private let range: Range<UInt64>
    private let isAscending: Bool
    private let most: Int

    init(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) {
        let (known, tokens) = (HistoryQuery(query, in: range), query.tokens.map(\.hex))
        (self.range, isAscending, self.most) = (known.range, known.isAscending, most)
        conditions += known.plain
        for (expression, texts) in known.texts {
            conditions.append("\(expression) in (\(texts.map { _ in "?" }.joined(separator: ", ")))")
            values += texts.map { .text($0) }
        }
        if !tokens.isEmpty {
            keys = tokens.map { SearchKey.key(.token, $0) }
        } else if !query.topics.isEmpty {
            keys = query.topics.map { SearchKey.key(.topic, $0) }
        }
    }

    /// Creates a search for the newest push whose response has this `apns-id`, in lower case.
    init(apnsID: String) {
        self.init(PushQuery(), in: 0..<UInt64.max, atMost: 1)
        conditions.append("lower(id) = ?")
        values.append(.text(apnsID))
        keys = [SearchKey.key(.id, apnsID)]
    }

    /// Returns the first matching pushes, in the order of the query.
    ///
    /// `waiting` has the numbers of the pushes with these keys that may not be in the table `search` yet, newest first.
    /// Read it before the transaction begins: a push that is not in it is then in the table.
    func pushes(in database: Database, _ waiting: [UInt64]) throws(StoreError) -> [ReadPush] {
        guard let keys else { return try run(scanQuery, [.integer(Int64(most))], in: database) }
        var found: [UInt64: ReadPush] = [:]
        for seq in isAscending ? waiting.reversed() : waiting where range.contains(seq) && found.count < most {
            if let push = try run(pushQuery, [.number(seq)], in: database).first { found[seq] = push }
        }
        for key in Set(keys) { for push in try lookUp(key, in: database) { found[push.seq] = push } }
        let sorted = found.values.sorted { isAscending ? $0.seq < $1.seq : $0.seq > $1.seq }
        return Array(sorted.prefix(most))
    }

    /// Returns the first matching pushes for a key in the table `search`.
    private func lookUp(_ key: Int64, in database: Database) throws(StoreError) -> [ReadPush] {
        let values: [Value] = [
            .integer(Int64(SearchSegment.part(of: key))), .number(range.lowerBound), .number(range.upperBound),
        ]
        // A row can be large and one may be enough, so read the next one only if needed.
        let rows = try database.rows(segmentQuery, values) { row in
            (id: row.integer(0), first: row.number(1), last: row.number(2))
        }
        var found: [ReadPush] = []
        // Rows overlap if a crash interrupted a round; the longer one then has all entries of the other.
        var rest = range
        for row in rows where found.count < most {
            let bytes = try database.rows("select entries from search where id = ?", [.integer(row.id)]) { $0.bytes(0) }
            let all = (bytes.first.map { SearchSegment(bytes: $0).pushes(key) } ?? []).filter(rest.contains)
            if isAscending {
                rest = max(rest.lowerBound, min(row.last + 1, rest.upperBound))..<rest.upperBound
            } else {
                rest = rest.lowerBound..<max(rest.lowerBound, min(row.first, rest.upperBound))
            }
            for seq in isAscending ? all : all.reversed() where found.count < most {
                found += try run(pushQuery, [.number(seq)], in: database)
            }
        }
        return found
    }

    /// Returns SQLite's query plan.
    func plan(in database: Database) throws(StoreError) -> [String] {
        let queries = keys == nil ? [scanQuery] : [segmentQuery, pushQuery]
        var steps: [String] = []
        for query in queries { steps += try database.rows("explain query plan \(query)") { $0.text(3) } }
        return steps
    }

    private var condition: String { conditions.joined(separator: " and ") + " and record.seq >= ? and record.seq < ?" }

    private var order: String { isAscending ? "asc" : "desc" }

    private var scanQuery: String {
        "select \(RecordTable.columns) from record where \(condition) order by record.seq \(order) limit ?"
    }

    private var pushQuery: String { "select \(RecordTable.columns) from record where \(condition) and record.seq = ?" }

    /// Selects the rows of a part with pushes in the range.
    private var segmentQuery: String {
        "select id, first, last from search where part = ? and last >= ? and first < ? order by last \(order)"
    }

    private func run(_ query: String, _ bounds: [Value], in database: Database) throws(StoreError) -> [ReadPush] {
        let numbers: [Value] = [.number(range.lowerBound), .number(range.upperBound)]
        return try database.rows(query, values + numbers + bounds) { row in RecordTable.push(from: row) }
    }
}
