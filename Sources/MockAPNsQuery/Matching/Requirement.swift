package import MockAPNsFormats

/// A requirement on one value of a push.
///
/// Verifications count requirements, and reports have one line for each.
package struct Requirement: Sendable, Equatable {
    package enum Subject: Sendable, Equatable {
        case field(PushField)
        /// A header field, by its lowercase name.
        case header(String)
        case payload(JSONPointer)
        case lints
    }

    package let subject: Subject
    package let comparisons: [Comparison]
    /// The expected value or operators, as written in the matcher.
    package let expected: JSONValue
    /// `equals` if the matcher has only a value.
    package let operators: [String]

    init(
        _ subject: Subject,
        _ comparisons: [Comparison],
        operators: [String] = [],
        expected: JSONValue = .null
    ) {
        self.subject = subject
        self.comparisons = comparisons
        self.operators = operators
        self.expected = expected
    }

    package static func field(_ field: PushField, equals text: String) -> Requirement {
        let wanted = field.row.isCaseless ? text.lowercased() : text
        return Requirement(
            .field(field),
            [.equals(.string(wanted))],
            operators: [Comparison.Operator.equals.rawValue],
            expected: .string(text)
        )
    }

    package var name: String {
        switch subject {
        case .field(let field) where PushField.verdictFields.contains(field): "verdict.\(field.rawValue)"
        case .field(let field): field.rawValue
        case .header(let name): "headers.\(name)"
        case .payload(let pointer): pointer.description.isEmpty ? "payload" : "payload \(pointer)"
        case .lints: "lint"
        }
    }

    package var isKnownOnArrival: Bool {
        switch subject {
        case .field(let field): field.row.isKnownOnArrival
        case .lints: !comparisons.flatMap(\.texts).contains { Lint(rawValue: $0)?.looksAtHistory == true }
        case .header, .payload: true
        }
    }

    package func actual(_ candidate: Candidate) -> JSONValue? {
        switch subject {
        case .field(let field): field.value(of: candidate).map { .string($0) }
        case .header(let name): candidate.header(named: name).map { .string($0) }
        case .payload(let pointer): candidate.payload.flatMap { pointer.value(in: $0) }
        case .lints: Self.list(candidate.lints)
        }
    }

    /// Returns the ids of the lints, or `nil` if there are none, so that `absent` matches a push without findings.
    private static func list(_ lints: [Lint]) -> JSONValue? {
        lints.isEmpty ? nil : .array(lints.map { .string($0.id) })
    }

    package func isMet(by candidate: Candidate) -> Bool {
        guard candidate.budget.take(StepBudget.comparison * comparisons.count) else { return false }
        let actual = actual(candidate)
        let isText = if case .payload = subject { false } else { true }
        return comparisons.allSatisfy { $0.holds(for: actual, isText: isText, candidate.budget) }
    }
}
