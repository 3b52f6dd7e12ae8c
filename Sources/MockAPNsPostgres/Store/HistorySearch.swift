internal import MockAPNsRules
internal import MockAPNsWorld

/// The SQL for a search of a namespace's pushes, with those conditions of the query that columns can answer.
struct HistorySearch {
    private var conditions: [String] = []
    /// The values of the condition, from `$2` on.
    private(set) var values: [Value]
    /// The `order by` and `limit` clauses.
    let order: String

    init(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) {
        let direction = query.order == .ascending ? "asc" : "desc"
        order = "order by record.seq \(direction) limit $4"
        let end = min(range.upperBound, query.before ?? .max)
        let start = max(range.lowerBound, query.after == .max ? .max : query.after + 1)
        values = [.number(start), .number(end), .integer(Int64(most))]
        conditions = ["record.seq >= $2", "record.seq < $3"]
        require("topic", query.topics)
        require("token", query.tokens.map(\.hex))
        require("push_type", query.pushTypes)
        require("reason", query.reasons.map(\.name))
        // Needed to use the partial index of rejected pushes.
        if query.outcomes == [.rejected] || !query.reasons.isEmpty { conditions.append("status <> 200") }
        if query.deliveries.contains(PushQuery.notAttempted) {
            require("coalesce(delivery, '')", query.deliveries + [""])
        } else {
            require("delivery", query.deliveries)
        }
    }

    private mutating func require(_ column: String, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        values.append(.texts(texts))
        conditions.append("\(column) = any($\(values.count + 1)::text[])")
    }

    /// The condition, for the namespace `$1`.
    var condition: String { conditions.joined(separator: " and ") }
}
