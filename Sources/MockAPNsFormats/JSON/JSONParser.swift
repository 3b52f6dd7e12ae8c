/// Parses JSON (RFC 8259) from untrusted input.
///
/// Foundation's decoder rounds numbers and can take milliseconds for a malicious payload, which adds up to a minute
/// on a page of 1,000 pushes. This parser keeps every digit and takes linear time.
public struct JSONParser {
    /// The default nesting limit, which prevents input from exhausting the stack.
    public static let maximumDepth = 128

    /// How to handle a repeated name in an object.
    public enum RepeatedNames {
        /// The last one wins, as in most parsers. For payloads, which APNs does not inspect.
        case lastWins
        /// Repeated names are an error. For API requests, where no input may be ignored.
        case refused
    }

    /// The position of a syntax error.
    public struct Failure: Error, Equatable {
        /// The number of valid bytes before the error.
        public let offset: Int
        /// What was expected at the offset, for error messages.
        public let expected: String
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let maximumDepth: Int
    private var repeatedNames = RepeatedNames.lastWins
    /// Whether to build a value.
    ///
    /// If not, the text is only validated and returned values are meaningless.
    private var makesValue = true
    private var at = 0
    private var expected: String?

    /// Returns whether the bytes are one JSON value of any kind, without building it.
    public static func isValid(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = maximumDepth) -> Bool {
        var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth, makesValue: false)
        return parser.whole() != nil
    }

    /// Parses the bytes.
    ///
    /// Returns `nil` if they are not one JSON value or are nested too deeply.
    public static func value(of bytes: [UInt8], maximumDepth: Int = maximumDepth) -> JSONValue? {
        try? parse(bytes, repeatedNames: .lastWins, maximumDepth: maximumDepth)
    }

