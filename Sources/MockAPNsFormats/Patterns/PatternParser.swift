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

    static let anyButNewline = CharacterClass(ranges: ["\n"..."\n"], isInverted: true)

    /// The only character in the class, or `nil` if there are several.
    var onlyScalar: Unicode.Scalar? {
        ranges.count == 1 && ranges[0].lowerBound == ranges[0].upperBound ? ranges[0].lowerBound : nil
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        for range in ranges where range.contains(scalar) { return !isInverted }
        return isInverted
    }
}

extension CharacterClass {
    /// Creates the class for an escape such as `\d`; `nil` if the letter has no meaning.
    init?(escape: Unicode.Scalar) {
        switch escape {
        case "d", "D": ranges = ["0"..."9"]
        case "w", "W": ranges = ["0"..."9", "A"..."Z", "_"..."_", "a"..."z"]
        case "s", "S": ranges = ["\t"..."\r", " "..." "]
        case "n": ranges = ["\n"..."\n"]
        case "t": ranges = ["\t"..."\t"]
        case "r": ranges = ["\r"..."\r"]
        default: return nil
        }
        isInverted = ("A"..."Z").contains(escape)
    }
}

/// Parses a regular expression.
struct PatternParser {
    typealias Failure = BoundedPattern.Failure

    /// The nesting limit for groups, which prevents expressions from exhausting the stack.
    private static let deepest = 50
    /// The largest repetition count in braces.
    private static let mostRepetitions = 1_000

    private var rest: ArraySlice<Unicode.Scalar>
    private var depth = 0

    init(_ text: String) { rest = Array(text.unicodeScalars)[...] }

    mutating func parse() throws(Failure) -> PatternNode {
        guard rest.count <= BoundedPattern.longestText else {
            throw Failure(offset: 0, message: "it is longer than \(BoundedPattern.longestText) characters")
        }
        let node = try choice()
        guard rest.isEmpty else { throw failure("')' closes no group") }
        return node
    }

    private mutating func choice() throws(Failure) -> PatternNode {
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(Failure) -> PatternNode {
        var nodes: [PatternNode] = []
        while let next = rest.first, next != "|", next != ")" {
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

    private mutating func atom() throws(Failure) -> PatternNode {
        let character = rest.removeFirst()
        switch character {
        case ".": return .character(.anyButNewline)
        case "^": return .atStart
        case "$": return .atEnd
        case "[": return .character(try characterClass())
        case "(":
            depth += 1
            guard depth <= Self.deepest else { throw failure("groups are nested too deeply") }
            if take("?"), !take(":") { throw failure("the only group that may begin with (? is (?:") }
            let node = try choice()
            guard take(")") else { throw failure("a group is not closed") }
            depth -= 1
            return node
        case "*", "+", "?", "{":
            let message = "'\(character)' has nothing to repeat; write \\\(character) for the character itself"
            throw Failure(offset: rest.startIndex - 1, message: message)
        default: return .character(try literal(character))
        }
    }

    private mutating func repetition() throws(Failure) -> (least: Int, most: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard take("{") else { return nil }
        let least = try number()
        let most = take(",") ? (rest.first == "}" ? nil : try number()) : least
        guard take("}") else { throw failure("'}' is expected") }
        guard most ?? least >= least else { throw failure("the larger number comes second") }
        return (least, most)
    }

    private mutating func number() throws(Failure) -> Int {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest.removeFirst(digits.count)
        guard let number = Int(String(String.UnicodeScalarView(digits))), number <= Self.mostRepetitions else {
            throw failure("a number from 0 to \(Self.mostRepetitions) is expected")
        }
        return number
    }

    private mutating func characterClass() throws(Failure) -> CharacterClass {
        var result = CharacterClass(isInverted: take("^"))
        var isFirst = true
        while let first = rest.first, first != "]" || isFirst {
            isFirst = false
            let member = try literal(rest.removeFirst())
            guard let low = member.onlyScalar else {
                guard !member.isInverted else { throw failure("\\D, \\W and \\S cannot be used inside [ ]") }
                result.ranges += member.ranges
                continue
            }
            guard rest.first == "-", let end = rest.dropFirst().first, end != "]" else {
                result.ranges.append(low...low)
                continue
            }
            rest.removeFirst()
            guard let high = try literal(rest.removeFirst()).onlyScalar else {
                throw failure("a range ends with one character")
            }
            guard low <= high else { throw failure("the larger character comes second in a range") }
            result.ranges.append(low...high)
        }
        guard take("]") else { throw failure("']' is expected") }
        return result
    }

    /// Returns what a character that was just read stands for, including the escape that it begins.
    private mutating func literal(_ character: Unicode.Scalar) throws(Failure) -> CharacterClass {
        guard character == "\\" else { return CharacterClass(ranges: [character...character]) }
        guard let escaped = rest.first else { throw failure("a backslash ends the expression") }
        if let known = CharacterClass(escape: escaped) {
            rest.removeFirst()
            return known
        }
        guard !escaped.properties.isAlphabetic, !("0"..."9").contains(escaped) else {
            throw failure("'\\\(escaped)' is not known; there are \\d \\w \\s \\D \\W \\S \\n \\t \\r")
        }
        rest.removeFirst()
        return CharacterClass(ranges: [escaped...escaped])
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private func failure(_ message: String) -> Failure { Failure(offset: rest.startIndex, message: message) }
}
