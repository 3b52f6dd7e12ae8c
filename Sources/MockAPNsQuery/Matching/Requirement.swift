package import MockAPNsFormats

/// One thing that a push has to be or to have: the unit that a verification counts, and that a report has a line for.
package struct Requirement: Sendable, Equatable {
    /// Where the value comes from.
    package enum Subject: Sendable, Equatable {
        case field(PushField)
        /// A header, by its name in lower case.
        case header(String)
        case payload(JSONPointer)
        /// The lints that find something, as a list of their ids.
        case lints
    }

    package let subject: Subject
    package let comparisons: [Comparison]
    /// What is asked for, as it was written.
    package let expected: JSONValue
    /// The operators, for people; `equals` for a bare value.
    package let operators: [String]

    /// What a value is compared with; a single comparison.
    package init(_ subject: Subject, _ comparison: Comparison, operator name: String, expected: JSONValue) {
        self.init(subject, [comparison], operators: [name], expected: expected)
    }

    package init(_ subject: Subject, _ comparisons: [Comparison], operators: [String], expected: JSONValue) {
        self.subject = subject
        self.comparisons = comparisons
        self.operators = operators
        self.expected = expected
    }

    /// The field that a value is compared with.
    package static func field(_ field: PushField, equals text: String) -> Requirement {
        let wanted = field.row.isCaseless ? text.lowercased() : text
        return Requirement(
            .field(field),
            .equals(.string(wanted)),
            operator: Comparison.Operator.equals.rawValue,
            expected: .string(text)
        )
    }

    /// What it is called in reports.
    package var name: String {
        switch subject {
        case .field(let field) where PushField.verdictFields.contains(field): "verdict.\(field.rawValue)"
        case .field(let field): field.rawValue
        case .header(let name): "headers.\(name)"
        case .payload(let pointer): pointer.description.isEmpty ? "payload" : "payload \(pointer)"
        case .lints: "lint"
        }
    }

    /// Whether a push has a value for it as soon as it arrives, and not only once it has been answered.
    package var isKnownOnArrival: Bool {
        switch subject {
        case .field(let field): field.row.isKnownOnArrival
        case .lints: !comparisons.flatMap(\.texts).contains { Lint(rawValue: $0)?.looksAtHistory == true }
        case .header, .payload: true
        }
    }

    /// The value of a push; `nil` when it has none.
    package func actual(_ candidate: Candidate) -> JSONValue? {
        switch subject {
        case .field(let field): field.value(of: candidate).map { .string($0) }
        case .header(let name): candidate.header(named: name).map { .string($0) }
        case .payload(let pointer): candidate.payload.flatMap { pointer.value(in: $0) }
        case .lints: Self.list(candidate.lints)
        }
    }

    /// A push without findings has no list of them, so that `absent` says what it means.
    private static func list(_ lints: [Lint]) -> JSONValue? {
        lints.isEmpty ? nil : .array(lints.map { .string($0.id) })
    }

    /// Whether a push is or has it.
    package func isMet(by candidate: Candidate) -> Bool {
        guard candidate.budget.take(StepBudget.comparison * comparisons.count) else { return false }
        let actual = actual(candidate)
        let isText = if case .payload = subject { false } else { true }
        return comparisons.allSatisfy { $0.holds(for: actual, isText: isText, candidate.budget) }
    }
}
