package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// What is asked of a push, taken together.
package indirect enum Condition: Sendable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    case requirement(Requirement)
    /// A text that stands somewhere in the body or in a header, in any letter case.
    case text(String)
    case after(UInt64)
    case before(UInt64)
    case since(Timestamp)
    case until(Timestamp)
    /// What only the server's own books say of a push.
    case noted(PushNote)

    /// Nothing is asked.
    package static let always = Condition.all([])

    /// Whether a push is what is asked for.
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
        case .noted(let note): note.holds(for: candidate)
        }
    }

    /// Whether the answer for a push may change after it was answered.
    package var mayChange: Bool {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.contains(where: \.mayChange)
        case .not(let condition): condition.mayChange
        case .requirement(let requirement):
            requirement.subject == .field(.delivery) || requirement.subject == .field(.device)
        case .noted(let note): note.mayChange
        case .text, .after, .before, .since, .until: false
        }
    }

    /// What it asks for that is known of a push only after its answer, as the search language calls it.
    var partsKnownLater: [String] {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.flatMap(\.partsKnownLater)
        case .not(let condition): condition.partsKnownLater
        case .requirement(let requirement): requirement.isKnownOnArrival ? [] : [requirement.name]
        case .noted(let note): note.isKnownOnArrival ? [] : [note.name]
        case .after: ["after:seq:"]
        case .before: ["before:seq:"]
        case .text, .since, .until: []
        }
    }

    /// Whether it asks for one of these fields.
    package func asks(forAnyOf fields: [PushField]) -> Bool {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.contains { $0.asks(forAnyOf: fields) }
        case .not(let condition): condition.asks(forAnyOf: fields)
        case .requirement(let requirement): fields.contains { requirement.subject == .field($0) }
        case .text, .after, .before, .since, .until, .noted: false
        }
    }

    /// The condition as the journal asks it, within the budget of a search.
    package func query(in context: PushContext, _ budget: StepBudget) -> PushQuery.Condition {
        { request, outline in holds(for: Candidate(request, outline, in: context, budget)) }
    }

    private static func find(_ text: String, in candidate: Candidate) -> Bool {
        guard candidate.budget.take(StepBudget.comparison + candidate.bodySteps) else { return false }
        let wanted = text.lowercased()
        if Comparison.find(wanted, in: candidate.lowercasedBody) { return true }
        // A body may have written the text with escapes.
        if let payload = candidate.payload, payload.hasText(wanted) { return true }
        return [HeaderName.apnsTopic, .apnsCollapseID, .path].contains { name in
            candidate.header(name).map { Comparison.find(wanted, in: $0.lowercased()) } ?? false
        }
    }
}

/// What the server's books say of a push besides its record.
package enum PushNote: Sendable {
    /// Some verification has matched it.
    case verified
    /// One of these lints finds something in it.
    case lint(Set<Lint>)

    /// Whether it may come to be true of a push, or cease to be, after it was answered.
    package var mayChange: Bool {
        switch self {
        case .verified: true
        case .lint: false
        }
    }

    /// Whether it is known as soon as a push arrives: of the lints, by those that look at the push alone.
    var isKnownOnArrival: Bool {
        switch self {
        case .verified: false
        case .lint(let lints): !lints.allSatisfy(\.looksAtHistory)
        }
    }

    /// What the search language calls it.
    var name: String {
        switch self {
        case .verified: "is:verified"
        case .lint(let lints) where lints.count == 1: "lint:" + lints.map(\.id).joined()
        case .lint: "has:lint"
        }
    }

    package func holds(for candidate: Candidate) -> Bool {
        switch self {
        case .verified: candidate.context.verifications.has(candidate.outline.seq)
        case .lint(let lints): candidate.budget.take(StepBudget.lint) && candidate.hasLint(lints)
        }
    }
}

extension JSONValue {
    /// Whether a text, given in lower case, is part of any text in the value.
    fileprivate func hasText(_ wanted: String) -> Bool {
        switch self {
        case .string(let text): Comparison.find(wanted, in: text.lowercased())
        case .array(let values): values.contains { $0.hasText(wanted) }
        case .object(let members): members.values.contains { $0.hasText(wanted) }
        case .null, .bool, .integer, .unsigned, .number, .literal, .written: false
        }
    }
}
