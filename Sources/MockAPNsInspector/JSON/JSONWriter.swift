internal import MockAPNsRules

/// Writes JSON text from the beginning to the end, without values in between.
///
/// Members stand in the order in which they are written; that of their names is the rule of the API.
struct JSONWriter {
    /// The text so far.
    private(set) var bytes: [UInt8] = []
    /// Whether a comma comes before the next value.
    private var isBehindValue = false

    // MARK: Objects and arrays

    /// Writes an object, with the members that `write` gives it.
    mutating func object(_ write: (inout JSONWriter) -> Void) {
        begin(UInt8(ascii: "{"))
        write(&self)
        end(UInt8(ascii: "}"))
    }

    /// Writes an array, with an entry for each element; `before` may write entries that come first.
    mutating func array<Element>(
        _ elements: some Sequence<Element>,
        before: (inout JSONWriter) -> Void = { _ in },
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        begin(UInt8(ascii: "["))
        before(&self)
        for element in elements { write(&self, element) }
        end(UInt8(ascii: "]"))
    }

    /// Writes the name of a member; its value has to follow.
    mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        isBehindValue = false
    }

    /// Writes a member that is an object.
    mutating func object(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
        self.name(name)
        object(write)
    }

    /// Writes a member that is an array.
    mutating func array<Element>(
        _ name: StaticString,
        _ elements: some Sequence<Element>,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        self.name(name)
        array(elements, write)
    }

    // MARK: Values

    mutating func member(_ name: StaticString, _ text: String?) {
        self.name(name)
        value(text)
    }

    mutating func member(_ name: StaticString, _ number: some FixedWidthInteger) {
        self.name(name)
        value(number)
    }

    mutating func member(_ name: StaticString, _ flag: Bool?) {
        self.name(name)
        raw(flag.map { $0 ? "true" : "false" } ?? "null")
    }

    mutating func member(_ name: StaticString, _ value: JSONValue) {
        self.name(name)
        self.value(value)
    }

    /// Writes a text; `null` for none.
    mutating func value(_ text: String?) {
        guard let text else { return raw("null") }
        separate()
        JSONValue.write(text, to: &bytes)
        isBehindValue = true
    }

    mutating func value(_ number: some FixedWidthInteger) { raw(number.description) }

    mutating func value(_ value: JSONValue) {
        separate()
        value.write(to: &bytes)
        isBehindValue = true
    }

    /// Writes a member whose text is Base64.
    mutating func member(_ name: StaticString, base64 content: [UInt8]) {
        self.name(name)
        separate()
        bytes.append(UInt8(ascii: "\""))
        appendBase64(content)
        bytes.append(UInt8(ascii: "\""))
        isBehindValue = true
    }

    private mutating func appendBase64(_ content: [UInt8]) {
        let length = (content.count + 2) / 3 * 4
        let encoded = [UInt8](unsafeUninitializedCapacity: length) { target, count in
            var at = 0
            content.withUnsafeBufferPointer { source in
                for start in stride(from: 0, to: source.count, by: 3) {
                    let rest = source.count - start
                    let bits =
                        UInt32(source[start]) << 16 | (rest > 1 ? UInt32(source[start + 1]) << 8 : 0)
                        | (rest > 2 ? UInt32(source[start + 2]) : 0)
                    target[at] = Self.digit(bits >> 18)
                    target[at + 1] = Self.digit(bits >> 12)
                    target[at + 2] = rest > 1 ? Self.digit(bits >> 6) : UInt8(ascii: "=")
                    target[at + 3] = rest > 2 ? Self.digit(bits) : UInt8(ascii: "=")
                    at += 4
                }
            }
            count = at
        }
        bytes += encoded
    }

    private static func digit(_ bits: UInt32) -> UInt8 {
        switch UInt8(truncatingIfNeeded: bits & 63) {
        case let number where number < 26: number + UInt8(ascii: "A")
        case let number where number < 52: number + (UInt8(ascii: "a") - 26)
        case let number where number < 62: number - 52 + UInt8(ascii: "0")
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    // MARK: Signs

    private mutating func begin(_ sign: UInt8) {
        separate()
        bytes.append(sign)
        isBehindValue = false
    }

    private mutating func end(_ sign: UInt8) {
        bytes.append(sign)
        isBehindValue = true
    }

    private mutating func separate() { if isBehindValue { bytes.append(UInt8(ascii: ",")) } }

    private mutating func raw(_ text: String) {
        separate()
        bytes += text.utf8
        isBehindValue = true
    }
}
