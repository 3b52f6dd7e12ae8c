public import MockAPNsFormats

/// A value of the debug API: it has a schema, and becomes JSON and comes from it.
public protocol ShapeValue: Sendable {
    /// The value's schema.
    ///
    /// - Parameters:
    ///   - element: describes the innermost values; the description of their type by default.
    ///   - use: where the value is used.
    /// - Returns: the schema.
    static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema

    /// Adds the schemas that the value's schema refers to, by name.
    static func collectSchemas(into schemas: inout [String: Schema])

    /// The value as JSON.
    var json: JSONValue { get }

    /// Reads a value.
    ///
    /// - Throws: `ShapeMismatch` when the value has another type, or a required member is missing.
    init(json: JSONValue) throws(ShapeMismatch)
}

extension ShapeValue {
    /// Plain values refer to no schema.
    public static func collectSchemas(into schemas: inout [String: Schema]) {}
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

/// A JSON value that does not have the shape it should have.
public struct ShapeMismatch: Error, Equatable, CustomStringConvertible {
    /// Where: a JSON Pointer (RFC 6901), empty for the whole value.
    public private(set) var path: String
    /// What was seen and what was expected.
    public let message: String

    /// A value of another type.
    public init(_ seen: JSONValue, expected: String) {
        path = ""
        message = "is \(seen.summary); expected \(expected)"
    }

    /// A missing member.
    init(missing name: String) {
        path = "/" + JSONPointer.escaped(name)
        message = "is missing"
    }

    /// The place and the message.
    public var description: String { path.isEmpty ? message : "'\(path)' \(message)" }

    /// The same mismatch, seen from the value around it.
    func inside(_ name: String) -> ShapeMismatch {
        var outer = self
        outer.path = "/" + JSONPointer.escaped(name) + path
        return outer
    }
}
