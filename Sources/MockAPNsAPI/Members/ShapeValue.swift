internal import FoundationEssentials
package import MockAPNsFormats

/// A value of the debug API: it has a schema, and is written as JSON and read from it.
package protocol ShapeValue: SendableMetatype {
    /// Returns the value's schema; `element` describes the innermost values, by default as their type does.
    static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema

    /// The value as JSON.
    var json: JSONValue { get }

    /// Appends the value as JSON.
    func write(to text: inout [UInt8])

    /// Reads a value.
    init(reading value: ValueReader)
}

/// Where a value is used, which decides what its schema allows.
package enum SchemaUse: Sendable {
    /// In responses: later versions may add members.
    case response
    /// In responses and requests: no other members are allowed.
    case request
    /// In requests that create something: `null` means the same as an absent member.
    case draft
}

extension Complaint: Error {
    /// The place and the message.
    package var text: String { path.isEmpty ? message : "'\(path)' \(message)" }
}

extension ShapeValue {
    package func write(to text: inout [UInt8]) { json.write(to: &text) }

    /// Reads a value that is no part of another.
    package init(json: JSONValue) throws(Complaint) {
        let reader = ValueReader(json)
        self.init(reading: reader)
        if let complaint = reader.complaint { throw complaint }
    }
}

// MARK: Plain values

extension String: ShapeValue {
    package static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .text }

    package var json: JSONValue { .string(self) }

    package func write(to text: inout [UInt8]) { JSONValue.write(self, to: &text) }

    package init(reading value: ValueReader) {
        if case .string(let text) = value.json {
            self = text
        } else {
            self = ""
            value.refuse(expected: "a string")
        }
    }
}

extension Bool: ShapeValue {
    package static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .boolean }

    package var json: JSONValue { .bool(self) }

    package init(reading value: ValueReader) {
        if case .bool(let flag) = value.json {
            self = flag
        } else {
            self = false
            value.refuse(expected: "true or false")
        }
    }
}

extension FixedWidthInteger {
    /// The number, if JSON is a whole number that this type can have.
    init?(whole json: JSONValue) {
        switch json {
        case .integer(let number): self.init(exactly: number)
        case .unsigned(let number): self.init(exactly: number)
        default: return nil
        }
    }
}

extension ShapeValue where Self: FixedWidthInteger {
    /// A whole number, from 0 on by default: almost all of them count something.
    package static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .count }

    package var json: JSONValue { Int64(exactly: self).map { .integer($0) } ?? .unsigned(UInt64(self)) }

    package init(reading value: ValueReader) {
        if let number = Self(whole: value.json) {
            self = number
        } else {
            self = 0
            value.refuse(expected: Self.isSigned ? "a whole number" : "a whole number from 0 on")
        }
    }
}

extension UInt64: ShapeValue {}

extension Int: ShapeValue {}

extension Int64: ShapeValue {
    /// A whole number.
    package static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .integer }
}

extension Double: ShapeValue {
    package static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .number }

    /// A whole number without a fraction, any other with it.
    package var json: JSONValue { Int64(exactly: self).map { .integer($0) } ?? .number(self) }

    package init(reading value: ValueReader) {
        self = value.json.double ?? 0
        if value.json.double == nil { value.refuse(expected: "a number") }
    }
}

extension JSONValue: ShapeValue {
    package static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .anything }

    package var json: JSONValue { self }

    /// Takes the value as it is.
    package init(reading value: ValueReader) {
        self = value.json
        if value.isAbsent { value.refuse(expected: "a value") }
    }
}

/// Bytes, as Base64 (RFC 4648 §4).
package struct Base64Bytes: ShapeValue, Equatable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .text }

    package var json: JSONValue { .base64(bytes) }

    package init(reading value: ValueReader) {
        let data = Data(base64Encoded: String(reading: value))
        if data == nil { value.refuse(expected: "Base64") }
        bytes = data.map(Array.init) ?? []
    }
}

// MARK: Values with parts

extension Optional: ShapeValue where Wrapped: ShapeValue {
    /// The value, or `null`.
    package static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { Wrapped.schema(element, use).orNull }

    package var json: JSONValue { self?.json ?? .null }

    package func write(to text: inout [UInt8]) { if let self { self.write(to: &text) } else { text += "null".utf8 } }

    /// Reads a value; `null` and an absent member are none.
    package init(reading value: ValueReader) { self = value.json == .null ? nil : Wrapped(reading: value) }
}

extension Array: ShapeValue where Element: ShapeValue {
    package static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema {
        .list(of: Element.schema(element, use))
    }

    package var json: JSONValue { .array(map { $0.json }) }

    package func write(to text: inout [UInt8]) {
        text.append(UInt8(ascii: "["))
        // By position: code that is not specialized would look up the type of an iterator each time.
        for position in 0..<count {
            self[position].write(to: &text)
            text.append(UInt8(ascii: ","))
        }
        if !isEmpty { text.removeLast() }
        text.append(UInt8(ascii: "]"))
    }

    package init(reading value: ValueReader) {
        if case .array(let values) = value.json {
            self = values.enumerated().map { Element(reading: value.entry($0, $1)) }
        } else {
            self = []
            value.refuse(expected: "a list")
        }
    }
}

extension Dictionary: ShapeValue where Key == String, Value: ShapeValue {
    /// An object with any names.
    package static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema {
        .dictionary(of: Value.schema(element, use))
    }

    package var json: JSONValue { .object(mapValues { $0.json }) }

    package init(reading value: ValueReader) {
        self = [:]
        value.requireObject()
        guard case .object(let members) = value.json else { return }
        for name in members.keys { self[name] = Value(reading: value.member(name)) }
    }
}
