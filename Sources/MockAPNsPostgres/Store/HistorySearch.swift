internal import MockAPNsLog
internal import MockAPNsWorld

/// The SQL for a search of a namespace's pushes, with those conditions of the query that columns can answer.
struct HistorySearch {
    /// The condition, for the namespace `$1`.
    let condition: String
    /// The values of the condition, from `$2` on.
    let values: [Value]
    /// The `order by` and `limit` clauses.
    let order: String

    init(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) {
        let query = HistoryQuery(query, in: range)
        order = "order by record.seq \(query.isAscending ? "asc" : "desc") limit $4"
        values =
            [.number(query.range.lowerBound), .number(query.range.upperBound), .integer(Int64(most))]
            + query.texts.map { .texts($0.texts) }
        let texts = query.texts.enumerated().map { "\($1.expression) = any($\($0 + 5)::text[])" }
        condition = (["record.seq >= $2", "record.seq < $3"] + query.plain + texts).joined(separator: " and ")
    }
}
