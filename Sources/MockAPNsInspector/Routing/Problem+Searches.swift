internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

extension Problem {
    /// The problem that the client of a search is told of.
    init(_ failure: SearchFailure) {
        switch failure {
        case .tooBusy(let waiting):
            self.init(
                kind: .tooBusy,
                detail: "\(waiting) requests that search pushes are waiting already; retry later."
            )
        case .tooMuchWork(let steps, let pushes):
            self.init(
                kind: .tooMuchWork,
                detail: "The conditions took more than \(steps) steps on the first \(pushes) pushes;"
                    + " use simpler patterns, fewer conditions, or fewer pushes (after, before)."
            )
        case .clientGone:
            self.init(kind: .notReady, detail: "The client has closed the connection.")
        case .serverStopping:
            self.init(kind: .notReady, detail: "The server stops; what was waited for has not happened.")
        case .namespaceRemoved:
            self.init(
                kind: .namespaceGone,
                detail: "The namespace was removed; what was waited for has not happened."
            )
        }
    }
}

extension Route.Call {
    /// Runs a search, and throws what ends it as a problem.
    func search<Result>(
        _ search: (Scan) async throws(SearchFailure) -> Result
    ) async throws(Problem) -> Result {
        do throws(SearchFailure) {
            return try await search(scan)
        } catch {
            throw Problem(error)
        }
    }

    /// Looks at every push that a query finds, oldest first, until `use` returns `false`.
    ///
    /// - Returns: what the journal held.
    func visit(
        _ query: PushQuery,
        _ use: (borrowing RequestView, PushOutline) -> Bool
    ) async throws(Problem) -> Journal.Extent {
        try await search { (scan) async throws(SearchFailure) in
            try await scan.visit(subject.journal, query, use)
        }
    }

    /// Finds the pushes of a page.
    func page(_ query: PushQuery) async throws(Problem) -> PushPage {
        try await search { (scan) async throws(SearchFailure) in
            try await scan.page(query, in: subject.journal)
        }
    }
}
