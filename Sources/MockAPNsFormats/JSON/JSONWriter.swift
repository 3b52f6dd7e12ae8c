/// Writes JSON objects directly, without building a `JSONValue` first.
///
/// Members are written in the order given. The API's rule is to sort them by name.
public struct JSONWriter {
    private var bytes: [UInt8] = []
    /// Whether the next value needs a comma before it.
    private var needsComma = false

    /// Appends the output of `write` to `text`.
    public static func append(to text: inout [UInt8], _ write: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        swap(&writer.bytes, &text)
        write(&writer)
        swap(&writer.bytes, &text)
    }

    /// Writes an object whose members are written by `write`.
    public mutating func object(_ write: (inout JSONWriter) -> Void) {
        begin(UInt8(ascii: "{"))
        write(&self)
        end(UInt8(ascii: "}"))
    }

    /// Writes an array with one entry for each index.
    ///
    /// Not for any sequence: a type parameter costs a look-up of types for each entry.
    public mutating func array(_ indices: Range<Int>, _ write: (inout JSONWriter, Int) -> Void) {
        begin(UInt8(ascii: "["))
        for index in indices { write(&self, index) }
        end(UInt8(ascii: "]"))
    }

    /// Writes a string, or `null`, as a member.
    public mutating func member(_ name: StaticString, _ text: String?) {
        begin(name)
        if let text { JSONValue.write(text, to: &bytes) } else { bytes += "null".utf8 }
    }

    /// Writes an integer as a member.
    public mutating func member(_ name: StaticString, _ number: Int) {
        begin(name)
        bytes += number.description.utf8
    }

    /// Writes a Boolean, or `null`, as a member.
    public mutating func member(_ name: StaticString, _ flag: Bool?) {
        begin(name)
        bytes += (flag?.description ?? "null").utf8
    }

    /// Writes already serialized members, without surrounding braces.
    public mutating func members(_ text: [UInt8]) {
        separate()
        bytes += text
    }

    private mutating func begin(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        bytes += "\":".utf8
    }

    private mutating func begin(_ sign: UInt8) {
        separate()
        bytes.append(sign)
        needsComma = false
    }

    private mutating func end(_ sign: UInt8) {
        bytes.append(sign)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}
