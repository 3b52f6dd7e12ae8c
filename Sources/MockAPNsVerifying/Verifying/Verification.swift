package import MockAPNsFormats
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// A check that the expected number of pushes in a window match.
package struct Verification: Sendable {
    /// An expected number of pushes.
    package struct Expectation: Sendable, Equatable {
        let least: Int
        let most: Int?

        /// Creates an expectation; there is no upper limit if `most` is `nil`.
        package init(least: Int, most: Int?) { (self.least, self.most) = (least, most) }

        /// The text in a report: `exactly 1 push`.
        var text: String {
            switch (least, most) {
            case (_, 0): "no push"
            case (let least, .some(least)): "exactly \(ReportText.pushes(least))"
            case (0, .some(let most)): "at most \(ReportText.pushes(most))"
            case (let least, nil): "at least \(ReportText.pushes(least))"
            case (let least, .some(let most)): "\(least) to \(ReportText.pushes(most))"
            }
        }

        func isMet(by count: Int) -> Bool { count >= least && count <= most ?? .max }
    }

    /// The pushes that were found.
    package struct Finding {
        /// The numbers of the matching pushes, oldest first.
        package let matched: [UInt64]
        /// The number of pushes in the window.
        package let considered: Int
        /// The number of pushes that would have matched, but came before the window.
        package let tooEarly: Int
        package let extent: Journal.Extent
        /// The pushes that nearly matched, if there are too few.
        package let nearMisses: [NearMiss]
    }

    /// A push that nearly matched.
    package struct NearMiss {
        package let seq: UInt64
        package let met: Int
        package let results: [Result]
    }

    /// Whether and how a push meets one requirement.
    package struct Result {
        /// The member of the matcher.
        package let name: String
        package let operators: [String]
        package let expected: JSONValue
        /// The value of the push; `nil` if it has none.
        package let actual: JSONValue?
        package let isMet: Bool
    }

    /// The largest number of near misses in a finding.
    private static let mostNearMisses = 3

    let matcher: PushMatcher
    let expectation: Expectation
    let after: UInt64
    let before: UInt64?

    /// Creates a verification of the pushes between two numbers.
    ///
    /// Only accepted pushes count, unless the matcher asks about the verdict: a test must not pass with a rejected push.
    package init(
        matcher: PushMatcher,
        expectation: Expectation = Expectation(least: 1, most: nil),
        after: UInt64,
        before: UInt64?
    ) {
        var matcher = matcher
        if !matcher.condition.asks(forAnyOf: PushField.verdictFields) {
            matcher.requirements.append(.field(.outcome, equals: PushQuery.Outcome.accepted.rawValue))
        }
        self.matcher = matcher
        self.expectation = expectation
        self.after = after
        self.before = before
    }

    func query(in pushes: VerifiedNamespace, _ budget: StepBudget) -> PushQuery {
        PushQuery(after: after, before: before, matcher.query(in: pushes.context, budget))
    }

    private func find(in pushes: VerifiedNamespace, _ scan: Scan) async throws(SearchFailure) -> Finding {
        var matched: [UInt64] = []
        let extent = try await scan.visit(pushes.journal, query(in: pushes, scan.budget)) { _, outline in
            matched.append(outline.seq)
            return true
        }
        guard !expectation.isMet(by: matched.count) else {
            return Finding(matched: matched, considered: 0, tooEarly: 0, extent: extent, nearMisses: [])
        }
        var considered = 0
        var nearest: [NearMiss] = []
        let isTooFew = matched.count < expectation.least
        let window = PushQuery(after: after, before: before)
        _ = try await scan.visit(pushes.journal, window) { request, outline in
            considered += 1
            // Near misses are shown only if there are too few matches.
            guard isTooFew else { return true }
            let candidate = Candidate(request, outline, in: pushes.context, scan.budget)
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
            tooEarly: isTooFew ? try await countTooEarly(in: pushes, scan) : 0,
            extent: extent,
            nearMisses: nearest
        )
    }

    private func countTooEarly(in pushes: VerifiedNamespace, _ scan: Scan) async throws(SearchFailure) -> Int
    {
        guard after > 0 else { return 0 }
        var query = query(in: pushes, scan.budget)
        query.after = 0
        query.before = after < .max ? after + 1 : nil
        return try await scan.count(pushes.journal, query)
    }

    /// Returns the number of requirements that a push meets, or `nil` if it meets all, or fewer than `bar`.
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

    func results(for candidate: Candidate) -> [Result] {
        let requirements = matcher.requirements.map { requirement in
            Result(
                name: requirement.name,
                operators: requirement.operators,
                expected: requirement.expected,
                actual: requirement.actual(candidate),
                isMet: requirement.isMet(by: candidate)
            )
        }
        let searches = matcher.search.map { search in
            let isMet = search.condition.holds(for: candidate)
            return Result(name: "q", operators: [], expected: .string(search.text), actual: nil, isMet: isMet)
        }
        return requirements + searches
    }
}

