internal import MockAPNsAPI
internal import MockAPNsFormats

/// Holds values against the JSON Schemas of the OpenAPI document: as much of JSON Schema as that uses.
///
/// Stricter than JSON Schema in one thing: a member that the schema does not describe is a complaint.
struct SchemaCheck {
    /// The named schemas.
    let schemas: [String: JSONValue]
    /// Whether a text fits a pattern; patterns are not looked at without.
    var fits: ((_ pattern: String, _ text: String) -> Bool)?
    /// Whether a text stands for any value.
    var isPlaceholder: ((String) -> Bool)?

    /// Takes the named schemas.
    init(_ schemas: [String: Schema]) { self.schemas = schemas.mapValues(\.json) }

    /// What a named schema has against a value.
    func complaints(_ value: JSONValue, as name: String) -> [Complaint] {
        check(value, Schema.named(name).json, at: "")
    }

    /// What a schema has against a value, which is at a place that a JSON Pointer names.
    func check(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [Complaint] {
        if case .string(let text) = value, isPlaceholder?(text) == true { return [] }
        if case .string(let reference)? = schema["$ref"] {
            let name = String(reference.split(separator: "/").last ?? "")
            guard let schema = schemas[name] else {
                return [complaint(place, "has no schema: there is none named \(name)")]
            }
            return check(value, schema, at: place)
        }
        if case .array(let choices)? = schema["anyOf"] {
            let all = choices.map { check(value, $0, at: place) }
            return all.contains([]) ? [] : all.min { $0.count < $1.count } ?? []
        }
        let text = value.summary
        if let constant = schema["const"], constant != value {
            return [complaint(place, "is \(text); expected \(constant.summary)")]
        }
        if case .array(let values)? = schema["enum"], !values.contains(value) {
            let known = values.map { $0.plainText ?? "null" }
            return [
                complaint(
                    place,
                    "is \(text); expected one of \(known.joined(separator: ", "))",
                    value.plainText.flatMap { Suggestion.nearest(to: $0, among: known) }
                )
            ]
        }
        let types = Self.types(of: schema)
        guard types.isEmpty || types.contains(where: { Self.is(value, $0) }) else {
            return [complaint(place, "is \(text); expected \(types.joined(separator: " or "))")]
        }
        switch value {
        case .object(let members): return check(members, schema, at: place)
        case .array(let values): return check(values, schema, at: place)
        case .string(let text): return check(text, schema, at: place)
        default: return []
        }
    }

    private func check(
        _ members: [String: JSONValue],
        _ schema: JSONValue,
        at place: String
    ) -> [Complaint] {
        guard schema["type"] != nil else { return [] }  // any value
        var complaints: [Complaint] = []
        if case .array(let required)? = schema["required"] {
            for case .string(let name) in required where members[name] == nil {
                complaints.append(complaint("\(place)/\(name)", "is missing"))
            }
        }
        var known: [String: JSONValue] = [:]
        if case .object(let properties)? = schema["properties"] { known = properties }
        for (name, member) in members.sortedByName {
            let pointer = place + "/" + JSONPointer.escaped(name)
            if let property = known[name] {
                complaints += check(member, property, at: pointer)
            } else if let rest = schema["additionalProperties"], rest != false {
                complaints += check(member, rest, at: pointer)
            } else {
                let names = known.keys.sorted()
                let list = names.isEmpty ? "" : "; there are: \(names.joined(separator: ", "))"
                let suggestion = Suggestion.nearest(to: name, among: names)
                complaints.append(complaint(pointer, "is not known here" + list, suggestion))
            }
        }
        return complaints
    }

    private func check(_ values: [JSONValue], _ schema: JSONValue, at place: String) -> [Complaint] {
        if case .integer(let least)? = schema["minItems"], values.count < least {
            return [complaint(place, "has \(values.count) entries; expected \(least) at least")]
        }
        if case .integer(let most)? = schema["maxItems"], values.count > most {
            return [complaint(place, "has \(values.count) entries; expected \(most) at most")]
        }
        guard let items = schema["items"] else { return [] }
        return values.enumerated().flatMap { check($1, items, at: "\(place)/\($0)") }
    }

    private func check(_ text: String, _ schema: JSONValue, at place: String) -> [Complaint] {
        if let fits, case .string(let pattern)? = schema["pattern"], !fits(pattern, text) {
            return [complaint(place, "is '\(text)'; expected \(pattern)")]
        }
        if case .integer(let least)? = schema["minLength"], text.utf8.count < least {
            return [complaint(place, "is '\(text)'; expected \(least) characters at least")]
        }
        if case .integer(let most)? = schema["maxLength"], text.unicodeScalars.count > most {
            return [complaint(place, "is '\(text)'; expected \(most) characters at most")]
        }
        return []
    }

    private func complaint(
        _ place: String,
        _ message: String,
        _ suggestion: String? = nil
    ) -> Complaint {
        Complaint(path: place, message: message, suggestion: suggestion)
    }

    private static func types(of schema: JSONValue) -> [String] {
        switch schema["type"] {
        case .string(let type)?: [type]
        case .array(let types)?: types.compactMap(\.plainText)
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
}
