internal import MockAPNsFormats

extension MatcherReader {
    /// Reads which lints have to find something: an id, or operators on the list of all that do.
    ///
    /// Of a list, `equals` an id would hold for nothing; what is meant is that the id is in it.
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

    /// The comparison with one id, as one with a list of them.
    private static func listed(_ comparison: Comparison) -> Comparison {
        switch comparison {
        case .equals(let value): value.plainText.map { .contains($0) } ?? comparison
        // Any of them: not that each of them is missing.
        case .among(let values): .not(values.map { .not([listed(.equals($0))]) })
        case .not(let comparisons): .not(comparisons.map(listed))
        default: comparison
        }
    }
}
