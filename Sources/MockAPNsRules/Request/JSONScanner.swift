internal import MockAPNsFormats

/// Reads JSON text in place (RFC 8259): checks it, and finds the members of its outermost object.
///
/// The rules need four short strings of a provider token, and strict mode needs a yes or no; both without
/// Foundation, which this layer does not know.
struct JSONScanner {
    /// Nesting beyond this is refused, so that no input can exhaust the stack.
    static let maximumDepth = 512

    /// A member's value.
    enum Value: Equatable {
        case string(String)
        case number(Double)
        case other
    }

    private let text: ByteSpan
    private var at = 0

    private init(_ text: ByteSpan) { self.text = text }

    /// Whether the text is one JSON value of any kind.
    static func isValid(_ text: ByteSpan) -> Bool {
        var scanner = JSONScanner(text)
        guard scanner.value(depth: 0) != nil else { return false }
        scanner.skipSpace()
        return scanner.at == text.count
    }

    /// The members of an object; `nil` when the text is not one JSON object.
    ///
    /// The last of equal names wins.
    static func members(of text: ByteSpan) -> [String: Value]? {
        var scanner = JSONScanner(text)
        var members: [String: Value] = [:]
        guard scanner.object(depth: 1, { members[$0] = $1 }) else { return nil }
        scanner.skipSpace()
        return scanner.at == text.count ? members : nil
    }

    private mutating func value(depth: Int) -> Value? {
        guard depth < Self.maximumDepth else { return nil }
        skipSpace()
        guard at < text.count else { return nil }
        switch text[at] {
        case UInt8(ascii: "{"): return object(depth: depth + 1) { _, _ in } ? .other : nil
        case UInt8(ascii: "["): return array(depth: depth + 1) ? .other : nil
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return word("true") ? .other : nil
        case UInt8(ascii: "f"): return word("false") ? .other : nil
        case UInt8(ascii: "n"): return word("null") ? .other : nil
        default: return number().map { .number($0) }
        }
    }

    private mutating func object(depth: Int, _ member: (String, Value) -> Void) -> Bool {
        guard take("{") else { return false }
        if take("}") { return true }
        repeat {
            skipSpace()
            guard at < text.count, text[at] == UInt8(ascii: "\""), let name = string(), take(":"),
                let value = value(depth: depth)
            else { return false }
            member(name, value)
        } while take(",")
        return take("}")
    }

    private mutating func array(depth: Int) -> Bool {
        guard take("[") else { return false }
        if take("]") { return true }
        repeat {
            guard value(depth: depth) != nil else { return false }
        } while take(",")
        return take("]")
    }

    /// A string, from its opening quotation mark on.
    private mutating func string() -> String? {
        at += 1
        var characters: [UInt8] = []
        while at < text.count {
            let byte = text[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(validating: characters, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                characters += escaped
            case 0..<0x20: return nil
            default: characters.append(byte)
            }
        }
        return nil
    }

    /// What follows a backslash, as UTF-8.
    private mutating func escape() -> [UInt8]? {
        guard at < text.count else { return nil }
        let byte = text[at]
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return unicodeEscape()
        default: return nil
        }
    }

    private mutating func unicodeEscape() -> [UInt8]? {
        guard let first = codeUnit() else { return nil }
        var units = [first]
        if UTF16.isLeadSurrogate(first), at + 1 < text.count, text[at] == UInt8(ascii: "\\"),
            text[at + 1] == UInt8(ascii: "u")
        {
            let resume = at
            at += 2
            if let second = codeUnit(), UTF16.isTrailSurrogate(second) {
                units.append(second)
            } else {
                at = resume
            }
        }
        // A lone surrogate is legal JSON and no legal text: it becomes U+FFFD.
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private mutating func codeUnit() -> UInt16? {
        guard at + 4 <= text.count else { return nil }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = HexDigit.value(text[at]) else { return nil }
            unit = unit << 4 | UInt16(digit)
            at += 1
        }
        return unit
    }

    private mutating func number() -> Double? {
        let start = at
        _ = takeByte(UInt8(ascii: "-"))
        let whole = at
        guard digits() else { return nil }
        if text[whole] == UInt8(ascii: "0"), at - whole > 1 { return nil }
        if takeByte(UInt8(ascii: ".")) { guard digits() else { return nil } }
        if takeByte(UInt8(ascii: "e")) || takeByte(UInt8(ascii: "E")) {
            if !takeByte(UInt8(ascii: "+")) { _ = takeByte(UInt8(ascii: "-")) }
            guard digits() else { return nil }
        }
        return Double(text.dropFirst(start).prefix(at - start).text)
    }

    private mutating func digits() -> Bool {
        let start = at
        while at < text.count, text[at] &- 0x30 < 10 { at += 1 }
        return at > start
    }

    private mutating func word(_ word: StaticString) -> Bool {
        guard text.dropFirst(at).hasPrefix(word) else { return false }
        at += word.utf8CodeUnitCount
        return true
    }

    /// Skips space and takes one structural character.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        return takeByte(UInt8(ascii: character))
    }

    private mutating func takeByte(_ byte: UInt8) -> Bool {
        guard at < text.count, text[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() {
        while at < text.count, [0x20, 0x09, 0x0a, 0x0d].contains(text[at]) { at += 1 }
    }
}
