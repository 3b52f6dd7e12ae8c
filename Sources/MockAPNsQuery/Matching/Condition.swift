package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

package indirect enum Condition: Equatable, Sendable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    case requirement(Requirement)
    case text(FreeText)
    case after(UInt64)
    case before(UInt64)
    case since(Timestamp)
    case until(Timestamp)
    case verified
    /// A fault fired for the push.
    case faulted
    case pinned
    /// Another push service has answered the push.
    case forwarded
    /// Another push service gave another answer than the mock.
    case differing
    case lint(Set<Lint>)

    package func holds(for candidate: Candidate) -> Bool {
        switch self {
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: candidate) }
        case .any(let conditions): conditions.contains { $0.holds(for: candidate) }
        case .not(let condition): !condition.holds(for: candidate)
        case .requirement(let requirement): requirement.isMet(by: candidate)
        case .text(let text): text.isFound(in: candidate)
        case .after(let seq): candidate.outline.seq > seq
        case .before(let seq): candidate.outline.seq < seq
        case .since(let time): candidate.outline.receivedAt >= time
        case .until(let time): candidate.outline.receivedAt < time
        case .faulted: candidate.outline.fault != nil
        case .verified: candidate.context?.verifications.has(candidate.outline.seq) ?? false
        case .pinned: candidate.outline.isPinned
        case .forwarded: candidate.forward?.status != nil
        case .differing: candidate.forward?.outcome == .differs
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
        asks(forAnyOf: [.delivery, .device, .ignored, .activity, .forwarded])
            || leaves.contains { leaf in
                // A text may be the label of a device.
                if case .text = leaf { true } else { [.verified, .pinned, .forwarded, .differing].contains(leaf) }
            }
    }

    /// Whether it uses an outcome, status or reason.
    package var asksForVerdict: Bool {
        asks(forAnyOf: PushField.verdictFields)
            || leaves.contains { leaf in if case .text(let text) = leaf { text.asksForVerdict } else { false } }
    }

    /// The parts that can only be evaluated after the response, as written in the search language.
    var partsKnownLater: [String] {
        leaves.compactMap { leaf in
            switch leaf {
            case .requirement(let requirement): requirement.isKnownOnArrival ? nil : requirement.name
            case .verified: "is:verified"
            case .faulted: "is:faulted"
            case .pinned: "is:pinned"
            case .forwarded: "is:forwarded"
            case .differing: "is:differing"
            // Lints of the push itself are known when it arrives.
            case .lint(let lints) where lints.allSatisfy { !$0.isKnownOnArrival }:
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
}
