package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// Which pushes somebody means: the `match` of verifications and faults.
package struct PushMatcher: Sendable {
    /// What a push has to be and to have, one by one.
    package var requirements: [Requirement]
    /// What the search language added.
    package var search: [SearchText]
    /// The matcher as it was written.
    package let json: JSONValue

    /// Every push.
    package static let any = PushMatcher(requirements: [], search: [], json: .object([:]))

    /// Reads a matcher out of a body.
    ///
    /// - Parameters:
    ///   - value: the matcher.
    ///   - pointer: where it stands in the body.
    ///   - now: the time that searches count from.
    ///   - complaints: what is wrong with it is added here.
    /// - Returns: the matcher; `nil` when there is a complaint.
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

    /// What it asks for that is known of a push only after its answer: the member of the matcher, and what it asks for.
    package var partsKnownLater: [(member: String, part: String)] {
        let own = requirements.filter { !$0.isKnownOnArrival }.map { (member: $0.name, part: $0.name) }
        return own + search.flatMap(\.condition.partsKnownLater).map { (member: "q", part: $0) }
    }

    /// Whether the matcher asks for this field.
    package func asks(for field: PushField) -> Bool { requirements.contains { $0.subject == .field(field) } }

    /// The condition that all of it makes.
    package var condition: Condition {
        .all(requirements.map { .requirement($0) } + search.map(\.condition))
    }

    /// The condition as a search asks it, within its budget; `nil` when every push is meant.
    package func query(in context: PushContext, _ budget: StepBudget) -> PushQuery.Condition? {
        requirements.isEmpty && search.isEmpty ? nil : condition.query(in: context, budget)
    }

    /// The condition as a fault asks it of each push by itself; `nil` when every push is meant.
    ///
    /// A push that would cost too much does not match: it must not wait for a pattern.
    package func faultCondition(in context: PushContext) -> PushQuery.Condition? {
        guard !requirements.isEmpty || !search.isEmpty else { return nil }
        let condition = condition
        return { request, outline in
            let budget = StepBudget(Candidate.largestOfFault)
            return condition.holds(for: Candidate(request, outline, in: context, budget)) && !budget.isSpent
        }
    }
}
