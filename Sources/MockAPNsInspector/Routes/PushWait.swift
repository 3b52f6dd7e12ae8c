internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// How long a request waits for pushes, and for how many.
struct PushWait: Sendable {
    /// What came of a wait.
    struct Outcome {
        /// How many pushes were waited for; 0 when nothing was.
        let wanted: Int
        let waitedMilliseconds: Int
    }

    /// The longest wait, in microseconds; `nil` for none.
    private var limit: Int64?
    private var count = 1

    static let time = Parameter<PushWait>.once(
        "wait",
        .wait,
        "Answer when there are enough, or after this time."
    ) { $0.limit = $1 }

    static let count = Parameter<PushWait>.once(
        "count",
        .whole(1...1_000_000),
        "How many to wait for; with wait alone."
    ) { $0.count = $1 }.checked { query in
        if query.texts("wait").isEmpty, !query.texts("count").isEmpty {
            query.complain("count", "says how many to wait for; expected wait=5s with it")
        }
    }

    /// Waits, if that is asked for.
    ///
    /// - Throws: `Problem` when the server stops, or the namespace goes, meanwhile.
    func run(_ selection: PushSelection, _ call: Route.Call) async throws(Problem) -> Outcome {
        guard let limit else { return Outcome(wanted: 0, waitedMilliseconds: 0) }
        let started = ContinuousClock.now
        var counter = PushCounter(call.subject.journal, selection.query, mayChange: selection.mayChange)
        _ = try await call.wait(atMost: limit) { () async throws(SearchFailure) in
            try await counter.count(call.scan) >= count
        }
        let waited = started.duration(to: .now) / .milliseconds(1)
        return Outcome(wanted: count, waitedMilliseconds: Int(waited))
    }
}

extension Route.Call {
    /// Waits until a check succeeds, which is made at once and after every change; others may search meanwhile.
    ///
    /// - Parameters:
    ///   - limit: the longest wait, in microseconds.
    ///   - check: what is waited for.
    /// - Returns: whether it has happened.
    /// - Throws: `Problem` when the server stops or the namespace goes meanwhile, and what the check throws.
    func wait(
        atMost limit: Int64,
        until check: () async throws(SearchFailure) -> Bool
    ) async throws(Problem) -> Bool {
        try await search { (scan) async throws(SearchFailure) in
            try await scan.wait(on: subject.watch, atMost: limit, until: check)
        }
    }
}
