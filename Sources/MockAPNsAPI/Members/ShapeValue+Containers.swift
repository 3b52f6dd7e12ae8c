public import MockAPNsFormats

// The values that hold other values.

extension Optional: ShapeValue where Wrapped: ShapeValue {
    /// The value, or `null`.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema {
        Wrapped.schema(element, use).orNull
    }
    /// Those of the value.
    public static func collectSchemas(into schemas: inout [String: Schema]) {
        Wrapped.collectSchemas(into: &schemas)
    }
    /// The value, or `null`.
    @inlinable public var json: JSONValue { self?.json ?? .null }
    /// Reads the value, or `null`.
    public init(json: JSONValue) throws(ShapeMismatch) {
        self = json == .null ? nil : try Wrapped(json: json)
    }
}

extension Array: ShapeValue where Element: ShapeValue {
    /// A list.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema {
        .list(of: Element.schema(element, use))
    }
    /// Those of the value.
    public static func collectSchemas(into schemas: inout [String: Schema]) {
        Element.collectSchemas(into: &schemas)
    }
    /// The list as JSON.
    @inlinable public var json: JSONValue { .array(map { $0.json }) }
    /// Reads a list.
    public init(json: JSONValue) throws(ShapeMismatch) {
        guard case .array(let values) = json else { throw ShapeMismatch(json, expected: "a list") }
        self = []
        reserveCapacity(values.count)
        for (position, value) in values.enumerated() {
            do throws(ShapeMismatch) {
                append(try Element(json: value))
            } catch {
                throw error.inside(String(position))
            }
        }
    }
}

extension Dictionary: ShapeValue where Key == String, Value: ShapeValue {
    /// An object with any names.
    public static func schema(_ element: Schema?, _ use: SchemaUse) -> Schema {
        .dictionary(of: Value.schema(element, use))
    }
    /// Those of the value.
    public static func collectSchemas(into schemas: inout [String: Schema]) {
        Value.collectSchemas(into: &schemas)
    }
    /// The object as JSON.
    @inlinable public var json: JSONValue { .object(mapValues { $0.json }) }
    /// Reads an object.
    public init(json: JSONValue) throws(ShapeMismatch) {
        guard case .object(let members) = json else { throw ShapeMismatch(json, expected: "an object") }
        self = [:]
        for (name, value) in members {
            do throws(ShapeMismatch) {
                self[name] = try Value(json: value)
            } catch {
                throw error.inside(name)
            }
        }
    }
}
