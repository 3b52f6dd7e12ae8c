internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld

/// The search of pushes that have left the journal's memory, and that a store keeps.
extension Scan {
    /// The pushes that are read at once.
    private static let mostAtOnce = 256

    /// Returns a page of the pushes that a query finds, in memory and then in the store.
    package func page(_ query: PushQuery, in journal: Journal) async throws(SearchFailure) -> PushPage {
        let scan = journal.scan(query)
        let end = scan.extent.completeFrom
        guard journal.isKept, query.after + 1 < end else { return try await pageInMemory(query, in: journal) }
        var recent = query
        // What is older is in the store, also what memory still has of it.
        recent.after = max(query.after, end - 1)
        switch query.order {
        case .descending:
            var page = try await pageInMemory(recent, in: journal)
            let wanted = query.limit - page.pushes.count
            if wanted > 0 { page.append(older: try await older(query, before: end, atMost: wanted, in: journal)) }
            return page
        case .ascending:
            let older = try await older(query, before: end, atMost: query.limit, in: journal)
            recent.limit = query.limit - older.count
            var page = try await pageInMemory(recent, in: journal)
            page.prepend(older: older, isFull: older.count == query.limit)
            return page
        }
    }

    private func pageInMemory(_ query: PushQuery, in journal: Journal) async throws(SearchFailure) -> PushPage {
        var found: [FoundRecord] = []
        return try await visit(journal, query) { _, _, match in found.append(match) }.page(of: found)
    }

    /// Returns the first matches below a number in the order of the query.
    private func older(
        _ query: PushQuery, before end: UInt64, atMost most: Int, in journal: Journal
    ) async throws(SearchFailure) -> [PushRecord] {
        var found: [PushRecord] = []
        guard most > 0 else { return found }
        try await visitOlder(query, before: end, in: journal) { record in
            found.append(record)
            return found.count < most
        }
        return found
    }

    /// Returns the numbers of the pushes that a query finds, also of those that only a store has, oldest first.
    package func findAll(
        _ journal: Journal, _ query: PushQuery
    ) async throws(SearchFailure) -> (seqs: [UInt64], extent: Journal.Extent) {
        var (recent, extent) = try await find(journal, query)
        let end = extent.completeFrom
        guard journal.isKept, query.after + 1 < end else { return (recent, extent) }
        recent.removeAll { $0 < end }
        var ascending = query
        ascending.order = .ascending
        var seqs: [UInt64] = []
        try await visitOlder(ascending, before: end, in: journal) { record in
            seqs.append(record.seq)
            return true
        }
        return (seqs + recent, extent)
    }

    /// Calls `use` with the matches below a number in the order of the query, until it returns `false`.
    private func visitOlder(
        _ query: PushQuery, before end: UInt64, in journal: Journal, _ use: (PushRecord) -> Bool
    ) async throws(SearchFailure) {
        var rest = max(query.after + 1, 1)..<max(query.after + 1, 1, min(end, query.before ?? .max))
        var count = 0
        while !rest.isEmpty {
            let kept = try await reading { [rest] () async throws(HistoryFailure) in
                try await journal.older(query, in: rest, atMost: Self.mostAtOnce)
            }
            guard let last = kept.last?.seq else { return }
            rest = query.order == .ascending ? last + 1..<max(last + 1, rest.upperBound) : rest.lowerBound..<last
            for push in kept {
                count += 1
                guard !budget.isSpent else { throw .tooMuchWork(steps: queue.limits.steps, pushes: count) }
                budget.allow(queue.limits.stepsOfPush)
                if let record = journal.record(of: push, matching: query), !use(record) { return }
                try await pause()
            }
        }
    }
}
