internal import FoundationEssentials
public import MockAPNsFormats

// The plain values that members have.

extension String: ShapeValue {
    /// Any text.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .text }
    /// The value as JSON.
    @inlinable public var json: JSONValue { .string(self) }
    /// Reads a text.
    public init(json: JSONValue) throws(ShapeMismatch) {
        guard case .string(let text) = json else { throw ShapeMismatch(json, expected: "a string") }
        self = text
    }
}

extension Bool: ShapeValue {
    /// `true` or `false`.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .boolean }
    /// The value as JSON.
    @inlinable public var json: JSONValue { .bool(self) }
    /// Reads a Boolean.
    public init(json: JSONValue) throws(ShapeMismatch) {
        guard case .bool(let flag) = json else { throw ShapeMismatch(json, expected: "true or false") }
        self = flag
    }
}

extension UInt64: ShapeValue {
    /// A whole number from 0 on.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .count }
    /// The value as JSON.
    @inlinable public var json: JSONValue { JSONValue(self) }
    /// Reads a whole number from 0 on.
    public init(json: JSONValue) throws(ShapeMismatch) {
        switch json {
        case .integer(let number) where number >= 0: self = UInt64(number)
        case .unsigned(let number): self = number
        default: throw ShapeMismatch(json, expected: "a whole number from 0 on")
        }
    }
}

extension Int: ShapeValue {
    /// A whole number from 0 on: almost all of them count something.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .count }
    /// The value as JSON.
    @inlinable public var json: JSONValue { .integer(Int64(self)) }
    /// Reads a whole number.
    public init(json: JSONValue) throws(ShapeMismatch) { self = Int(try Int64(json: json)) }
}

extension Int64: ShapeValue {
    /// A whole number.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .integer }
    /// The value as JSON.
    @inlinable public var json: JSONValue { .integer(self) }
    /// Reads a whole number.
    public init(json: JSONValue) throws(ShapeMismatch) {
        guard case .integer(let number) = json else {
            throw ShapeMismatch(json, expected: "a whole number")
        }
        self = number
    }
}

extension Double: ShapeValue {
    /// A number.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .number }
    /// A whole number without a fraction, any other with it.
    @inlinable public var json: JSONValue { Int64(exactly: self).map { .integer($0) } ?? .number(self) }
    /// Reads a number.
    public init(json: JSONValue) throws(ShapeMismatch) {
        switch json {
        case .integer(let number): self = Double(number)
        case .unsigned(let number): self = Double(number)
        case .number(let number): self = number
        case .literal(let digits):
            guard let number = Double(digits) else { throw ShapeMismatch(json, expected: "a number") }
            self = number
        default: throw ShapeMismatch(json, expected: "a number")
        }
    }
}

extension JSONValue: ShapeValue {
    /// Any JSON value.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .anything }
    /// The value as JSON.
    @inlinable public var json: JSONValue { self }
    /// Takes the value as it is.
    public init(json: JSONValue) throws(ShapeMismatch) { self = json }
}

/// Bytes, as Base64 (RFC 4648 §4).
public struct Base64Bytes: ShapeValue, Equatable {
    /// The bytes.
    public var bytes: [UInt8]

    /// These bytes.
    public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    /// Text.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .text }
    /// The bytes as Base64.
    @inlinable public var json: JSONValue { .base64(bytes) }
    /// Reads Base64.
    public init(json: JSONValue) throws(ShapeMismatch) {
        guard let data = Data(base64Encoded: try String(json: json)) else {
            throw ShapeMismatch(json, expected: "Base64")
        }
        bytes = Array(data)
    }
}
