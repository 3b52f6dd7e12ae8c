package import MockAPNsFormats

/// A JSON Schema (2020-12, as OpenAPI 3.1 uses it) of a value that the API takes or returns.
public struct Schema: Sendable, Equatable {
    package private(set) var json: JSONValue
    /// The schemas to which this one refers, by name.
    package private(set) var named: [String: JSONValue] = [:]

    private init(_ members: [String: JSONValue], of parts: [Schema] = []) {
        json = .object(members)
        for part in parts { named.merge(part.named) { first, _ in first } }
    }

    // MARK: Plain values

    package static let anything = Schema([:])
    package static let text = Schema(["type": "string"])
    package static let boolean = Schema(["type": "boolean"])
    package static let number = Schema(["type": "number"])
    package static let integer = Schema(["type": "integer"])
    /// A whole number from 0 on.
    package static let count = Schema(["type": "integer", "minimum": 0])
    package static let fraction = Schema(["type": "number", "minimum": 0, "maximum": 1])
    /// A time as in RFC 3339.
    package static let time = Schema(["type": "string", "format": "date-time"])

    package static func text(_ pattern: String) -> Schema { text.with("pattern", .string(pattern)) }

    package static func text(atLeast length: Int) -> Schema { text.with("minLength", JSONValue(length)) }

    package static func text(_ length: ClosedRange<Int>) -> Schema {
        text(atLeast: length.lowerBound).with("maxLength", JSONValue(length.upperBound))
    }

    package static func words(_ words: [String]) -> Schema { text.with("enum", .array(words.map { .string($0) })) }

    package static func constant(_ value: JSONValue) -> Schema { Schema(["const": value]) }

    package static func integer(_ range: ClosedRange<Int>) -> Schema {
        integer.with("minimum", JSONValue(range.lowerBound)).with("maximum", JSONValue(range.upperBound))
    }

    // MARK: Values made of others

    package static func list(of entry: Schema) -> Schema {
        Schema(["type": "array", "items": entry.json], of: [entry])
    }

    /// An object in a response; not closed, because later versions may add members.
    package static func object(_ members: [String: Schema], required: [String] = []) -> Schema {
        let object = Schema(
            ["type": "object", "properties": .object(members.mapValues(\.json))], of: Array(members.values))
        return required.isEmpty ? object : object.with("required", .array(required.map { .string($0) }))
    }

    /// An object in a request: no other members are allowed.
    package static func closed(_ members: [String: Schema], required: [String] = []) -> Schema {
        object(members, required: required).with("additionalProperties", false)
    }

    /// An object with any names.
    package static func dictionary(of value: Schema) -> Schema {
        Schema(["type": "object", "additionalProperties": value.json], of: [value])
    }

    package static func either(_ schemas: Schema...) -> Schema {
        Schema(["anyOf": .array(schemas.map(\.json))], of: schemas)
    }

    // MARK: Names

    /// A reference to a schema that the OpenAPI document has under this name.
    package static func named(_ name: String) -> Schema { Schema(["$ref": .string("#/components/schemas/\(name)")]) }

    /// A reference to this schema, by this name.
    package func named(_ name: String) -> Schema {
        var reference = Schema.named(name)
        reference.named = named
        reference.named[name] = json
        return reference
    }

    // MARK: More about a value

    package var orNull: Schema {
        guard case .string(let type)? = json["type"] else { return .either(self, Schema(["type": "null"])) }
        let schema = with("type", [.string(type), "null"])
        guard case .array(let values)? = json["enum"] else { return schema }
        return schema.with("enum", .array(values + [.null]))
    }

    package func described(_ text: String) -> Schema { with("description", .string(text)) }

    package func example(_ value: JSONValue) -> Schema { with("examples", [value]) }

    package func defaulting(to value: JSONValue) -> Schema { with("default", value) }

    package func explained(at link: String?) -> Schema {
        link.map { with("externalDocs", ["url": .string($0)]) } ?? self
    }

    /// The schema with another keyword.
    package func with(_ name: String, _ value: JSONValue) -> Schema {
        guard case .object(var members) = json else { return self }
        members[name] = value
        var schema = self
        schema.json = .object(members)
        return schema
    }
}
