internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// How long a request waits for pushes, and for how many.
struct PushWait {
    /// What came of a wait.
    struct Outcome {
        /// How many pushes were waited for; 0 when nothing was.
        let wanted: Int
        let waitedMilliseconds: Int
    }

    private let limit: Int64?
    private let count: Int

    /// Reads the parameters; complaints stay with the reader.
    init(_ reader: inout QueryReader, takesCount: Bool = true) {
        limit = reader.value("wait", .wait)
        let count = takesCount ? reader.value("count", Self.number) : nil
        self.count = count ?? 1
        if count != nil, limit == nil {
            reader.complain("count", "says how many to wait for; expected wait=5s with it")
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

    private static var number: Form<Int> {
        Form(ofText: "a number from 1 to 1000000") { text in
            UInt64(digits: text).flatMap { (1...1_000_000).contains($0) ? Int($0) : nil }
        }
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

    /// The time that searches count from.
    var now: Timestamp { subject.world.clock.read().system }
}
