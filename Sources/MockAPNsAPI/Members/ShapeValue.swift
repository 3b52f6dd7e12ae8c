internal import FoundationEssentials
public import MockAPNsFormats

/// A value of the debug API: it has a schema, and is written as JSON and read from it.
public protocol ShapeValue: Sendable {
    /// Returns the value's schema; `element` describes the innermost values, by default as their type does.
    static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema

    /// The value as JSON.
    var json: JSONValue { get }

    /// Reads a value.
    init(json: JSONValue) throws(Complaint)
}

/// Where a value is used, which decides what its schema allows.
public enum SchemaUse: Sendable {
    /// In responses: later versions may add members.
    case response
    /// In responses and requests: no other members are allowed.
    case request
    /// In requests that create something: `null` means the same as an absent member.
    case draft
}

extension Complaint: Error {
    /// A value that does not have the shape it should have.
    init(_ seen: JSONValue, expected: String) {
        self.init(path: "", message: "is \(seen.summary); expected \(expected)")
    }

    /// The place and the message.
    package var text: String { path.isEmpty ? message : "'\(path)' \(message)" }
}

extension ShapeValue {
    /// Reads a part of a value; a complaint says where in the whole value it is.
    init(json: JSONValue, inside name: @autoclosure () -> String) throws(Complaint) {
        do throws(Complaint) { self = try Self(json: json) } catch {
            let path = "/" + JSONPointer.escaped(name()) + error.path
            throw Complaint(path: path, message: error.message)
        }
    }
}

// MARK: Plain values

extension String: ShapeValue {
    /// Any text.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .text }
    /// The value as JSON.
    @inlinable public var json: JSONValue { .string(self) }
    /// Reads a text.
    public init(json: JSONValue) throws(Complaint) {
        guard case .string(let text) = json else { throw Complaint(json, expected: "a string") }
        self = text
    }
}

extension Bool: ShapeValue {
    /// `true` or `false`.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .boolean }
    /// The value as JSON.
    @inlinable public var json: JSONValue { .bool(self) }
    /// Reads a Boolean.
    public init(json: JSONValue) throws(Complaint) {
        guard case .bool(let flag) = json else { throw Complaint(json, expected: "true or false") }
        self = flag
    }
}

extension ShapeValue where Self: FixedWidthInteger {
    /// A whole number, from 0 on by default: almost all of them count something.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .count }
    /// The value as JSON.
    @inlinable public var json: JSONValue { Int64(exactly: self).map { .integer($0) } ?? .unsigned(UInt64(self)) }
    /// Reads a whole number.
    public init(json: JSONValue) throws(Complaint) {
        let number: Self? =
            switch json {
            case .integer(let number): Self(exactly: number)
            case .unsigned(let number): Self(exactly: number)
            default: nil
            }
        let expected = Self.isSigned ? "a whole number" : "a whole number from 0 on"
        guard let number else { throw Complaint(json, expected: expected) }
        self = number
    }
}

extension UInt64: ShapeValue {}

extension Int: ShapeValue {}

extension Int64: ShapeValue {
    /// A whole number.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .integer }
}

extension Double: ShapeValue {
    /// A number.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .number }
    /// A whole number without a fraction, any other with it.
    @inlinable public var json: JSONValue { Int64(exactly: self).map { .integer($0) } ?? .number(self) }
    /// Reads a number.
    public init(json: JSONValue) throws(Complaint) {
        guard let number = json.double else { throw Complaint(json, expected: "a number") }
        self = number
    }
}

extension JSONValue: ShapeValue {
    /// Any JSON value.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { element ?? .anything }
    /// The value as JSON.
    @inlinable public var json: JSONValue { self }
    /// Takes the value as it is.
    public init(json: JSONValue) throws(Complaint) { self = json }
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
    public init(json: JSONValue) throws(Complaint) {
        guard let data = Data(base64Encoded: try String(json: json)) else { throw Complaint(json, expected: "Base64") }
        bytes = Array(data)
    }
}

// MARK: Values with parts

extension Optional: ShapeValue where Wrapped: ShapeValue {
    /// The value, or `null`.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema { Wrapped.schema(element, use).orNull }
    /// The value, or `null`.
    @inlinable public var json: JSONValue { self?.json ?? .null }
    /// Reads the value, or `null`.
    public init(json: JSONValue) throws(Complaint) { self = json == .null ? nil : try Wrapped(json: json) }
}

extension Array: ShapeValue where Element: ShapeValue {
    /// A list.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema {
        .list(of: Element.schema(element, use))
    }
    /// The list as JSON.
    @inlinable public var json: JSONValue { .array(map { $0.json }) }
    /// Reads a list.
    public init(json: JSONValue) throws(Complaint) {
        guard case .array(let values) = json else { throw Complaint(json, expected: "a list") }
        self = []
        reserveCapacity(values.count)
        for (position, value) in values.enumerated() { append(try Element(json: value, inside: String(position))) }
    }
}

extension Dictionary: ShapeValue where Key == String, Value: ShapeValue {
    /// An object with any names.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema {
        .dictionary(of: Value.schema(element, use))
    }
    /// The object as JSON.
    @inlinable public var json: JSONValue { .object(mapValues { $0.json }) }
    /// Reads an object.
    public init(json: JSONValue) throws(Complaint) {
        guard case .object(let members) = json else { throw Complaint(json, expected: "an object") }
        self = [:]
        for (name, value) in members { self[name] = try Value(json: value, inside: name) }
    }
}
