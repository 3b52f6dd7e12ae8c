package import MockAPNsFormats
package import MockAPNsQuery
package import MockAPNsWorld

/// A check that the expected number of pushes in a window match.
package struct Verification: Sendable {
    package enum Outcome {
        /// The expectation is met by these pushes; they are recorded under the verification's id.
        case passed([UInt64], Journal.Extent, id: String)
        case failed(VerificationFailure)
    }

    var matcher: PushMatcher
    /// The expected number of pushes; without an upper limit, it ends with `Int.max`.
    let expectation: ClosedRange<Int>
    var after: UInt64
    var before: UInt64?

    /// Only accepted pushes count, unless the matcher asks about the verdict.
    package init(matcher: PushMatcher, expectation: ClosedRange<Int> = 1...Int.max, after: UInt64, before: UInt64?) {
        self.matcher = matcher.ofAcceptedUnlessAsked
        self.expectation = expectation
        self.after = after
        self.before = before
    }

    /// Waits up to `limit` for enough pushes, and then up to `settle` for one too many; both are in microseconds.
    package func verify(
        in pushes: VerifiedNamespace, within limit: Int64?, settle: Int64?, _ scan: Scan
    ) async throws(SearchFailure) -> Outcome {
        try await wait(in: pushes, within: limit, settle: settle, scan)
        let (matched, extent) = try await scan.find(pushes.journal, query(in: pushes, scan.budget))
        if expectation.contains(matched.count) {
            return .passed(matched, extent, id: pushes.context.verifications.note(matched, in: extent))
        }
        return .failed(try await VerificationFailure(self, matched, extent, within: limit ?? 0, in: pushes, scan))
    }

    private func wait(
        in pushes: VerifiedNamespace, within limit: Int64?, settle: Int64?, _ scan: Scan
    ) async throws(SearchFailure) {
        var counter = PushCounter(
            pushes.journal, query(in: pushes, scan.budget), mayChange: matcher.condition.mayChange)
        let (least, most) = (expectation.lowerBound, expectation.upperBound)
        if let limit, least > 0 {
            let isEnough = try await scan.wait(on: pushes.watch, atMost: limit) { () async throws(SearchFailure) in
                try await counter.count(scan) >= least
            }
            guard isEnough else { return }
        }
        // If no push is expected, none may arrive for the whole limit.
        let quiet = settle ?? (least == 0 ? limit : nil)
        guard most < .max, let quiet else { return }
        _ = try await scan.wait(on: pushes.watch, atMost: quiet) { () async throws(SearchFailure) in
            try await counter.count(scan) > most
        }
    }

    func query(in pushes: VerifiedNamespace, _ budget: StepBudget) -> PushQuery {
        PushQuery(after: after, before: before, matcher.query(in: pushes.context, budget))
    }
}

/// Whether and how a push meets one requirement of a matcher, or its search.
package struct RequirementResult {
    /// The member of the matcher.
    package let name: String
    package var operators: [String] = []
    package let expected: JSONValue
    /// The value of the push; `nil` if it has none.
    package var actual: JSONValue?
    package let isMet: Bool
}

extension [RequirementResult] {
    var met: Int { count(where: \.isMet) }

    package var score: String { "\(met)/\(count)" }
}

extension Requirement { static let acceptance = field(.outcome, equals: PushQuery.Outcome.accepted.rawValue) }

extension PushMatcher {
    /// The same, but for accepted pushes unless it asks about the verdict: a test must not pass with a rejected push.
    var ofAcceptedUnlessAsked: PushMatcher {
        var matcher = self
        if !condition.asksForVerdict { matcher.requirements.append(.acceptance) }
        return matcher
    }

    func results(for candidate: Candidate) -> [RequirementResult] {
        let own = requirements.map { requirement in
            RequirementResult(
                name: requirement.name, operators: requirement.operators.map(\.rawValue),
                expected: requirement.expected, actual: requirement.actual(candidate),
                isMet: requirement.isMet(by: candidate))
        }
        let searches = search.map { search in
            let isMet = search.condition.holds(for: candidate)
            return RequirementResult(name: "q", expected: .string(search.text), isMet: isMet)
        }
        return own + searches
    }
}

/// How one push meets each requirement of a matcher.
package struct Explanation {
    package let id: String
    package let results: [RequirementResult]
    package let report: String

    package init(_ matcher: PushMatcher, _ push: PushRecord, in pushes: VerifiedNamespace, _ scan: Scan) {
        id = PushID(epoch: push.epoch, seq: push.seq).text
        let matcher = matcher.ofAcceptedUnlessAsked
        results = Candidate.with(push, in: pushes.context, scan.budget, matcher.results)
        let lines = ["\(id)  #\(push.seq)   \(results.score)"] + results.map(ReportText.line)
        report = lines.joined(separator: "\n") + "\n"
    }
}
