/// A JSON value, used for API responses and parsed payloads.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer that fits only in 64 unsigned bits.
    case unsigned(UInt64)
    case number(Double)
    /// A number in its original notation: with a fraction or exponent, or too large for 64 bits.
    ///
    /// Received numbers are shown digit for digit, so they must not be rounded.
    case literal(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
    /// Already serialized JSON, for large responses that are never inspected.
    case written([UInt8])

    /// A string, or `null`.
    public init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    /// An integer.
    public init(_ number: UInt64) { self = Int64(exactly: number).map { .integer($0) } ?? .unsigned(number) }

    /// An integer.
    public init(_ number: some FixedWidthInteger & SignedInteger) { self = .integer(Int64(number)) }

    /// The member of an object, or `nil` for any other value.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = read else { return nil }
        return members[name]
    }

    /// The parsed value if this is serialized JSON, otherwise the value itself.
    public var read: JSONValue {
        guard case .written(let text) = self else { return self }
        return JSONParser.value(of: text) ?? .null
    }
}

// Not `ExpressibleByNilLiteral`: a `nil` meant as a missing optional would silently become `null`.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object.
    ///
    /// The last of equal names wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

// MARK: Writing

extension JSONValue {
    /// The value as JSON on one line, with object members sorted by name.
    public var text: [UInt8] {
        var target: [UInt8] = []
        write(to: &target)
        return target
    }

    /// Appends the value as JSON, like `text`.
    public func write(to target: inout [UInt8]) {
        switch self {
        case .written(let text): target += text
        case .null: target += "null".utf8
        case .bool(let value): target += (value ? "true" : "false").utf8
        case .integer(let value): target += value.description.utf8
        case .unsigned(let value): target += value.description.utf8
        // JSON can represent neither infinity nor NaN.
        case .number(let value): target += (value.isFinite ? value.description : "null").utf8
        case .literal(let digits): target += digits.utf8
        case .string(let value): Self.write(value, to: &target)
        case .array(let values):
            target.append(UInt8(ascii: "["))
            for (position, value) in values.enumerated() {
                if position > 0 { target.append(UInt8(ascii: ",")) }
                value.write(to: &target)
            }
            target.append(UInt8(ascii: "]"))
        case .object(let members):
            target.append(UInt8(ascii: "{"))
            for (position, member) in members.sortedByName.enumerated() {
                if position > 0 { target.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &target)
                target.append(UInt8(ascii: ":"))
                member.value.write(to: &target)
            }
            target.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a string literal.
    public static func write(_ text: String, to target: inout [UInt8]) {
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            // Most strings are short and need no escapes: one append is faster than three.
            if bytes.count <= 256, PlainText.end(in: bytes, from: 0) == bytes.count {
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 2) { quoted in
                    quoted[0] = UInt8(ascii: "\"")
                    _ = UnsafeMutableBufferPointer(rebasing: quoted[1...]).update(fromContentsOf: bytes)
                    quoted[bytes.count + 1] = UInt8(ascii: "\"")
                    target += UnsafeBufferPointer(quoted)
                }
                return
            }
            target.append(UInt8(ascii: "\""))
            while true {
                let end = PlainText.end(in: bytes, from: start)
                target += UnsafeBufferPointer(rebasing: bytes[start..<end])
                guard end < bytes.count else { break }
                escape(bytes[end], to: &target)
                start = end + 1
            }
            target.append(UInt8(ascii: "\""))
        }
    }

    private static func escape(_ byte: UInt8, to target: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): target += #"\""#.utf8
        case UInt8(ascii: "\\"): target += #"\\"#.utf8
        case 0x0a: target += #"\n"#.utf8
        case 0x0d: target += #"\r"#.utf8
        case 0x09: target += #"\t"#.utf8
        default: target += "\\u00\(HexDigit.text(of: [byte]))".utf8
        }
    }
}