extension Verification {
    /// The result of a verification.
    package enum Outcome {
        /// The expectation is met; the pushes are recorded under the verification's id.
        case passed(Finding, id: String)
        case failed(VerificationFailure)
    }

    /// Waits for the pushes, and verifies them.
    ///
    /// Waits up to `limit` for enough pushes, and then up to `settle` for one too many; both are in microseconds.
    package func verify(
        in pushes: VerifiedNamespace,
        within limit: Int64?,
        settle: Int64?,
        _ scan: Scan
    ) async throws(SearchFailure) -> Outcome {
        try await wait(in: pushes, within: limit, settle: settle, scan)
        let finding = try await find(in: pushes, scan)
        guard expectation.isMet(by: finding.matched.count) else {
            return .failed(try await VerificationFailure(self, finding, within: limit ?? 0, in: pushes, scan))
        }
        return .passed(finding, id: pushes.note(finding.matched, finding.extent))
    }

    private func wait(
        in pushes: VerifiedNamespace,
        within limit: Int64?,
        settle: Int64?,
        _ scan: Scan
    ) async throws(SearchFailure) {
        var counter = PushCounter(
            pushes.journal,
            query(in: pushes, scan.budget),
            mayChange: matcher.condition.mayChange
        )
        if let limit, expectation.least > 0 {
            let isEnough = try await scan.wait(on: pushes.watch, atMost: limit) {
                () async throws(SearchFailure) in
                try await counter.count(scan) >= expectation.least
            }
            guard isEnough else { return }
        }
        // If no push is expected, none may arrive for the whole limit.
        let quiet = settle ?? (expectation.least == 0 ? limit : nil)
        guard let most = expectation.most, let quiet else { return }
        _ = try await scan.wait(on: pushes.watch, atMost: quiet) { () async throws(SearchFailure) in
            try await counter.count(scan) > most
        }
    }
}

extension VerifiedNamespace {
    /// Records a successful verification, and returns its id.
    package func note(_ seqs: [UInt64], _ extent: Journal.Extent) -> String {
        context.verifications.note(seqs, epoch: extent.epoch, first: extent.firstSeq)
    }
}

/// How one push meets each requirement of a matcher.
package struct Explanation {
    package let id: String
    package let results: [Verification.Result]
    package let met: Int
    package let report: String

    package init(_ matcher: PushMatcher, _ push: PushRecord, in pushes: VerifiedNamespace, _ scan: Scan) {
        let verification = Verification(matcher: matcher, after: 0, before: nil)
        let results = Candidate.with(push, in: pushes.context, scan.budget) { verification.results(for: $0) }
        met = results.count(where: \.isMet)
        id = PushID(epoch: push.epoch, seq: push.seq).text
        let lines = ["\(id)  #\(push.seq)   \(met)/\(results.count)"] + results.map(ReportText.line)
        report = lines.joined(separator: "\n") + "\n"
        self.results = results
    }
}
