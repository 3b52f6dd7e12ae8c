internal import MockAPNsFormats
package import MockAPNsQuery
internal import MockAPNsVerifying

extension Form where Value == PushMatcher {
    package static let matcher = Form(
        expected: "what the pushes have to be, or {} for every push", list: "a list, with a matcher in each entry"
    ) { _ in
        Schema.closed(MatcherSchema.members).described("What a push has to be; everything must hold.").named("Match")
    } parts: { given, reader in
        var complaints: [Complaint] = []
        let matcher = PushMatcher.read(given, at: reader.place, now: reader.now, complaints: &complaints)
        for complaint in complaints { reader.adopt(complaint) }
        return matcher
    }
}

extension Form where Value == ClosedRange<Int> {
    private static let names = ["exactly", "atLeast", "atMost", "never"]

    private static let expected =
        #"{"exactly":1}, {"atLeast":1}, {"atMost":1}, {"never":true}, or a number for exactly so many"#

    /// How many pushes are expected.
    package static let expectation = Form(expected: expected) { _ in
        .either(
            .count, .closed(["exactly": .count], required: ["exactly"]),
            .closed(["atLeast": .count, "atMost": .count]), .closed(["never": .constant(true)], required: ["never"]))
    } parts: { given, reader in
        if case .object(let members) = given { reader.complainOfUnknown(members, known: names) }
        let expectation = read(given)
        if expectation == nil { reader.refuse(given, expected: expected) }
        return expectation
    }

    private static func read(_ value: JSONValue) -> ClosedRange<Int>? {
        if let count = count(value) { return count...count }
        guard case .object(let members) = value else { return nil }
        if members["never"] != nil { return members == ["never": true] ? 0...0 : nil }
        let counts = members.compactMapValues(count)
        guard counts.count == members.count else { return nil }
        switch (counts["exactly"], counts["atLeast"], counts["atMost"]) {
        case (let number?, nil, nil): return number...number
        case (nil, let least?, let most) where least <= most ?? .max: return least...(most ?? .max)
        case (nil, nil, let most?): return 0...most
        default: return nil
        }
    }

    private static func count(_ value: JSONValue) -> Int? {
        guard case .integer(let number) = value, (0...1_000_000_000).contains(number) else { return nil }
        return Int(number)
    }
}

/// The schemas of matchers, made from the fields and the operators.
enum MatcherSchema {
    /// A bare value means equals; an object is operators.
    private static let value = Schema.either(.text, .number, .boolean, operators)

    /// A field with a list of words takes no other word.
    private static func value(of field: PushField) -> Schema {
        let words = field.row.values
        if field == .fits { return .either(.appSchemaName, operators) }
        return words.isEmpty || field == .pushType ? value : .either(.words(words), operators)
    }

    private static let operators = Schema.closed(operatorMembers).with("minProperties", 1).named("Operators")

    private static let operatorMembers: [String: Schema] = Dictionary(
        uniqueKeysWithValues: Comparison.Operator.allCases.map { ($0.rawValue, operand(of: $0)) })

    private static func operand(of kind: Comparison.Operator) -> Schema {
        let schema: Schema =
            switch kind {
            case .equals, .equalsJSON, .includes, .not: .anything
            case .contains, .startsWith, .endsWith, .matches: .text
            case .in: .list(of: .anything)
            case .gt, .gte, .lt, .lte: .number
            case .present, .absent: .boolean
            }
        return schema.described("Takes \(kind.expects).")
    }

    static let members: [String: Schema] = {
        var members: [String: Schema] = [:]
        for field in PushField.allCases where !PushField.verdictFields.contains(field) {
            members[field.rawValue] = value(of: field)
        }
        members["headers"] = Schema.dictionary(of: value).with("propertyNames", ["pattern": "^[^A-Z]*$"]).described(
            "Headers, by their names in lower case.")
        var payloadMembers = operatorMembers
        payloadMembers["at"] = Schema.text("^(/([^~/]|~[01])*)*$").described(
            "A JSON Pointer; the whole payload without.")
        let payload = Schema.closed(payloadMembers)
        members["payload"] = .either(payload, .list(of: payload))
        members["verdict"] = .closed(
            Dictionary(uniqueKeysWithValues: PushField.verdictFields.map { ($0.rawValue, value(of: $0)) }))
        members["lint"] = Schema.either(.word(.lint), operators).described(
            "The id of one of its warnings, or operators on the list of their ids.")
        members["q"] = Schema.text("\\S").example("type:alert is:delivered").described(
            "A search, as in the parameter q.")
        return members
    }()
}