    /// Parses the bytes.
    ///
    /// - Throws: `Failure` if they are not one JSON value or are nested too deeply.
    public static func parse(
        _ bytes: [UInt8], repeatedNames: RepeatedNames, maximumDepth: Int = maximumDepth
    ) throws(Failure) -> JSONValue {
        try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth, repeatedNames: repeatedNames)
            if let value = parser.whole() { return value }
            throw Failure(offset: parser.at, expected: parser.expected ?? "a JSON value")
        }
    }

    /// Returns the members of an object or the entries of an array as they are written, entries without a name.
    ///
    /// For valid text whose notation matters, such as the order of the members.
    public static func parts(of text: ArraySlice<UInt8>) -> [(name: String, text: ArraySlice<UInt8>)] {
        text.withUnsafeBufferPointer { bytes in
            var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
            return parser.parts().map { name, range in
                (name, text[text.startIndex + range.lowerBound..<text.startIndex + range.upperBound])
            }
        }
    }

    private mutating func parts() -> [(name: String, range: Range<Int>)] {
        var parts: [(name: String, range: Range<Int>)] = []
        skipSpace()
        let isObject = take(UInt8(ascii: "{"))
        guard isObject || take(UInt8(ascii: "[")) else { return [] }
        while true {
            skipSpace()
            var name = ""
            if isObject {
                guard at < bytes.count, let found = string() else { return parts }
                name = found
                skipSpace()
                guard take(UInt8(ascii: ":")) else { return parts }
                skipSpace()
            }
            let start = at
            guard value(depth: 1) != nil else { return parts }
            parts.append((name, start..<at))
            skipSpace()
            guard take(UInt8(ascii: ",")) else { return parts }
        }
    }

    /// Reads one value and requires the end of the text after it.
    private mutating func whole() -> JSONValue? {
        guard let value = value(depth: 0) else { return nil }
        skipSpace()
        return at == bytes.count ? value : fail("the end")
    }

    private mutating func value(depth: Int) -> JSONValue? {
        skipSpace()
        guard at < bytes.count else { return nil }
        guard depth < maximumDepth else { return fail("less nesting: \(maximumDepth) levels are the most") }
        switch bytes[at] {
        case UInt8(ascii: "{"): return object(depth: depth + 1)
        case UInt8(ascii: "["): return array(depth: depth + 1)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        at += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            let start = at
            guard let name = string() else { return nil }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { return fail("':'") }
            guard let value = value(depth: depth) else { return nil }
            if makesValue, members.updateValue(value, forKey: name) != nil, repeatedNames == .refused {
                return fail("every name once in an object; '\(name.prefix(64))' comes twice", at: start)
            }
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { return fail("',' or '}'") }
        }
    }

    private mutating func array(depth: Int) -> JSONValue? {
        at += 1
        var values: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(values) }
        while true {
            guard let value = value(depth: depth) else { return nil }
            if makesValue { values.append(value) }
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { return fail("',' or ']'") }
        }
    }

    private mutating func string() -> String? {
        guard take(UInt8(ascii: "\"")) else { return fail("'\"'") }
        let start = at
        while true {
            at = PlainText.end(in: bytes, from: at)
            guard at < bytes.count else { return fail("'\"'") }
            switch bytes[at] {
            case UInt8(ascii: "\""):
                let text = UnsafeBufferPointer(rebasing: bytes[start..<at])
                at += 1
                guard text.reduce(0, |) < 0x80 else { return validated(text, from: start) }
                return makesValue ? Self.text(ascii: text) : ""
            case UInt8(ascii: "\\"): return stringWithEscapes(from: start)
            case 0..<0x20: return fail("no control character in a string")
            default: at += 1
            }
        }
    }

    /// The slow path, for strings with escapes.
    private mutating func stringWithEscapes(from start: Int) -> String? {
        var text = Array(bytes[start..<at])
        while at < bytes.count {
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return text.withUnsafeBufferPointer { validated($0, from: start) }
            case UInt8(ascii: "\\"):
                let escape = at
                at += 1
                guard let scalar = escapedScalar() else {
                    return fail(#"\", \\, \/, \b, \f, \n, \r, \t, or \u with four digits"#, at: escape)
                }
                text += String(Character(scalar)).utf8
            case 0..<0x20: return fail("no control character in a string")
            default:
                text.append(byte)
                at += 1
            }
        }
        return fail("'\"'")
    }

    private static func text(ascii bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { $0.initialize(fromContentsOf: bytes) }
    }

    private mutating func validated(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> String? {
        String(validating: bytes, as: UTF8.self) ?? fail("UTF-8", at: start)
    }

    /// Parses the part of an escape after the backslash.
    private mutating func escapedScalar() -> Unicode.Scalar? {
        guard at < bytes.count else { return nil }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: return nil
        }
        guard let unit = codeUnit() else { return nil }
        // A lone surrogate is legal in JSON but not in Unicode text. It becomes U+FFFD.
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) ?? "\u{fffd}" }
        let resume = at
        guard take("\\u"), let trail = codeUnit(), UTF16.isTrailSurrogate(trail) else {
            at = resume
            return "\u{fffd}"
        }
        return Unicode.Scalar(0x1_0000 + (UInt32(unit) - 0xd800) << 10 + (UInt32(trail) - 0xdc00))
    }

    private mutating func codeUnit() -> UInt16? {
        guard at + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = HexDigit.value(bytes[at]) else { return nil }
            unit = unit << 4 | UInt16(digit)
            at += 1
        }
        return unit
    }

    private mutating func number() -> JSONValue? {
        let start = at
        _ = take(UInt8(ascii: "-"))
        let whole = at
        guard digits() else { return at == start ? nil : fail("a digit") }
        if bytes[whole] == UInt8(ascii: "0"), at - whole > 1 { return fail("no leading 0", at: whole) }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            guard digits() else { return fail("a digit") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() else { return fail("a digit") }
        }
        guard makesValue else { return .null }
        let text = Self.text(ascii: UnsafeBufferPointer(rebasing: bytes[start..<at]))
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        if isWhole, let integer = UInt64(text) { return .unsigned(integer) }
        // Legal, but too large for many parsers: written as a number, it would make them reject the whole response.
        guard let value = Double(text), value.isFinite else { return .string(text) }
        return .literal(text)
    }

    private mutating func digits() -> Bool {
        let start = at
        while at < bytes.count, bytes[at] &- 0x30 < 10 { at += 1 }
        return at > start
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard at + length <= bytes.count else { return false }
        for offset in 0..<length where bytes[at + offset] != word.utf8Start[offset] { return false }
        at += length
        return true
    }

    private mutating func skipSpace() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x09, 0x0a, 0x0d: at += 1
            default: return
            }
        }
    }

    /// Records what was expected at `place`, or at the current position.
    private mutating func fail<Value>(_ expected: String, at place: Int? = nil) -> Value? {
        self.expected = expected
        if let place { at = place }
        return nil
    }
}
