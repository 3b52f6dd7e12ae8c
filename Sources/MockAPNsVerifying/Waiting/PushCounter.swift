package import MockAPNsWorld

/// Counts the pushes that a query finds, and reads each only once if possible.
package struct PushCounter {
    private let journal: Journal
    private let query: PushQuery
    private let mayChange: Bool
    private var seen: UInt64
    private var count = 0
    private var epoch: UInt64 = 0

    /// Creates a counter; with `mayChange`, a push may match later, so every count reads all pushes.
    package init(_ journal: Journal, _ query: PushQuery, mayChange: Bool) {
        self.journal = journal
        self.query = query
        self.mayChange = mayChange
        seen = query.after
    }

    /// Returns the current number.
    package mutating func count(_ scan: Scan) async throws(SearchFailure) -> Int {
        var query = query
        if mayChange { count = 0 } else { query.after = seen }
        var found = 0
        let extent = try await scan.visit(journal, query) { _, _ in
            found += 1
            return true
        }
        if extent.epoch != epoch {
            // A reset has removed the pushes counted before.
            if epoch != 0 { count = 0 }
            epoch = extent.epoch
        }
        count += found
        seen = max(seen, extent.lastSeq)
        return count
    }
}
