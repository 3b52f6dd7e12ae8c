@testable import MockAPNsFormats
@testable import MockAPNsInspector

/// Regular expressions, which must find what a matcher that is slow and simple finds.
///
/// An input is an expression, a zero byte and a text.
enum PatternFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let expression = String(decoding: parts.first ?? [], as: UTF8.self)
        let text = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
        let pattern: BoundedPattern
        do throws(BoundedPattern.Failure) { pattern = try BoundedPattern(expression) } catch {
            let length = expression.unicodeScalars.count
            try require((0...length).contains(error.offset), "the offset \(error.offset) of \(length)")
            try require(!error.message.isEmpty, "an error that says nothing")
            return
        }
        let found = pattern.matches(text)
        var parser = PatternParser(expression)
        var reference = SimpleMatcher(text)
        guard let expected = try reference.finds(parser.parse()) else { return }
        try require(found == expected, "\(found) for '\(expression)' in '\(text)', and not \(expected)")
    }
}

/// Matches by sets of positions, straight from the parts of an expression.
private struct SimpleMatcher {
    private let scalars: [Unicode.Scalar]
    /// What is left to be done before the input is given up.
    private var steps = 50_000

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// Whether the expression fits some part of the text; `nil` when that takes too long to find out.
    mutating func finds(_ node: PatternNode) -> Bool? {
        ends(of: node, from: Set(0...scalars.count)).map { !$0.isEmpty }
    }

    /// Where a match may end that begins at one of these positions.
    private mutating func ends(of node: PatternNode, from starts: Set<Int>) -> Set<Int>? {
        steps -= 1 + starts.count
        guard steps > 0 else { return nil }
        switch node {
        case .character(let wanted):
            return Set(starts.filter { $0 < scalars.count && wanted.contains(scalars[$0]) }.map { $0 + 1 })
        case .atStart: return starts.intersection([0])
        case .atEnd: return starts.intersection([scalars.count])
        case .sequence(let nodes):
            var positions = starts
            for node in nodes {
                guard let next = ends(of: node, from: positions) else { return nil }
                positions = next
            }
            return positions
        case .choice(let nodes):
            var positions: Set<Int> = []
            for node in nodes {
                guard let next = ends(of: node, from: starts) else { return nil }
                positions.formUnion(next)
            }
            return positions
        case .repetition(let node, let least, let most):
            var positions = starts
            for _ in 0..<least {
                guard let next = ends(of: node, from: positions) else { return nil }
                positions = next
            }
            var all = positions
            for _ in 0..<(most.map { $0 - least } ?? scalars.count + 1) where !positions.isEmpty {
                guard let next = ends(of: node, from: positions) else { return nil }
                positions = next
                all.formUnion(next)
            }
            return all
        }
    }
}
