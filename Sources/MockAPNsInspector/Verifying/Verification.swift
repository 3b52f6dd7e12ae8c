internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What is expected of the pushes of a window, and whether it is so.
struct Verification: Sendable {
    /// How many pushes are expected.
    struct Expectation: Sendable, Equatable {
        let least: Int
        let most: Int?

        /// The words of a report: `exactly 1 push`.
        var text: String {
            switch (least, most) {
            case (_, 0): "no push"
            case (let least, .some(least)): "exactly \(Self.pushes(least))"
            case (0, .some(let most)): "at most \(Self.pushes(most))"
            case (let least, nil): "at least \(Self.pushes(least))"
            case (let least, .some(let most)): "\(least) to \(Self.pushes(most))"
            }
        }

        /// Whether so many are right.
        func isMet(by count: Int) -> Bool { count >= least && count <= most ?? .max }

        static func pushes(_ count: Int) -> String { count == 1 ? "1 push" : "\(count) pushes" }
    }

    /// What was found.
    struct Finding {
        /// The numbers of the pushes that are what is expected, oldest first.
        let matched: [UInt64]
        /// How many pushes of the window were looked at.
        let considered: Int
        /// How many would have matched, but came too early for the window.
        let tooEarly: Int
        let extent: Journal.Extent
        /// The pushes that came nearest, where the expectation is not met.
        let nearMisses: [NearMiss]
    }

    /// A push that nearly matched.
    struct NearMiss {
        let seq: UInt64
        /// How many of the requirements it met.
        let met: Int
        let results: [Result]
    }

    /// How a push stands to one requirement.
    struct Result {
        let name: String
        let operators: [String]
        let expected: JSONValue
        let actual: JSONValue?
        let isMet: Bool
    }

    /// The most near misses that are told of.
    private static let mostNearMisses = 3

    let matcher: PushMatcher
    let expectation: Expectation
    let after: UInt64
    let before: UInt64?

    /// Every push that was accepted unless the matcher says what it wants of the verdict: a green test has to mean a
    /// push that was accepted.
    init(matcher: PushMatcher, expectation: Expectation, after: UInt64, before: UInt64?) {
        var matcher = matcher
        if !matcher.condition.asks(forAnyOf: PushField.verdictFields) {
            matcher.requirements.append(.field(.outcome, equals: PushQuery.Outcome.accepted.rawValue))
        }
        self.matcher = matcher
        self.expectation = expectation
        self.after = after
        self.before = before
    }

    /// The pushes that match, as a question to the journal.
    func query(in subject: InspectedServer, _ budget: StepBudget) -> PushQuery {
        var query = PushQuery()
        query.after = after
        query.before = before
        query.condition = matcher.query(in: subject.context, budget)
        return query
    }

    /// Looks at the pushes at hand.
    func find(in subject: InspectedServer, _ scan: Scan) async throws(SearchFailure) -> Finding {
        var matched: [UInt64] = []
        let extent = try await scan.visit(subject.journal, query(in: subject, scan.budget)) { _, outline in
            matched.append(outline.seq)
            return true
        }
        var window = PushQuery()
        window.after = after
        window.before = before
        guard !expectation.isMet(by: matched.count) else {
            return Finding(matched: matched, considered: 0, tooEarly: 0, extent: extent, nearMisses: [])
        }
        var considered = 0
        var nearest: [NearMiss] = []
        let isTooFew = matched.count < expectation.least
        _ = try await scan.visit(subject.journal, window) { request, outline in
            considered += 1
            // Only where there are too few does anybody want to know what nearly was one.
            guard isTooFew else { return true }
            let candidate = Candidate(request, outline, in: subject.context, scan.budget)
            let bar = nearest.count < Self.mostNearMisses ? 0 : nearest.last?.met ?? 0
            guard let met = score(of: candidate, bar: bar) else { return true }
            nearest.append(NearMiss(seq: outline.seq, met: met, results: results(for: candidate)))
            nearest.sort { ($0.met, $0.seq) > ($1.met, $1.seq) }
            if nearest.count > Self.mostNearMisses { nearest.removeLast() }
            return true
        }
        return Finding(
            matched: matched,
            considered: considered,
            tooEarly: isTooFew ? try await countTooEarly(in: subject, scan) : 0,
            extent: extent,
            nearMisses: nearest
        )
    }

    private func countTooEarly(in subject: InspectedServer, _ scan: Scan) async throws(SearchFailure) -> Int {
        guard after > 0 else { return 0 }
        var query = query(in: subject, scan.budget)
        query.after = 0
        query.before = after < .max ? after + 1 : nil
        var count = 0
        _ = try await scan.visit(subject.journal, query) { _, _ in
            count += 1
            return true
        }
        return count
    }

    /// How many requirements a push meets; `nil` when it meets all of them, or fewer than `bar`.
    private func score(of candidate: Candidate, bar: Int) -> Int? {
        let all = matcher.requirements.count + matcher.search.count
        var missed = 0
        for requirement in matcher.requirements where !requirement.isMet(by: candidate) {
            missed += 1
            if all - missed < bar { return nil }
        }
        missed += matcher.search.count { !$0.condition.holds(for: candidate) }
        return missed == 0 || all - missed < bar ? nil : all - missed
    }

    /// How a push stands to everything that is asked for.
    func results(for candidate: Candidate) -> [Result] {
        matcher.requirements.map { requirement in
            Result(
                name: requirement.name,
                operators: requirement.operators,
                expected: requirement.expected,
                actual: requirement.actual(candidate),
                isMet: requirement.isMet(by: candidate)
            )
        }
            + matcher.search.map { search in
                Result(
                    name: "q",
                    operators: [],
                    expected: .string(search.text),
                    actual: nil,
                    isMet: search.condition.holds(for: candidate)
                )
            }
    }
}

extension Verification.Result {
    /// The result as the API shows it.
    var json: JSONValue {
        [
            "field": .string(name),
            "operator": .string(operators.joined(separator: ", ")),
            "expected": expected,
            "actual": actual ?? .null,
            "ok": .bool(isMet),
        ]
    }
}
