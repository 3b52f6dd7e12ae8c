/// Writes JSON text directly, without building a `JSONValue` first.
///
/// Members are written in the order given. The API's rule is to sort them by name.
public struct JSONWriter {
    /// The text so far.
    public private(set) var bytes: [UInt8] = []
    /// Whether the next value needs a comma before it.
    private var isBehindValue = false

    /// A writer without text.
    public init() {}

    /// Appends the output of `write` to `text`.
    public static func append(to text: inout [UInt8], _ write: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        swap(&writer.bytes, &text)
        write(&writer)
        swap(&writer.bytes, &text)
    }

    // MARK: Objects and arrays

    /// Writes an object whose members are written by `write`.
    @inlinable
    public mutating func object(_ write: (inout JSONWriter) -> Void) {
        begin(UInt8(ascii: "{"))
        write(&self)
        end(UInt8(ascii: "}"))
    }

    /// Writes an array with one entry per element, after any entries written by `before`.
    @inlinable
    public mutating func array<Element>(
        _ elements: some Sequence<Element>,
        before: (inout JSONWriter) -> Void = { _ in },
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        begin(UInt8(ascii: "["))
        before(&self)
        for element in elements { write(&self, element) }
        end(UInt8(ascii: "]"))
    }

    /// Writes the name of a member.
    ///
    /// Its value must follow.
    public mutating func name(_ name: StaticString) {
        let (length, hasComma) = (name.utf8CodeUnitCount, isBehindValue)
        // One append instead of several: a push has about 200 names.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length + 4) { text in
            guard let start = text.baseAddress else { return }
            text[0] = UInt8(ascii: ",")
            text[1] = UInt8(ascii: "\"")
            (start + 2).update(from: name.utf8Start, count: length)
            text[length + 2] = UInt8(ascii: "\"")
            text[length + 3] = UInt8(ascii: ":")
            bytes += UnsafeMutableBufferPointer(rebasing: text[(hasComma ? 0 : 1)...])
        }
        isBehindValue = false
    }

    /// Writes an object as a member.
    @inlinable
    public mutating func object(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
        self.name(name)
        object(write)
    }

    /// Writes an array as a member.
    @inlinable
    public mutating func array<Element>(
        _ name: StaticString,
        _ elements: some Sequence<Element>,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        self.name(name)
        array(elements, write)
    }

    // MARK: Values

    /// Writes a string, or `null`, as a member.
    public mutating func member(_ name: StaticString, _ text: String?) {
        self.name(name)
        value(text)
    }

    /// Writes already serialized members, without surrounding braces.
    public mutating func members(_ text: [UInt8]) {
        separate()
        bytes += text
        isBehindValue = true
    }

    /// Writes an integer as a member.
    @inlinable
    public mutating func member(_ name: StaticString, _ number: some FixedWidthInteger) {
        self.name(name)
        value(number)
    }

    /// Writes a Boolean, or `null`, as a member.
    public mutating func member(_ name: StaticString, _ flag: Bool?) {
        self.name(name)
        raw(flag.map { $0 ? "true" : "false" as StaticString } ?? "null")
    }

    /// Writes a value as a member.
    public mutating func member(_ name: StaticString, _ value: JSONValue) {
        self.name(name)
        self.value(value)
    }

    /// Writes a string, or `null`.
    public mutating func value(_ text: String?) {
        guard let text else { return raw("null") }
        separate()
        JSONValue.write(text, to: &bytes)
        isBehindValue = true
    }

    /// Writes an integer.
    @inlinable
    public mutating func value(_ number: some FixedWidthInteger) { digits(number.description) }

    /// Writes a value.
    public mutating func value(_ value: JSONValue) {
        separate()
        value.write(to: &bytes)
        isBehindValue = true
    }

    /// Writes bytes as a Base64 string.
    public mutating func value(base64 content: [UInt8]) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        appendBase64(content)
        bytes.append(UInt8(ascii: "\""))
        isBehindValue = true
    }

    private mutating func appendBase64(_ content: [UInt8]) {
        let length = (content.count + 2) / 3 * 4
        withUnsafeTemporaryAllocation(byteCount: length, alignment: 2) { target in
            func write(_ bits: UInt32, at position: Int) {
                target.storeBytes(
                    of: Self.base64Pairs[Int(bits >> 12)],
                    toByteOffset: position,
                    as: UInt16.self
                )
                let second = Self.base64Pairs[Int(bits & 0xfff)]
                target.storeBytes(of: second, toByteOffset: position + 2, as: UInt16.self)
            }
            content.withUnsafeBufferPointer { source in
                var (from, at) = (0, 0)
                while from + 3 <= source.count {
                    let high = UInt32(source[from]) << 16 | UInt32(source[from + 1]) << 8
                    write(high | UInt32(source[from + 2]), at: at)
                    from += 3
                    at += 4
                }
                let rest = source.count - from
                guard rest > 0 else { return }
                write(UInt32(source[from]) << 16 | (rest > 1 ? UInt32(source[from + 1]) << 8 : 0), at: at)
                if rest == 1 { target[at + 2] = UInt8(ascii: "=") }
                target[at + 3] = UInt8(ascii: "=")
            }
            bytes += target
        }
    }

    /// Two Base64 digits for each 12-bit value, in memory order.
    ///
    /// Bodies make up most of an export.
    private static let base64Pairs: [UInt16] = {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return digits.flatMap { first in
            digits.map { second in UInt16(littleEndian: UInt16(first) | UInt16(second) << 8) }
        }
    }()

    // MARK: Signs

    @usableFromInline
    mutating func begin(_ sign: UInt8) {
        separate()
        bytes.append(sign)
        isBehindValue = false
    }

    @usableFromInline
    mutating func end(_ sign: UInt8) {
        bytes.append(sign)
        isBehindValue = true
    }

    private mutating func separate() { if isBehindValue { bytes.append(UInt8(ascii: ",")) } }

    @usableFromInline
    mutating func digits(_ text: String) {
        separate()
        bytes += text.utf8
        isBehindValue = true
    }

    private mutating func raw(_ word: StaticString) {
        separate()
        bytes += UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        isBehindValue = true
    }
}

extension JSONValue {
    /// Returns the output of `write` as a serialized value.
    public static func written(by write: (inout JSONWriter) -> Void) -> JSONValue {
        var text: [UInt8] = []
        JSONWriter.append(to: &text, write)
        return .written(text)
    }
}
