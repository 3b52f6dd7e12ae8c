import Foundation

@testable import MockAPNsInspector

/// Holds values against the JSON Schemas of the OpenAPI document: as much of JSON Schema as that uses.
///
/// Stricter than JSON Schema in one thing: a member that the schema does not describe is a complaint, since whoever
/// adds one has to describe it. A text in angle brackets stands for any value, as in golden files.
struct SchemaChecker {
    /// The named schemas.
    let schemas: [String: JSONValue]

    init(of document: JSONValue) {
        guard case .object(let schemas)? = document["components"]?["schemas"] else {
            self.schemas = [:]
            return
        }
        self.schemas = schemas
    }

    /// What a named schema has against a value.
    func complaints(_ value: JSONValue, as name: String) -> [String] {
        guard let schema = schemas[name] else { return ["there is no schema named \(name)"] }
        return check(value, schema, at: "")
    }

    /// What a schema has against a value.
    func check(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
        if case .string(let text) = value, text.hasPrefix("<"), text.hasSuffix(">") { return [] }
        if let name = schema["$ref"]?.text([]) {
            let name = name.replacing("#/components/schemas/", with: "")
            guard let schema = schemas[name] else { return ["\(place): there is no schema named \(name)"] }
            return check(value, schema, at: place)
        }
        if case .array(let choices)? = schema["anyOf"] {
            let all = choices.map { check(value, $0, at: place) }
            return all.contains([]) ? [] : all.min { $0.count < $1.count } ?? []
        }
        if let constant = schema["const"] {
            return constant == value
                ? [] : ["\(place): expected \(Self.text(constant)), saw \(Self.text(value))"]
        }
        if case .array(let values)? = schema["enum"] {
            let known = values.map(Self.text).joined(separator: " ")
            return values.contains(value)
                ? [] : ["\(place): expected one of \(known), saw \(Self.text(value))"]
        }
        let types = Self.types(of: schema)
        guard types.isEmpty || types.contains(where: { Self.is(value, $0) }) else {
            return ["\(place): expected \(types.joined(separator: " or ")), saw \(Self.text(value))"]
        }
        switch value {
        case .object(let members): return check(members, schema, at: place)
        case .array(let values): return check(values, schema, at: place)
        case .string(let text): return check(text, schema, at: place)
        default: return []
        }
    }

    private func check(_ members: [String: JSONValue], _ schema: JSONValue, at place: String) -> [String] {
        guard schema["type"] != nil else { return [] }  // any value
        var complaints: [String] = []
        if case .array(let required)? = schema["required"] {
            for case .string(let name) in required where members[name] == nil {
                complaints.append("\(place)/\(name) is missing, and the schema says that it is always there")
            }
        }
        var known: [String: JSONValue] = [:]
        if case .object(let properties)? = schema["properties"] { known = properties }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            if let property = known[name] {
                complaints += check(member, property, at: "\(place)/\(name)")
            } else if let rest = schema["additionalProperties"], rest != false {
                complaints += check(member, rest, at: "\(place)/\(name)")
            } else {
                complaints.append("\(place)/\(name) is not described: add it to the schema")
            }
        }
        return complaints
    }

    private func check(_ values: [JSONValue], _ schema: JSONValue, at place: String) -> [String] {
        if case .integer(let least)? = schema["minItems"], values.count < least {
            return ["\(place): expected \(least) entries, saw \(values.count)"]
        }
        if case .integer(let most)? = schema["maxItems"], values.count > most {
            return ["\(place): expected \(most) entries, saw \(values.count)"]
        }
        guard let items = schema["items"] else { return [] }
        return values.enumerated().flatMap { check($1, items, at: "\(place)/\($0)") }
    }

    private func check(_ text: String, _ schema: JSONValue, at place: String) -> [String] {
        if case .string(let pattern)? = schema["pattern"],
            (try? Regex(pattern).firstMatch(in: text)) == nil
        {
            return ["\(place): expected \(pattern), saw '\(text)'"]
        }
        if case .integer(let least)? = schema["minLength"], text.count < least {
            return ["\(place): expected \(least) characters, saw '\(text)'"]
        }
        return []
    }

    private static func types(of schema: JSONValue) -> [String] {
        switch schema["type"] {
        case .string(let type)?: [type]
        case .array(let types)?: types.compactMap { $0.text([]) }
        default: []
        }
    }

    private static func `is`(_ value: JSONValue, _ type: String) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
            ("integer", .integer), ("integer", .unsigned), ("number", .integer), ("number", .unsigned),
            ("number", .number), ("number", .literal):
            true
        default: false
        }
    }

    private static func text(_ value: JSONValue) -> String {
        String(String(decoding: value.text, as: UTF8.self).prefix(80))
    }
}
