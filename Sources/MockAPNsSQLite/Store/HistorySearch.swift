internal import MockAPNsLog
internal import MockAPNsRules
internal import MockAPNsWorld

/// A search of the pushes of a database: the conditions of a query that columns can answer.
struct HistorySearch {
    private var conditions = [PushRow.isKept]
    private var values: [Value] = []
    /// The keys of which a push has one; `nil` if the query has no such condition.
    private(set) var keys: [Int64]?
    /// The numbers of the pushes.
    private let range: Range<UInt64>
    private let isAscending: Bool
    private let most: Int

    init(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) {
        self.most = most
        isAscending = query.order == .ascending
        let end = min(range.upperBound, query.before ?? .max)
        let start = max(range.lowerBound, query.after == .max ? .max : query.after + 1)
        self.range = min(start, end)..<end
        let tokens = query.tokens.map(\.hex)
        require("topic", query.topics)
        require("token", tokens)
        require("push_type", query.pushTypes)
        require("reason", query.reasons.map(\.name))
        // The index of rejections has this condition.
        if query.outcomes == [.rejected] || !query.reasons.isEmpty { conditions.append("status <> 200") }
        if query.deliveries.contains(PushQuery.notAttempted) {
            require("coalesce(delivery, '')", query.deliveries + [""])
        } else {
            require("delivery", query.deliveries)
        }
        if !tokens.isEmpty {
            keys = tokens.map { SearchKey.key(.token, $0) }
        } else if !query.topics.isEmpty {
            keys = query.topics.map { SearchKey.key(.topic, $0) }
        }
    }

    private mutating func require(_ column: String, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        conditions.append("\(column) in (\(texts.map { _ in "?" }.joined(separator: ", ")))")
        values += texts.map { .text($0) }
    }

    /// A search for the newest push whose response has this `apns-id`, in lower case.
    init(apnsID: String) {
        self.init(PushQuery(), in: 0..<UInt64.max, atMost: 1)
        conditions.append("lower(id) = ?")
        values.append(.text(apnsID))
        keys = [SearchKey.key(.id, apnsID)]
    }

    /// The first pushes that match, in the order of the query.
    ///
    /// `waiting` has the numbers of the pushes with the keys that may not be in the table `search`, newest first. They must
    /// be from before the transaction began: what is missing in them is in the table then.
    func pushes(in database: Database, _ waiting: [UInt64]) throws(StoreError) -> [LoggedPush] {
        guard let keys else { return try run(scanQuery, [.integer(Int64(most))], in: database) }
        var found: [UInt64: LoggedPush] = [:]
        for seq in isAscending ? waiting.reversed() : waiting where range.contains(seq) && found.count < most
        {
            if let push = try run(pushQuery, [.number(seq)], in: database).first { found[seq] = push }
        }
        for key in Set(keys) {
            for push in try lookUp(key, in: database) { found[push.seq] = push }
        }
        let sorted = found.values.sorted { isAscending ? $0.seq < $1.seq : $0.seq > $1.seq }
        return Array(sorted.prefix(most))
    }

    /// The first pushes with a key in the table `search` that match.
    private func lookUp(_ key: Int64, in database: Database) throws(StoreError) -> [LoggedPush] {
        let values: [Value] = [
            .integer(Int64(SearchSegment.part(of: key))), .number(range.lowerBound),
            .number(range.upperBound),
        ]
        // A row can be large and one may be enough, so the next one is read only when it is needed.
        let rows = try database.rows(segmentQuery, values) { row in
            (id: row.integer(0), first: row.number(1), last: row.number(2))
        }
        var found: [LoggedPush] = []
        // Rows overlap if a crash has interrupted their writing: the longer one has all entries of the other.
        var rest = range
        for row in rows where found.count < most {
            let bytes = try database.rows("select entries from search where id = ?", [.integer(row.id)]) {
                $0.bytes(0)
            }
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

    /// How SQLite would find the pushes.
    func plan(in database: Database) throws(StoreError) -> [String] {
        let queries = keys == nil ? [scanQuery] : [segmentQuery, pushQuery]
        var steps: [String] = []
        for query in queries { steps += try database.rows("explain query plan \(query)") { $0.text(3) } }
        return steps
    }

    private var condition: String {
        conditions.joined(separator: " and ") + " and record.seq >= ? and record.seq < ?"
    }

    private var order: String { isAscending ? "asc" : "desc" }

    private var scanQuery: String {
        "select \(PushRow.columns) from record where \(condition) order by record.seq \(order) limit ?"
    }

    private var pushQuery: String {
        "select \(PushRow.columns) from record where \(condition) and record.seq = ?"
    }

    /// The rows of a part with pushes in the range.
    private var segmentQuery: String {
        "select id, first, last from search where part = ? and last >= ? and first < ? order by last \(order)"
    }

    private func run(
        _ query: String,
        _ bounds: [Value],
        in database: Database
    ) throws(StoreError) -> [LoggedPush] {
        let numbers: [Value] = [.number(range.lowerBound), .number(range.upperBound)]
        return try database.rows(query, values + numbers + bounds) { row throws(StoreError) in
            try PushRow.push(from: row, database.path)
        }
    }
}
