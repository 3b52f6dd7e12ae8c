/// A parser for Xcode's `.strings` files: `"KEY" = "text";`, with comments.
///
/// Documented: https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/LoadingResources/Strings/Strings.html
/// (quotes, escapes, comments, UTF-8 and UTF-16). As in old-style property lists, a key can be unquoted and can have no
/// text, in which case the text is the key itself.
package struct StringsFile {
    package struct Failure: Error, Equatable {
        /// The line number, starting at 1.
        package let line: Int
        package let expected: String
    }

    private static let controls: [Unicode.Scalar: UInt16] = [
        "a": 0x07, "b": 0x08, "t": 0x09, "n": 0x0a, "v": 0x0b, "f": 0x0c, "r": 0x0d,
    ]

    private let text: Substring.UnicodeScalarView
    private var rest: Substring.UnicodeScalarView

    /// - Throws: `Failure` for a syntax error or a duplicate key.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> [String: String] {
        guard let text = decoded(bytes).map({ Substring($0).unicodeScalars }) else {
            throw Failure(line: 1, expected: "text in UTF-8, or in UTF-16 with a byte order mark")
        }
        var file = StringsFile(text: text, rest: text)
        var texts: [String: String] = [:]
        try file.skipSpace()
        while !file.rest.isEmpty {
            let start = file.rest
            let key = try file.word("a key")
            let value = try file.take("=") ? try file.word("a text") : key
            guard try file.take(";") else { throw file.failure("';' behind the text of \"\(key.prefix(64))\"") }
            guard texts.updateValue(value, forKey: key) == nil else {
                let expected = "every key once; \"\(key.prefix(64))\" comes twice"
                throw file.failure(expected, at: start)
            }
            try file.skipSpace()
        }
        return texts
    }

    private static func decoded(_ bytes: [UInt8]) -> String? {
        switch bytes.prefix(2) {
        case [0xff, 0xfe]: utf16(bytes) { UInt16($0) | UInt16($1) << 8 }
        case [0xfe, 0xff]: utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
        default: String(validating: bytes.trimmingPrefix([0xef, 0xbb, 0xbf]), as: UTF8.self)
        }
    }

    private static func utf16(_ bytes: [UInt8], _ unit: (UInt8, UInt8) -> UInt16) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 2, to: bytes.count, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        return String(validating: units, as: UTF16.self)
    }

    /// Lines are counted only here: counting them for every token would take quadratic time.
    private func failure(_ expected: String, at place: Substring.UnicodeScalarView? = nil) -> Failure {
        let lines = text[..<(place ?? rest).startIndex].count { $0 == "\n" }
        return Failure(line: 1 + lines, expected: expected)
    }

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
        guard let scalar = rest.popFirst() else { throw failure("a character behind '\\'") }
        switch scalar {
        case "U", "u":
            let digits = rest.prefix(4).prefix { $0.properties.isASCIIHexDigit }
            guard digits.count == 4, let unit = UInt16(String(digits), radix: 16) else {
                throw failure("four hexadecimal digits behind '\\\(scalar)'")
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
