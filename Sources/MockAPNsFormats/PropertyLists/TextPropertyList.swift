/// A parser for property lists as text, which `.strings` files are: `"KEY" = "text";`, with comments.
///
/// Documented: https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/LoadingResources/Strings/Strings.html
/// (quotes, escapes, comments, UTF-8 and UTF-16). The braces around the whole can be left out, a key can be unquoted, and
/// a key without a text has itself as its text.
struct TextPropertyList {
    typealias Failure = PropertyList.Failure

    private static let controls: [Unicode.Scalar: UInt16] = [
        "a": 0x07, "b": 0x08, "t": 0x09, "n": 0x0a, "v": 0x0b, "f": 0x0c, "r": 0x0d,
    ]

    private let text: Substring.UnicodeScalarView
    private var rest: Substring.UnicodeScalarView
    private var count = 0

    /// - Throws: `Failure` for a syntax error, a repeated key, or more than the limits.
    static func read(_ text: String) throws(Failure) -> PropertyList {
        let scalars = Substring(text).unicodeScalars
        var file = TextPropertyList(text: scalars, rest: scalars)
        let isBraced = try file.take("{")
        let members = try file.members(end: isBraced ? "}" : nil, depth: 1)
        try file.skipSpace()
        guard file.rest.isEmpty else { throw file.failure("nothing after the closing '}'") }
        return .dictionary(members)
    }

    /// Lines are counted only here: counting them for every token would take quadratic time.
    private func failure(_ expected: String, at place: Substring.UnicodeScalarView? = nil) -> Failure {
        let lines = text[..<(place ?? rest).startIndex].count { $0 == "\n" }
        return Failure(.line(1 + lines), expected)
    }

    // MARK: Values

    private mutating func members(end: Unicode.Scalar?, depth: Int) throws(Failure) -> [String: PropertyList] {
        guard depth <= PropertyList.deepest else { throw failure("at most \(PropertyList.deepest) levels") }
        var members: [String: PropertyList] = [:]
        while true {
            try skipSpace()
            if let end, try take(end) { return members }
            if rest.isEmpty, end == nil { return members }
            let start = rest
            let key = try word("a key")
            let value = try take("=") ? try value(depth: depth) : .string(key)
            guard try take(";") else { throw failure("';' after the text of \"\(key.prefix(64))\"") }
            guard members.updateValue(value, forKey: key) == nil else {
                throw failure("every key once; \"\(key.prefix(64))\" comes twice", at: start)
            }
            try countValue()
        }
    }

    private mutating func value(depth: Int) throws(Failure) -> PropertyList {
        if try take("{") { return .dictionary(try members(end: "}", depth: depth + 1)) }
        if try take("(") { return .array(try entries(depth: depth + 1)) }
        guard try take("<") else { return .string(try word("a text")) }
        let start = rest
        rest = rest.drop { $0.properties.isASCIIHexDigit || $0.properties.isWhitespace }
        guard rest.popFirst() == ">" else { throw failure("hexadecimal digits and '>'", at: start) }
        return .data
    }

    private mutating func entries(depth: Int) throws(Failure) -> [PropertyList] {
        guard depth <= PropertyList.deepest else { throw failure("at most \(PropertyList.deepest) levels") }
        var entries: [PropertyList] = []
        while try !take(")") {
            entries.append(try value(depth: depth))
            try countValue()
            if try !take(",") {
                guard try take(")") else { throw failure("',' or ')' after an entry") }
                break
            }
        }
        return entries
    }

    private mutating func countValue() throws(Failure) {
        count += 1
        guard count <= PropertyList.mostValues else { throw failure("at most \(PropertyList.mostValues) values") }
    }

    // MARK: Words

    private mutating func take(_ scalar: Unicode.Scalar) throws(Failure) -> Bool {
        try skipSpace()
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() throws(Failure) {
        while let scalar = rest.first {
            if scalar.properties.isWhitespace {
                rest.removeFirst()
            } else if rest.starts(with: "//".unicodeScalars) {
                rest = rest.drop { $0 != "\n" }
            } else if rest.starts(with: "/*".unicodeScalars) {
                guard let end = rest.dropFirst(2).firstRange(of: "*/".unicodeScalars)?.upperBound else {
                    throw failure("'*/' at the end of the comment that begins here")
                }
                rest = rest[end...]
            } else {
                return
            }
        }
    }

    private mutating func word(_ what: String) throws(Failure) -> String {
        if try take("\"") { return try quoted() }
        let word = rest.prefix(while: Self.isPlain)
        guard !word.isEmpty else { throw failure("\(what) in quotes") }
        rest = rest[word.endIndex...]
        return String(word)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            || "_$:.-".unicodeScalars.contains(scalar)
    }

    private mutating func quoted() throws(Failure) -> String {
        let start = rest
        // UTF-16, because \U escapes are code units: a character beyond U+FFFF takes two of them.
        var units: [UInt16] = []
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(decoding: units, as: UTF16.self)
            case "\\": units += try escaped()
            default: units += scalar.utf16
            }
        }
        throw failure("'\"' at the end of the text that begins here", at: start)
    }

    private mutating func escaped() throws(Failure) -> [UInt16] {
        guard let scalar = rest.popFirst() else { throw failure("a character after '\\'") }
        switch scalar {
        case "U", "u":
            let digits = rest.prefix(4).prefix { $0.properties.isASCIIHexDigit }
            guard digits.count == 4, let unit = UInt16(String(digits), radix: 16) else {
                throw failure("four hexadecimal digits after '\\\(scalar)'")
            }
            rest.removeFirst(4)
            return [unit]
        case "0"..."7":
            let digits = rest.prefix(2).prefix { ("0"..."7").contains($0) }
            rest.removeFirst(digits.count)
            return [UInt16(String(scalar) + String(digits), radix: 8) ?? 0]
        // Any other escaped character is itself.
        default: return Self.controls[scalar].map { [$0] } ?? Array(scalar.utf16)
        }
    }
}
