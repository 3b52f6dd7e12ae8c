package import MockAPNsRules

/// A parsed search.
package indirect enum SearchExpression: Sendable {
    case term(SearchTerm, Condition)
    case not(SearchExpression)
    case all([SearchExpression])
    case any([SearchExpression])

    /// Combines parts that must all match, without nesting.
    static func all(of parts: [SearchExpression]) -> SearchExpression {
        let parts = parts.flatMap { part in if case .all(let inner) = part { inner } else { [part] } }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Combines parts of which one must match, without nesting.
    static func any(of parts: [SearchExpression]) -> SearchExpression {
        let parts = parts.flatMap { part in if case .any(let inner) = part { inner } else { [part] } }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    package var condition: Condition {
        switch self {
        case .term(_, let condition): condition
        case .not(let part): .not(part.condition)
        case .all(let parts): .all(parts.map(\.condition))
        case .any(let parts): .any(parts.map(\.condition))
        }
    }

    /// The search in its shortest spelling, which has the same condition.
    package var text: String {
        switch self {
        case .term(let term, _): term.text
        case .not(.term(let term, _)): "!" + term.text
        case .not(let part): "NOT (\(part.text))"
        case .all(let parts):
            parts.map { part in if case .any = part { "(\(part.text))" } else { part.text } }.joined(separator: " ")
        case .any(let parts): parts.map(\.text).joined(separator: " OR ")
        }
    }

    /// The terms in the order of the search.
    package var terms: [SearchTerm] {
        switch self {
        case .term(let term, _): [term]
        case .not(let part): part.terms
        case .all(let parts), .any(let parts): parts.flatMap(\.terms)
        }
    }

    /// Returns the search with another term at this position of `terms`, or without it.
    ///
    /// Returns `nil` if nothing is left, or if the term is invalid.
    package func replacing(_ position: Int, by term: SearchTerm?, now: Timestamp) -> SearchExpression? {
        var position = position
        guard let term else { return replacing(&position, by: nil) }
        guard let condition = try? term.condition(now: now) else { return nil }
        return replacing(&position, by: .term(term, condition))
    }

    private func replacing(_ position: inout Int, by new: SearchExpression?) -> SearchExpression? {
        func replaced(_ parts: [SearchExpression]) -> [SearchExpression] {
            parts.compactMap { $0.replacing(&position, by: new) }
        }
        switch self {
        case .term:
            defer { position -= 1 }
            return position == 0 ? new : self
        case .not(let part): return part.replacing(&position, by: new).map { .not($0) }
        case .all(let parts):
            let parts = replaced(parts)
            return parts.isEmpty ? nil : .all(of: parts)
        case .any(let parts):
            let parts = replaced(parts)
            return parts.isEmpty ? nil : .any(of: parts)
        }
    }
}
