package import MockAPNsFormats

/// A JSON Schema (2020-12, as OpenAPI 3.1 takes it) of a value that the API takes or gives.
public struct Schema: Sendable, Equatable {
    /// The schema itself.
    package private(set) var json: JSONValue

    private init(_ members: [String: JSONValue]) { json = .object(members) }

    // MARK: Plain values

    /// Any JSON value.
    package static let anything = Schema([:])
    package static let text = Schema(["type": "string"])
    package static let boolean = Schema(["type": "boolean"])
    package static let number = Schema(["type": "number"])
    package static let integer = Schema(["type": "integer"])
    /// A number of things, or of an event.
    package static let count = Schema(["type": "integer", "minimum": 0])
    /// A moment, as RFC 3339 writes it.
    package static let time = Schema(["type": "string", "format": "date-time"])

    /// A text of a certain form.
    package static func text(_ pattern: String, example: String? = nil) -> Schema {
        var members: [String: JSONValue] = ["type": "string", "pattern": .string(pattern)]
        if let example { members["examples"] = [.string(example)] }
        return Schema(members)
    }

    /// A text of so many characters at least.
    package static func text(atLeast length: Int) -> Schema {
        Schema(["type": "string", "minLength": JSONValue(length)])
    }

    /// A text of so many characters.
    package static func text(_ length: ClosedRange<Int>) -> Schema {
        text(atLeast: length.lowerBound).with("maxLength", JSONValue(length.upperBound))
    }

    /// One of a few words.
    package static func words(_ words: [String]) -> Schema {
        Schema(["type": "string", "enum": .array(words.map { .string($0) })])
    }

    /// One of the words of a type.
    package static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> Schema {
        words(type.allCases.map(\.rawValue))
    }

    /// One value alone.
    package static func constant(_ value: JSONValue) -> Schema { Schema(["const": value]) }

    /// A whole number between two, both included.
    package static func integer(_ range: ClosedRange<Int>) -> Schema {
        Schema([
            "type": "integer", "minimum": JSONValue(range.lowerBound), "maximum": JSONValue(range.upperBound),
        ])
    }

    /// A number from 0 to 1.
    package static let fraction = Schema(["type": "number", "minimum": 0, "maximum": 1])

    // MARK: Values made of others

    /// A list of such values.
    package static func list(of entry: Schema) -> Schema { Schema(["type": "array", "items": entry.json]) }

    /// A list of so many such values.
    package static func list(of entry: Schema, count: Int) -> Schema {
        Schema([
            "type": "array", "items": entry.json,
            "minItems": JSONValue(count), "maxItems": JSONValue(count),
        ])
    }

    /// A list of so many such values at most.
    package static func list(of entry: Schema, atMost count: Int) -> Schema {
        list(of: entry).with("maxItems", JSONValue(count))
    }

    /// A list that is not empty.
    package static func listWithEntries(of entry: Schema) -> Schema {
        Schema(["type": "array", "items": entry.json, "minItems": 1])
    }

    /// An object that an answer has: every member is there unless it is among `optional`.
    ///
    /// More members may come in later versions, so it is not closed.
    package static func object(_ members: [String: Schema], optional: Set<String> = []) -> Schema {
        let required = members.keys.filter { !optional.contains($0) }.sorted()
        var schema: [String: JSONValue] = [
            "type": "object", "properties": .object(members.mapValues(\.json)),
        ]
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
        return Schema(schema)
    }

    /// An object that a request has: no other member is taken.
    package static func closed(_ members: [String: Schema], required: [String] = []) -> Schema {
        var schema: [String: JSONValue] = [
            "type": "object", "properties": .object(members.mapValues(\.json)),
            "additionalProperties": false,
        ]
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
        return Schema(schema)
    }

    /// An object whose names are anything, and whose values are such.
    package static func dictionary(of value: Schema) -> Schema {
        Schema(["type": "object", "additionalProperties": value.json])
    }

    /// A closed object that has at least one member.
    package static func closedWithMembers(_ members: [String: Schema]) -> Schema {
        closed(members).with("minProperties", 1)
    }

    /// The object, with exactly one of its members.
    package var exactlyOneMember: Schema { with("minProperties", 1).with("maxProperties", 1) }

    /// An object whose names are of a form, and whose values are such.
    package static func dictionary(of value: Schema, names pattern: String) -> Schema {
        dictionary(of: value).with("propertyNames", ["pattern": .string(pattern)])
    }

    /// One of several.
    package static func either(_ schemas: Schema...) -> Schema {
        Schema(["anyOf": .array(schemas.map(\.json))])
    }

    /// A schema of the document's own list.
    package static func named(_ name: String) -> Schema {
        Schema(["$ref": .string("#/components/schemas/\(name)")])
    }

    // MARK: More about a value

    /// The value, or `null`.
    package var orNull: Schema {
        guard case .object(var members) = json else { return self }
        guard case .string(let type)? = members["type"] else {
            return .either(self, Schema(["type": "null"]))
        }
        members["type"] = [.string(type), "null"]
        if case .array(let values)? = members["enum"] { members["enum"] = .array(values + [.null]) }
        return Schema(members)
    }

    /// The value, explained.
    package func described(_ text: String) -> Schema { with("description", .string(text)) }

    /// The value, with one that it may have.
    package func example(_ value: JSONValue) -> Schema { with("examples", [value]) }

    /// The value that is meant when none is given.
    package func defaulting(to value: JSONValue) -> Schema { with("default", value) }

    private func with(_ name: String, _ value: JSONValue) -> Schema {
        guard case .object(var members) = json else { return self }
        members[name] = value
        return Schema(members)
    }
}
