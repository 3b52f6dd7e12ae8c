package import MockAPNsQuery
package import MockAPNsWorld

/// The values that pushes have for a key of the search syntax, with the number of pushes that have each.
package struct FieldValues: Sendable {
    /// How many different values are counted; further ones are left out.
    private static let mostValues = 10_000
    /// In bytes: longer values are texts to read, which nobody completes.
    private static let longestValue = 256

    package private(set) var counts: [String: Int] = [:]

    mutating func note(_ value: String?) {
        guard let value, !value.isEmpty, value.utf8.count <= Self.longestValue else { return }
        guard counts.count < Self.mostValues || counts[value] != nil else { return }
        counts[value, default: 0] += 1
    }

    /// Returns the values with a prefix, ignoring case: the most frequent first, and in their order.
    package func most(_ limit: Int, prefix: String) -> [(value: String, count: Int)] {
        let prefix = prefix.lowercased()
        let found = counts.filter { prefix.isEmpty || $0.key.lowercased().hasPrefix(prefix) }
        let sorted = found.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.prefix(limit).map { (value: $0.key, count: $0.value) }
    }
}

extension Scan {
    /// Returns the values of a key of the pushes that a query finds in memory.
    package func values(
        of word: SearchWord, _ journal: Journal, _ query: PushQuery, in context: PushContext
    ) async throws(SearchFailure) -> FieldValues {
        var values = FieldValues()
        try await visit(journal, query) { request, outline, _ in
            let push = Candidate(request, outline, in: context, budget)
            for value in word.values?(push) ?? [] { values.note(value) }
        }
        return values
    }
}
