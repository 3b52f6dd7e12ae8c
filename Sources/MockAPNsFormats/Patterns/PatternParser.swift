/// The parts of a regular expression.
indirect enum PatternNode {
    case character(CharacterClass)
    case atStart
    case atEnd
    case sequence([PatternNode])
    case choice([PatternNode])
    /// Repeats at least `least` times and at most `most` times, or without limit if `most` is `nil`.
    case repetition(PatternNode, least: Int, most: Int?)
}

/// The set of characters that match at one position.
struct CharacterClass: Equatable, Sendable {
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var isInverted = false

    static let any = CharacterClass(ranges: ["\n"..."\n"], isInverted: true)
    static let digit = CharacterClass(ranges: ["0"..."9"])
    static let word = CharacterClass(ranges: ["0"..."9", "A"..."Z", "_"..."_", "a"..."z"])
    static let space = CharacterClass(ranges: ["\t"..."\r", " "..." "])

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        for range in ranges where range.contains(scalar) { return !isInverted }
        return isInverted
    }
}

/// Parses a regular expression.
struct PatternParser {
    private typealias Failure = BoundedPattern.Failure

    /// The nesting limit for groups, which prevents expressions from exhausting the stack.
    private static let deepest = 50
    /// The largest repetition count in braces.
    private static let mostRepetitions = 1_000

    private let scalars: [Unicode.Scalar]
    private var at = 0
    private var depth = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func parse() throws(BoundedPattern.Failure) -> PatternNode {
        guard scalars.count <= BoundedPattern.longestText else {
            throw Failure(offset: 0, message: "it is longer than \(BoundedPattern.longestText) characters")
        }
        let node = try choice()
        guard at == scalars.count else { throw failure("')' closes no group") }
        return node
    }

    private mutating func choice() throws(BoundedPattern.Failure) -> PatternNode {
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(BoundedPattern.Failure) -> PatternNode {
        var nodes: [PatternNode] = []
        while let next, next != "|", next != ")" {
            var node = try atom()
            while let count = try repetition() {
                node = .repetition(node, least: count.least, most: count.most)
                // Lazy and greedy matching give the same result here.
                _ = take("?")
            }
            nodes.append(node)
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func atom() throws(BoundedPattern.Failure) -> PatternNode {
        let character = scalars[at]
        at += 1
        switch character {
        case ".": return .character(.any)
        case "^": return .atStart
        case "$": return .atEnd
        case "[": return .character(try characterClass())
        case "\\": return .character(try escape())
        case "(":
            depth += 1
            guard depth <= Self.deepest else { throw failure("groups stand too deep in each other") }
            if take("?"), !take(":") { throw failure("only (?: is known of the groups that begin with (?") }
            let node = try choice()
            guard take(")") else { throw failure("a group is not closed") }
            depth -= 1
            return node
        case "*", "+", "?", "{":
            at -= 1
            throw failure("'\(character)' repeats nothing; a backslash in front makes it a character")
        default: return .character(CharacterClass(ranges: [character...character]))
        }
    }

    private mutating func repetition() throws(BoundedPattern.Failure) -> (least: Int, most: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard take("{") else { return nil }
        let least = try number()
        let most = take(",") ? (next == "}" ? nil : try number()) : least
        guard take("}") else { throw failure("'}' is expected") }
        guard most ?? least >= least else { throw failure("the larger number comes second") }
        return (least, most)
    }

    private mutating func number() throws(BoundedPattern.Failure) -> Int {
        var digits = ""
        while let next, ("0"..."9").contains(next) {
            digits.unicodeScalars.append(next)
            at += 1
        }
        guard let number = Int(digits), number <= Self.mostRepetitions else {
            throw failure("a number from 0 to \(Self.mostRepetitions) is expected")
        }
        return number
    }

    private mutating func characterClass() throws(BoundedPattern.Failure) -> CharacterClass {
        var result = CharacterClass(isInverted: take("^"))
        var isFirst = true
        while let first = next, first != "]" || isFirst {
            isFirst = false
            at += 1
            var low = first
            if first == "\\" {
                let escaped = try escape()
                guard escaped.ranges.count == 1, escaped.ranges[0].lowerBound == escaped.ranges[0].upperBound
                else {
                    guard !escaped.isInverted else { throw failure("\\D, \\W and \\S stand outside of [ ]") }
                    result.ranges += escaped.ranges
                    continue
                }
                low = escaped.ranges[0].lowerBound
            }
            guard next == "-", at + 1 < scalars.count, scalars[at + 1] != "]" else {
                result.ranges.append(low...low)
                continue
            }
            at += 1
            var high = scalars[at]
            at += 1
            if high == "\\" {
                let escaped = try escape()
                guard let only = escaped.ranges.first, only.lowerBound == only.upperBound else {
                    throw failure("a range ends with one character")
                }
                high = only.lowerBound
            }
            guard low <= high else { throw failure("the larger character comes second in a range") }
            result.ranges.append(low...high)
        }
        guard take("]") else { throw failure("']' is expected") }
        return result
    }

    private mutating func escape() throws(BoundedPattern.Failure) -> CharacterClass {
        guard let character = next else { throw failure("a backslash ends the expression") }
        at += 1
        var result: CharacterClass
        switch character {
        case "d", "D": result = .digit
        case "w", "W": result = .word
        case "s", "S": result = .space
        case "n": return CharacterClass(ranges: ["\n"..."\n"])
        case "t": return CharacterClass(ranges: ["\t"..."\t"])
        case "r": return CharacterClass(ranges: ["\r"..."\r"])
        default:
            guard !character.properties.isAlphabetic, !("0"..."9").contains(character) else {
                at -= 1
                throw failure("'\\\(character)' is not known; there are \\d \\w \\s \\D \\W \\S \\n \\t \\r")
            }
            return CharacterClass(ranges: [character...character])
        }
        result.isInverted = ("A"..."Z").contains(character)
        return result
    }

    private var next: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        at += 1
        return true
    }

    private func failure(_ message: String) -> BoundedPattern.Failure {
        BoundedPattern.Failure(offset: at, message: message)
    }
}
