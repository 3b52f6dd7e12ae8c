internal import MockAPNsRules

/// Reads JSON text (RFC 8259) that anybody may have sent.
///
/// Written here because Foundation's decoder rounds numbers, and takes milliseconds for a payload made to be
/// slow, which on a page of a thousand pushes is a minute. This one is linear in its input.
struct JSONParser {
    /// Nesting beyond this is refused, so that no input can exhaust the stack.
    static let maximumDepth = 128

    private let bytes: [UInt8]
    private var at = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value that the bytes stand for; `nil` when they are not one JSON value, or nested too deep.
    ///
    /// The last of equal names in an object wins.
    static func value(of bytes: [UInt8]) -> JSONValue? {
        var parser = JSONParser(bytes)
        guard let value = parser.value(depth: 0) else { return nil }
        parser.skipSpace()
        return parser.at == bytes.count ? value : nil
    }

    private mutating func value(depth: Int) -> JSONValue? {
        skipSpace()
        guard at < bytes.count, depth < Self.maximumDepth else { return nil }
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
        if take("}") { return .object(members) }
        while true {
            skipSpace()
            guard let name = string() else { return nil }
            skipSpace()
            guard take(":"), let value = value(depth: depth) else { return nil }
            members[name] = value
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { return nil }
        }
    }

    private mutating func array(depth: Int) -> JSONValue? {
        at += 1
        var values: [JSONValue] = []
        skipSpace()
        if take("]") { return .array(values) }
        while true {
            guard let value = value(depth: depth) else { return nil }
            values.append(value)
            skipSpace()
            if take("]") { return .array(values) }
            guard take(",") else { return nil }
        }
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escapedScalar() else { return nil }
                text += String(Character(scalar)).utf8
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    /// What follows a backslash.
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
        // A lone surrogate is legal JSON and no legal text: it becomes U+FFFD.
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
        _ = take("-")
        let whole = at
        guard digits() else { return nil }
        if bytes[whole] == UInt8(ascii: "0"), at - whole > 1 { return nil }
        var isWhole = true
        if take(".") {
            isWhole = false
            guard digits() else { return nil }
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            guard digits() else { return nil }
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        if isWhole, let integer = UInt64(text) { return .unsigned(integer) }
        // Legal, but beyond what many readers can hold: as a number it would make them refuse the whole answer.
        guard let value = Double(text), value.isFinite else { return .string(text) }
        return .literal(text)
    }

    private mutating func digits() -> Bool {
        let start = at
        while at < bytes.count, bytes[at] &- 0x30 < 10 { at += 1 }
        return at > start
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
}
