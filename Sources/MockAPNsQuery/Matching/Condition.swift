package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

package indirect enum Condition: Equatable, Sendable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    case requirement(Requirement)
    /// Finds text in the body, path, topic or collapse ID, ignoring case.
    case text(String)
    case after(UInt64)
    case before(UInt64)
    case since(Timestamp)
    case until(Timestamp)
    case verified
    case lint(Set<Lint>)

    package func holds(for candidate: Candidate) -> Bool {
        switch self {
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: candidate) }
        case .any(let conditions): conditions.contains { $0.holds(for: candidate) }
        case .not(let condition): !condition.holds(for: candidate)
        case .requirement(let requirement): requirement.isMet(by: candidate)
        case .text(let text): Self.find(text, in: candidate)
        case .after(let seq): candidate.outline.seq > seq
        case .before(let seq): candidate.outline.seq < seq
        case .since(let time): candidate.outline.receivedAt >= time
        case .until(let time): candidate.outline.receivedAt < time
        case .verified: candidate.context?.verifications.has(candidate.outline.seq) ?? false
        case .lint(let lints): candidate.budget.take(StepBudget.lint) && candidate.hasLint(lints)
        }
    }

    private var leaves: [Condition] {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.flatMap(\.leaves)
        case .not(let condition): condition.leaves
        default: [self]
        }
    }

    /// Whether the result for a push can change after its response.
    package var mayChange: Bool {
        asks(forAnyOf: [.delivery, .device]) || leaves.contains(.verified)
    }

    /// The parts that can only be evaluated after the response, as written in the search language.
    var partsKnownLater: [String] {
        leaves.compactMap { leaf in
            switch leaf {
            case .requirement(let requirement): requirement.isKnownOnArrival ? nil : requirement.name
            case .verified: "is:verified"
            // Lints of the push itself are known when it arrives.
            case .lint(let lints) where lints.allSatisfy(\.looksAtHistory):
                lints.count == 1 ? "lint:" + lints.map(\.id).joined() : "has:lint"
            case .after: "after:seq:"
            case .before: "before:seq:"
            default: nil
            }
        }
    }

    package func asks(forAnyOf fields: [PushField]) -> Bool {
        leaves.contains { leaf in
            guard case .requirement(let requirement) = leaf else { return false }
            return fields.contains { requirement.subject == .field($0) }
        }
    }

    package func query(in context: PushContext, _ budget: StepBudget) -> PushQuery.Condition {
        { request, outline in holds(for: Candidate(request, outline, in: context, budget)) }
    }

    private static func find(_ text: String, in candidate: Candidate) -> Bool {
        guard candidate.budget.take(StepBudget.comparison + candidate.bodySteps) else { return false }
        let wanted = text.lowercased()
        if Comparison.find(wanted, in: candidate.lowercasedBody) { return true }
        // The text may be escaped in the body, so also search the parsed payload.
        if let payload = candidate.payload, payload.hasText(wanted) { return true }
        return [HeaderName.apnsTopic, .apnsCollapseID, .path].contains { name in
            candidate.header(name).map { Comparison.find(wanted, in: $0.lowercased()) } ?? false
        }
    }
}

extension JSONValue {
    /// Returns whether any string in the value contains `wanted`, which must be lowercase.
    fileprivate func hasText(_ wanted: String) -> Bool {
        switch self {
        case .string(let text): Comparison.find(wanted, in: text.lowercased())
        case .array(let values): values.contains { $0.hasText(wanted) }
        case .object(let members): members.values.contains { $0.hasText(wanted) }
        case .null, .bool, .integer, .unsigned, .number, .literal, .written: false
        }
    }
}
