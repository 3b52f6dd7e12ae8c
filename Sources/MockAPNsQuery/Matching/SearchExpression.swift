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
            parts.map { part in if case .any = part { "(\(part.text))" } else { part.text } }.joined(
                separator: " "
            )
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
}
