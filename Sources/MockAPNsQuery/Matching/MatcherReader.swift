internal import MockAPNsFormats
internal import MockAPNsRules

/// Parses a matcher from JSON and collects all errors with their locations.
struct MatcherReader {
    static let members =
        PushField.allCases.filter { !PushField.verdictFields.contains($0) }.map(\.rawValue) + [
            "headers", "payload", "verdict", "lint", "q",
        ]

    private static let operators = Comparison.Operator.allCases.map(\.rawValue)
    private static let mostRequirements = 100

    private(set) var complaints: [Complaint] = []
    private(set) var matcher = PushMatcher()

    mutating func read(_ value: JSONValue, at pointer: String, now: Timestamp) {
        guard let members = object(value, at: pointer, known: Self.members) else { return }
        matcher.json = value
        for name in Self.members {
            guard let member = members[name] else { continue }
            let place = pointer + "/" + name
            switch name {
            case "headers": readHeaders(member, at: place)
            case "payload": readPayload(member, at: place)
            case "verdict": readVerdict(member, at: place)
            case "lint": readLint(member, at: place)
            case "q": readSearch(member, at: place, now: now)
            default:
                guard let field = PushField(rawValue: name) else { continue }
                add(.field(field), member, at: place)
            }
        }
        let count = matcher.requirements.count
        if count > Self.mostRequirements {
            complain("has \(count) conditions; \(Self.mostRequirements) are the most", at: pointer)
        }
    }

    private mutating func readHeaders(_ value: JSONValue, at pointer: String) {
        guard case .object(let headers) = value else {
            return complain("is \(value.summary); expected an object of header names", at: pointer)
        }
        for (name, wanted) in headers.sorted(by: { $0.key < $1.key }) {
            let place = pointer + "/" + JSONPointer.escaped(name)
            let lowered = name.lowercased()
            if name == lowered {
                add(.header(name), wanted, at: place)
            } else {
                let message = "is not in lower case, as header names of HTTP/2 are"
                complain(message, at: place, suggestion: lowered)
            }
        }
    }

    private mutating func readVerdict(_ value: JSONValue, at pointer: String) {
        let known = PushField.verdictFields.map(\.rawValue)
        guard let members = object(value, at: pointer, known: known) else { return }
        for field in PushField.verdictFields {
            guard let wanted = members[field.rawValue] else { continue }
            add(.field(field), wanted, at: pointer + "/" + field.rawValue)
        }
    }

    private mutating func readPayload(_ value: JSONValue, at pointer: String) {
        // A single condition needs no array around it.
        guard case .array(let conditions) = value else { return readPayloadCondition(value, at: pointer) }
        for (position, condition) in conditions.enumerated() {
            readPayloadCondition(condition, at: pointer + "/\(position)")
        }
    }

    private mutating func readPayloadCondition(_ value: JSONValue, at pointer: String) {
        guard var members = object(value, at: pointer, known: ["at"] + Self.operators) else { return }
        let at = members.removeValue(forKey: "at") ?? ""
        guard let place = at.string.flatMap({ JSONPointer($0) }) else {
            return complain("is \(at.summary); expected \(JSONPointer.expected)", at: pointer + "/at")
        }
        append(.payload(place), members, at: pointer)
    }

    private mutating func readSearch(_ value: JSONValue, at pointer: String, now: Timestamp) {
        guard case .string(let text) = value else {
            return complain("is \(value.summary); expected a search such as type:alert", at: pointer)
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            return complain("is empty; expected a search such as type:alert, or no 'q' at all", at: pointer)
        }
        do throws(SearchText.Failure) { matcher.search.append(try SearchText(text, now: now)) } catch {
            complain(error.message(in: text), at: pointer, suggestion: error.suggestion(in: text))
        }
    }

    /// Parses the `lint` member: a lint id, or operators on the list of lints with findings.
    private mutating func readLint(_ value: JSONValue, at pointer: String) {
        let count = matcher.requirements.count
        add(.lints, value, at: pointer)
        let comparisons = matcher.requirements.dropFirst(count).flatMap(\.comparisons)
        for id in comparisons.flatMap(\.texts) where Lint(rawValue: id) == nil {
            let nearest = Suggestion.nearest(to: id, among: Lint.allCases.map(\.id))
            let message = "is '\(id)'; expected the id of a lint, as in docs/lints.md"
            complain(message, at: pointer, suggestion: nearest)
        }
    }

    /// Converts a comparison with an id to one with a list of ids, because a list never equals an id.
    private static func listed(_ comparison: Comparison) -> Comparison {
        switch comparison {
        case .equals(let value): value.plainText.map { .contains($0) } ?? comparison
        // The list contains any of them, expressed as: not all of them are missing.
        case .among(let values): .not(values.map { .not([listed(.equals($0))]) })
        case .not(let comparisons): .not(comparisons.map(listed))
        default: comparison
        }
    }

