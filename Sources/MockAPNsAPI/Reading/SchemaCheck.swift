package import MockAPNsFormats

/// Checks values against the JSON Schemas of the OpenAPI document: the part of JSON Schema that it uses.
///
/// Stricter than JSON Schema in one thing: a member that the schema does not describe is a complaint.
package struct SchemaCheck {
    /// The schemas to which others refer, by name.
    package let schemas: [String: JSONValue]
    /// Whether a text matches a pattern; without, patterns are not checked.
    package var fits: ((_ pattern: String, _ text: String) -> Bool)?
    /// Whether a text stands for any value.
    package var isPlaceholder: ((String) -> Bool)?

    package init(_ schemas: [String: JSONValue]) { self.schemas = schemas }

    /// How many complaints are collected, approximately; more help nobody, and each takes time.
    private static let mostComplaints = 100

    /// Checks a value against a named schema.
    package func complaints(_ value: JSONValue, as name: String) -> [Complaint] {
        check(value, Schema.named(name).json, at: "")
    }

    /// Checks the value at a place, which is a JSON Pointer.
    package func check(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [Complaint] {
        if case .string(let text) = value, isPlaceholder?(text) == true { return [] }
        if case .string(let reference)? = schema["$ref"] {
            let name = String(reference.split(separator: "/").last ?? "")
            guard let schema = schemas[name] else {
                return [Complaint(path: place, message: "has an unknown schema '\(name)'")]
            }
            return check(value, schema, at: place)
        }
        if case .array(let choices)? = schema["anyOf"] {
            let all = choices.map { check(value, $0, at: place) }
            return all.contains([]) ? [] : all.min { $0.count < $1.count } ?? []
        }
        func refusal(_ expected: String, _ suggestion: String? = nil) -> [Complaint] {
            let message = "is \(value.summary); expected \(expected)"
            return [Complaint(path: place, message: message, suggestion: suggestion)]
        }
        if let constant = schema["const"], constant != value { return refusal(constant.summary) }
        if case .array(let values)? = schema["enum"], !values.contains(value) {
            let known = values.map { $0.plainText ?? "null" }
            let nearest = value.plainText.flatMap { Suggestion.nearest(to: $0, among: known) }
            return refusal("one of \(known.joined(separator: ", "))", nearest)
        }
        let types = Self.types(of: schema)
        guard types.isEmpty || types.contains(where: { Self.is(value, $0) }) else {
            return refusal(types.joined(separator: " or "))
        }
        switch value {
        case .object(let members): return check(members, schema, at: place)
        case .array(let values):
            if let bound = Self.bound(values.count, schema["minItems"], schema["maxItems"]) {
                let message = "has \(values.count) entries; expected \(bound)"
                return [Complaint(path: place, message: message)]
            }
            guard let items = schema["items"] else { return [] }
            var complaints: [Complaint] = []
            for (position, value) in values.enumerated() where complaints.count < Self.mostComplaints {
                complaints += check(value, items, at: "\(place)/\(position)")
            }
            return complaints
        case .string(let text):
            if let fits, case .string(let pattern)? = schema["pattern"], !fits(pattern, text) {
                return refusal(pattern)
            }
            let length = text.unicodeScalars.count
            return Self.bound(length, schema["minLength"], schema["maxLength"]).map { refusal("\($0) characters") }
                ?? []
        default: return []
        }
    }

    private func check(_ members: [String: JSONValue], _ schema: JSONValue, at place: String) -> [Complaint] {
        guard schema["type"] != nil else { return [] }  // any value
        var complaints: [Complaint] = []
        for case .string(let name) in schema["required"].entries where members[name] == nil {
            complaints.append(Complaint(path: "\(place)/\(name)", message: "is missing"))
        }
        for (name, member) in members.sortedByName where complaints.count < Self.mostComplaints {
            let pointer = place + "/" + JSONPointer.escaped(name)
            let described = schema["properties"]?[name] ?? schema["additionalProperties"]
            if let described, described != false {
                complaints += check(member, described, at: pointer)
            } else {
                let names = schema["properties"].sortedMembers.map(\.key)
                let list = names.isEmpty ? "" : "; there are: \(names.joined(separator: ", "))"
                let suggestion = Suggestion.nearest(to: name, among: names)
                let message = "is not known here" + list
                complaints.append(Complaint(path: pointer, message: message, suggestion: suggestion))
            }
        }
        return complaints
    }

    /// The bound that a count exceeds.
    private static func bound(_ count: Int, _ least: JSONValue?, _ most: JSONValue?) -> String? {
        if case .integer(let least)? = least, count < least { return "at least \(least)" }
        if case .integer(let most)? = most, count > most { return "at most \(most)" }
        return nil
    }

    /// The names of the types that a value may have; none if it may have any.
    package static func types(of schema: JSONValue) -> [String] {
        schema["type"]?.plainText.map { [$0] } ?? schema["type"].entries.compactMap(\.plainText)
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
