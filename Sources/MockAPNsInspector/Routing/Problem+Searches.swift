internal import MockAPNsAPI
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

extension Problem {
    init(_ failure: SearchFailure) {
        switch failure {
        case .tooBusy(let waiting):
            self.init(
                kind: .tooBusy,
                detail: "\(waiting) requests that search pushes are already waiting; retry later."
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
            self.init(kind: .notReady, detail: "The server stopped before the expected pushes arrived.")
        case .namespaceRemoved:
            self.init(
                kind: .namespaceGone,
                detail: "The namespace was removed before the expected pushes arrived."
            )
        }
    }
}

extension Route.Call {
    func search<Result>(
        _ search: (Scan) async throws(SearchFailure) -> Result
    ) async throws(Problem) -> Result {
        do throws(SearchFailure) {
            return try await search(scan)
        } catch {
            throw Problem(error)
        }
    }

    /// Calls `use` for every push that a query finds, oldest first, until it returns `false`.
    func visit(
        _ query: PushQuery,
        _ use: (borrowing RequestView, PushOutline) -> Bool
    ) async throws(Problem) -> Journal.Extent {
        try await search { (scan) async throws(SearchFailure) in
            try await scan.visit(subject.journal, query, use)
        }
    }

    func page(_ query: PushQuery) async throws(Problem) -> PushPage {
        try await search { (scan) async throws(SearchFailure) in
            try await scan.page(query, in: subject.journal)
        }
    }
}
