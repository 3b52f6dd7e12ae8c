internal import MockAPNsRules

/// Writes JSON text from the beginning to the end, without values in between.
///
/// Members stand in the order in which they are written; that of their names is the rule of the API.
struct JSONWriter {
    /// The text so far.
    private(set) var bytes: [UInt8] = []
    /// Whether a comma comes before the next value.
    private var isBehindValue = false

    /// Appends to `text` what `write` writes.
    static func append(to text: inout [UInt8], _ write: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        swap(&writer.bytes, &text)
        write(&writer)
        swap(&writer.bytes, &text)
    }

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
        let (length, hasComma) = (name.utf8CodeUnitCount, isBehindValue)
        // Put together first: each step of appending to an array has its price, and a push has some 200 names.
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
        let digits = Self.base64Digits.utf8Start
        func digit(_ bits: UInt32) -> UInt8 { digits[Int(bits & 63)] }
        let length = (content.count + 2) / 3 * 4
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { target in
            content.withUnsafeBufferPointer { source in
                var (from, at) = (0, 0)
                while from + 3 <= source.count {
                    let bits =
                        UInt32(source[from]) << 16 | UInt32(source[from + 1]) << 8 | UInt32(source[from + 2])
                    target[at] = digit(bits >> 18)
                    target[at + 1] = digit(bits >> 12)
                    target[at + 2] = digit(bits >> 6)
                    target[at + 3] = digit(bits)
                    from += 3
                    at += 4
                }
                let rest = source.count - from
                guard rest > 0 else { return }
                let bits = UInt32(source[from]) << 16 | (rest > 1 ? UInt32(source[from + 1]) << 8 : 0)
                target[at] = digit(bits >> 18)
                target[at + 1] = digit(bits >> 12)
                target[at + 2] = rest > 1 ? digit(bits >> 6) : UInt8(ascii: "=")
                target[at + 3] = UInt8(ascii: "=")
            }
            bytes += target
        }
    }

    private static let base64Digits: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

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

extension JSONValue {
    /// What `write` writes, as a value that is only written.
    static func written(by write: (inout JSONWriter) -> Void) -> JSONValue {
        var text: [UInt8] = []
        JSONWriter.append(to: &text, write)
        return .written(text)
    }
}
