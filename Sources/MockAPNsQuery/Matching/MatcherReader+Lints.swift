internal import MockAPNsFormats

extension MatcherReader {
    /// Parses the `lint` member: a lint id, or operators on the list of lints with findings.
    ///
    /// A list never equals an id, so `equals` is converted to a check that the list contains the id.
    mutating func readLint(_ value: JSONValue, at pointer: String) {
        let read = requirements.count
        add(.lints, value, at: pointer)
        guard requirements.count > read, let last = requirements.popLast() else { return }
        for id in last.comparisons.flatMap(\.texts) where Lint(rawValue: id) == nil {
            let known = Lint.allCases.map(\.id)
            complain(
                "is '\(id)', which is no lint; docs/lints.md has them all",
                at: pointer,
                suggestion: Suggestion.nearest(to: id, among: known)
            )
        }
        requirements.append(
            Requirement(
                .lints,
                last.comparisons.map(Self.listed),
                operators: last.operators,
                expected: last.expected
            )
        )
    }

    /// Converts a comparison with one id to a comparison with a list of ids.
    private static func listed(_ comparison: Comparison) -> Comparison {
        switch comparison {
        case .equals(let value): value.plainText.map { .contains($0) } ?? comparison
        // The list contains any of them, expressed as: not all of them are missing.
        case .among(let values): .not(values.map { .not([listed(.equals($0))]) })
        case .not(let comparisons): .not(comparisons.map(listed))
        default: comparison
        }
    }
}
