internal import MockAPNsRules
package import MockAPNsWorld

/// What columns of the rows of pushes can tell of a query, for both kinds of databases.
package struct HistoryQuery {
    /// The range of push numbers.
    package let range: Range<UInt64>
    package let isAscending: Bool
    /// Conditions with the texts of which an expression has one.
    package private(set) var texts: [(expression: String, texts: [String])] = []
    /// Conditions without values.
    package private(set) var plain: [String] = []

    package init(_ query: PushQuery, in range: Range<UInt64>) {
        isAscending = query.order == .ascending
        let end = min(range.upperBound, query.before ?? .max)
        let start = max(range.lowerBound, query.after == .max ? .max : query.after + 1)
        self.range = min(start, end)..<end
        let isAttempted = !query.deliveries.contains(PushQuery.notAttempted)
        texts = [
            ("topic", query.topics), ("token", query.tokens.map(\.hex)), ("push_type", query.pushTypes),
            ("reason", query.reasons.map(\.name)),
            isAttempted ? ("delivery", query.deliveries) : ("coalesce(delivery, '')", query.deliveries + [""]),
        ].filter { !$0.1.isEmpty }
        // Lets a database use its partial index of rejections, which has this condition.
        if query.outcomes == [.rejected] || !query.reasons.isEmpty { plain.append("status <> 200") }
    }
}
