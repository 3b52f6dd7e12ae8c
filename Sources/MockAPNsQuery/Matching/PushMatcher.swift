package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// Selects pushes: the `match` of verifications and faults.
package struct PushMatcher: Sendable {
    package var requirements: [Requirement]
    package var search: [SearchText]
    package let json: JSONValue

    package static let any = PushMatcher(requirements: [], search: [], json: .object([:]))

    /// Relative times in searches refer to `now`. Errors are appended to `complaints` with their location below `pointer`;
    /// the result is then `nil`.
    package static func read(
        _ value: JSONValue,
        at pointer: String,
        now: Timestamp,
        complaints: inout [Complaint]
    ) -> PushMatcher? {
        var reader = MatcherReader()
        reader.read(value, at: pointer, now: now)
        complaints += reader.complaints
        guard reader.complaints.isEmpty else { return nil }
        return PushMatcher(requirements: reader.requirements, search: reader.search, json: value)
    }

    /// The parts that can only be evaluated after the response, each with its member of the matcher.
    package var partsKnownLater: [(member: String, part: String)] {
        let own = requirements.filter { !$0.isKnownOnArrival }.map { (member: $0.name, part: $0.name) }
        return own + search.flatMap(\.condition.partsKnownLater).map { (member: "q", part: $0) }
    }

    package func asks(for field: PushField) -> Bool { requirements.contains { $0.subject == .field(field) } }

    package var condition: Condition {
        .all(requirements.map { .requirement($0) } + search.map(\.condition))
    }

    /// Returns the condition for a search within a budget, or `nil` if every push matches.
    package func query(in context: PushContext, _ budget: StepBudget) -> PushQuery.Condition? {
        requirements.isEmpty && search.isEmpty ? nil : condition.query(in: context, budget)
    }

    /// Returns the condition for a fault, with a separate budget for each push, or `nil` if every push matches.
    ///
    /// A push that exceeds the budget does not match, so that a slow pattern does not delay it.
    package func faultCondition() -> PushQuery.Condition? {
        guard !requirements.isEmpty || !search.isEmpty else { return nil }
        let condition = condition
        return { request, outline in
            let budget = StepBudget(Candidate.largestOfFault)
            return condition.holds(for: Candidate(request, outline, in: nil, budget)) && !budget.isSpent
        }
    }
}
