package import MockAPNsWorld

/// Counts the pushes that a query finds, and reads each only once if possible.
package struct PushCounter {
    private let journal: Journal
    private var query: PushQuery
    private let mayChange: Bool
    private var count = 0
    private var epoch: UInt64 = 0

    /// Creates a counter; with `mayChange`, a push may match later, so every count reads all pushes.
    package init(_ journal: Journal, _ query: PushQuery, mayChange: Bool) {
        self.journal = journal
        self.query = query
        self.mayChange = mayChange
    }

    package mutating func count(_ scan: Scan) async throws(SearchFailure) -> Int {
        let (found, extent) = try await scan.find(journal, query)
        // A reset has removed the pushes counted before.
        if mayChange || extent.epoch != epoch { (count, epoch) = (0, extent.epoch) }
        count += found.count
        if !mayChange { query.after = max(query.after, extent.lastSeq) }
        return count
    }
}
