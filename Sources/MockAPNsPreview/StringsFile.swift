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

    private let text: [Unicode.Scalar]
    private var at = 0

    /// - Throws: `Failure` for a syntax error or a duplicate key.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> [String: String] {
        guard let text = decoded(bytes) else {
            throw Failure(line: 1, expected: "text in UTF-8, or in UTF-16 with a byte order mark")
        }
        var file = StringsFile(text: Array(text.unicodeScalars))
        var texts: [String: String] = [:]
        try file.skipSpace()
        while file.at < file.text.count {
            let start = file.at
            let key = try file.word("a key")
            try file.skipSpace()
            var value = key
            if file.take("=") {
                try file.skipSpace()
                value = try file.word("a text")
                try file.skipSpace()
            }
            guard file.take(";") else { throw file.failure("';' behind the text of \"\(key.prefix(64))\"") }
            guard texts.updateValue(value, forKey: key) == nil else {
                let expected = "every key once; \"\(key.prefix(64))\" comes twice"
                throw file.failure(expected, at: start)
            }
            try file.skipSpace()
        }
        return texts
    }

    private init(text: [Unicode.Scalar]) { self.text = text }

    private static func decoded(_ bytes: [UInt8]) -> String? {
        switch bytes.prefix(2) {
        case [0xff, 0xfe]: utf16(bytes) { UInt16($0) | UInt16($1) << 8 }
        case [0xfe, 0xff]: utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
        default:
            String(
                validating: bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...],
                as: UTF8.self
            )
        }
    }

    private static func utf16(_ bytes: [UInt8], _ unit: (UInt8, UInt8) -> UInt16) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 2, to: bytes.count, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        return String(validating: units, as: UTF16.self)
    }

    /// Lines are counted only here: counting them for every token would take quadratic time.
    private func failure(_ expected: String, at place: Int? = nil) -> Failure {
        Failure(line: 1 + text[..<(place ?? at)].count { $0 == "\n" }, expected: expected)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard at < text.count, text[at] == scalar else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() throws(Failure) {
        while at < text.count {
            if text[at].properties.isWhitespace {
                at += 1
            } else if text[at...].starts(with: ["/", "/"]) {
                while at < text.count, text[at] != "\n" { at += 1 }
            } else if text[at...].starts(with: ["/", "*"]) {
                let start = at
                at += 2
                while at < text.count, !text[at...].starts(with: ["*", "/"]) { at += 1 }
                guard at < text.count else {
                    throw failure("'*/' at the end of the comment that begins here", at: start)
                }
                at += 2
            } else {
                return
            }
        }
    }

    private mutating func word(_ what: String) throws(Failure) -> String {
        if take("\"") { return try quoted() }
        let start = at
        while at < text.count, Self.isPlain(text[at]) { at += 1 }
        guard at > start else { throw failure("\(what) in quotes") }
        return string(text[start..<at])
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            || "_$:.-".unicodeScalars.contains(scalar)
    }

    private mutating func quoted() throws(Failure) -> String {
        let start = at
        // UTF-16, because \U escapes are code units: a character beyond U+FFFF takes two of them.
        var units: [UInt16] = []
        while at < text.count {
            let scalar = text[at]
            at += 1
            switch scalar {
            case "\"": return String(decoding: units, as: UTF16.self)
            case "\\": units.append(contentsOf: try escaped())
            default: units.append(contentsOf: String(Character(scalar)).utf16)
            }
        }
        throw failure("'\"' at the end of the text that begins here", at: start)
    }

    private mutating func escaped() throws(Failure) -> [UInt16] {
        guard at < text.count else { throw failure("a character behind '\\'") }
        let scalar = text[at]
        at += 1
        switch scalar {
        case "U", "u":
            let digits = text[at...].prefix(4).prefix { $0.properties.isASCIIHexDigit }
            guard digits.count == 4, let unit = UInt16(string(digits), radix: 16) else {
                throw failure("four hexadecimal digits behind '\\\(scalar)'")
            }
            at += 4
            return [unit]
        case "0"..."7":
            let digits = text[(at - 1)...].prefix(3).prefix { ("0"..."7").contains($0) }
            at += digits.count - 1
            return [UInt16(string(digits), radix: 8) ?? 0]
        // Any other escaped character is itself.
        default: return Self.controls[scalar].map { [$0] } ?? Array(String(Character(scalar)).utf16)
        }
    }

    private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
