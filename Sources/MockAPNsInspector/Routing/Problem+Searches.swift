internal import MockAPNsAPI
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

extension Problem {
    init(_ failure: SearchFailure) {
        let (kind, detail): (Kind, String) =
            switch failure {
            case .tooBusy(let waiting):
                (.tooBusy, "\(waiting) requests that search pushes are already waiting; retry later.")
            case .tooMuchWork(let steps, let pushes):
                (
                    .tooMuchWork,
                    "The conditions took more than \(steps) steps on the first \(pushes) pushes;"
                        + " use simpler patterns, fewer conditions, or fewer pushes (after, before)."
                )
            case .unreadable(let reason): (.cannotRead, Self.unreadable(reason))
            case .stopped(.clientGone): (.notReady, "The client has closed the connection.")
            case .stopped(.shutdown): (.notReady, "The server stopped before the expected pushes arrived.")
            case .stopped(.namespaceGone):
                (.namespaceGone, "The namespace was removed before the expected pushes arrived.")
            }
        self.init(kind, detail)
    }

    init(_ failure: HistoryFailure) { self.init(.cannotRead, Self.unreadable(failure.description)) }

    private static func unreadable(_ reason: String) -> String {
        "Pushes that have left the memory cannot be read: \(reason)."
    }
}

extension Journal {
    /// Returns a push from the memory or the store.
    func shownPush(seq: UInt64) async throws(Problem) -> PushRecord? {
        do throws(HistoryFailure) { return try await storedPush(seq: seq) } catch { throw Problem(error) }
    }

    /// Returns a push from the memory or the store.
    func shownPush(apnsID: String) async throws(Problem) -> PushRecord? {
        do throws(HistoryFailure) { return try await storedPush(apnsID: apnsID) } catch { throw Problem(error) }
    }
}

extension Route.Call {
    func search<Result>(_ search: (Scan) async throws(SearchFailure) -> Result) async throws(Problem) -> Result {
        do throws(SearchFailure) { return try await search(scan) } catch { throw Problem(error) }
    }

    /// Returns the numbers of the pushes that a query finds, oldest first.
    func find(_ query: PushQuery) async throws(Problem) -> (seqs: [UInt64], extent: Journal.Extent) {
        try await search { (scan) async throws(SearchFailure) in try await scan.find(subject.journal, query) }
    }

    /// Returns the same, with the pushes that have left the memory and are kept.
    func findAll(_ query: PushQuery) async throws(Problem) -> (seqs: [UInt64], extent: Journal.Extent) {
        try await search { (scan) async throws(SearchFailure) in try await scan.findAll(subject.journal, query) }
    }

    func page(_ query: PushQuery) async throws(Problem) -> PushPage {
        try await search { (scan) async throws(SearchFailure) in try await scan.page(query, in: subject.journal) }
    }
}