    /// Adds a requirement for a value, which means `equals`, or for an object of operators.
    private mutating func add(_ subject: Requirement.Subject, _ value: JSONValue, at pointer: String) {
        switch value {
        case .object(let members):
            _ = object(value, at: pointer, known: Self.operators)
            append(subject, members, at: pointer)
        case .null: complain(#"is null; expected a value, or {"absent":true}"#, at: pointer)
        case .array: complain(#"is a list; expected a value, or {"in":[…]}"#, at: pointer)
        default:
            // Waiting for a misspelled value would never end.
            if case .field(let field) = subject, let text = value.plainText, !field.canBe(text) {
                let nearest = Suggestion.nearest(to: text, among: field.row.values)
                complain("is '\(text)'; expected \(field.expected)", at: pointer, suggestion: nearest)
            }
            append(subject, ["equals": value], at: pointer)
        }
    }

    private mutating func append(_ subject: Requirement.Subject, _ written: [String: JSONValue], at pointer: String) {
        guard let comparisons = comparisons(written, at: pointer) else { return }
        let adapted = comparisons.map { Self.adapted($0, to: subject) }
        matcher.requirements.append(Requirement(subject: subject, comparisons: adapted, written: written))
    }

    private mutating func comparisons(_ members: [String: JSONValue], at pointer: String) -> [Comparison]? {
        guard !members.isEmpty else {
            let names = Self.operators.joined(separator: ", ")
            complain("asks nothing; expected an operator: \(names)", at: pointer)
            return nil
        }
        var all: [Comparison] = []
        for kind in Comparison.Operator.allCases {
            guard let operand = members[kind.rawValue] else { continue }
            let place = pointer + "/" + kind.rawValue
            guard let comparison = comparison(kind, operand, at: place) else { return nil }
            all.append(comparison)
        }
        return all
    }

    private mutating func comparison(
        _ kind: Comparison.Operator, _ operand: JSONValue, at pointer: String
    ) -> Comparison? {
        switch (kind, operand) {
        case (.equals, _), (.equalsJSON, _): return .equals(operand)
        case (.includes, _): return .includes(operand)
        case (.contains, .string(let text)): return .contains(text)
        case (.startsWith, .string(let text)): return .startsWith(text)
        case (.endsWith, .string(let text)): return .endsWith(text)
        case (.in, .array(let values)): return .among(values)
        case (.present, .bool(let wanted)): return wanted ? .present : .absent
        case (.absent, .bool(let wanted)): return wanted ? .absent : .present
        case (.matches, .string(let text)):
            do throws(BoundedPattern.Failure) { return .matches(try BoundedPattern(text)) } catch {
                let place = "at character \(error.offset + 1)"
                complain("is not a regular expression: \(place), \(error.message)", at: pointer)
                return nil
            }
        case (.not, .object(let members)):
            guard object(operand, at: pointer, known: Self.operators) != nil else { return nil }
            return comparisons(members, at: pointer).map { .not($0) }
        case (.not, _): return .not([.equals(operand)])
        default: if let bound = operand.double, Comparison.orders[kind] != nil { return .number(kind, bound) }
        }
        complain("is \(operand.summary); expected \(kind.expects)", at: pointer)
        return nil
    }

    /// Converts a comparison to one with the form in which `Requirement.actual` returns the subject's value.
    private static func adapted(_ comparison: Comparison, to subject: Requirement.Subject) -> Comparison {
        if subject == .lints { return listed(comparison) }
        if case .field(let field) = subject, field.row.search == .entry { return listed(comparison) }
        guard case .field(let field) = subject, field.row.isCaseless else { return comparison }
        return switch comparison {
        case .equals(.string(let text)): .equals(.string(text.lowercased()))
        case .includes(.string(let text)): .includes(.string(text.lowercased()))
        case .contains(let text): .contains(text.lowercased())
        case .startsWith(let text): .startsWith(text.lowercased())
        case .endsWith(let text): .endsWith(text.lowercased())
        case .among(let values):
            .among(values.map { if case .string(let text) = $0 { .string(text.lowercased()) } else { $0 } })
        case .matches(let pattern): .matches(lowercased(pattern))
        case .not(let comparisons): .not(comparisons.map { adapted($0, to: subject) })
        default: comparison
        }
    }

    /// Converts the letters of a pattern to lowercase, except in escapes such as `\D`.
    private static func lowercased(_ pattern: BoundedPattern) -> BoundedPattern {
        var text = ""
        var isEscaped = false
        for character in pattern.text {
            text += isEscaped ? String(character) : character.lowercased()
            isEscaped = character == "\\" && !isEscaped
        }
        return (try? BoundedPattern(text)) ?? pattern
    }

    /// Returns the members of an object, and complains about unknown ones.
    private mutating func object(_ value: JSONValue, at pointer: String, known: [String]) -> [String: JSONValue]? {
        guard case .object(let members) = value else {
            complain("is \(value.summary); expected an object", at: pointer)
            return nil
        }
        for name in members.keys.sorted() where !known.contains(name) {
            let place = pointer + "/" + JSONPointer.escaped(name)
            let message = "is not known here; there are: \(known.joined(separator: ", "))"
            complain(message, at: place, suggestion: Suggestion.nearest(to: name, among: known))
        }
        return members
    }

    private mutating func complain(_ message: String, at pointer: String, suggestion: String? = nil) {
        complaints.append(Complaint(path: pointer, message: message, suggestion: suggestion))
    }
}
