package import MockAPNsFormats
package import MockAPNsRules
internal import MockAPNsWorld

/// Converts the terms of a search to conditions.
///
/// To add a name for a field, add it to the field's row. To add a state or member, add a line to the tables here.
package enum SearchTerm {
    package static let states: [(name: String, condition: Condition)] = [
        ("accepted", field(.outcome, .equals("accepted"))),
        ("rejected", field(.outcome, .equals("rejected"))),
        ("delivered", field(.delivery, .startsWith("delivered"))),
        ("stored", field(.delivery, .startsWith("stored"))),
        ("discarded", field(.delivery, .startsWith("discarded"))),
        ("linted", .noted(.lint(Lint.all))),
        ("verified", .noted(.verified)),
        ("unverified", .not(.noted(.verified))),
    ]

    package static let members: [(name: String, condition: Condition)] = [
        ("alert", payload("/aps/alert")), ("title", field(.title, .present)),
        ("body", field(.body, .present)), ("badge", payload("/aps/badge")),
        ("sound", payload("/aps/sound")), ("category", payload("/aps/category")),
        ("thread", payload("/aps/thread-id")), ("collapse", field(.collapseId, .present)),
        ("expiration", field(.expiration, .present)), ("device", field(.device, .present)),
        ("lint", .noted(.lint(Lint.all))), ("payload", payload("")), ("reason", field(.reason, .present)),
    ]

    static let otherWords = ["is", "has", "lint", "payload", "header", "after", "before", "text"]

    package static var words: [String] { PushField.allCases.flatMap(\.row.words) + otherWords }

    package static func condition(
        _ term: SearchScanner.Term,
        now: Timestamp
    ) throws(SearchText.Failure) -> Condition {
        guard let word = term.word else { return .text(term.value) }
        if let field = PushField(word: word) { return try condition(field, term) }
        switch word {
        case "is": return try pick(term, from: states)
        case "has": return try pick(term, from: members)
        case "lint":
            return try pick(term, from: Lint.allCases.map { ($0.rawValue, .noted(.lint([$0]))) })
        case "payload": return try payload(term)
        case "header": return try header(term)
        case "text": return .text(try value(term, "a text"))
        case "after": return try moment(term, now, seq: { .after($0) }, time: { .since($0) })
        case "before": return try moment(term, now, seq: { .before($0) }, time: { .until($0) })
        default:
            let known = words.joined(separator: ", ")
            throw term.failure(
                "'\(word):' is not known; there are: \(known). Quotes make it a text to look for",
                suggestion: Suggestion.nearest(to: word, among: words)
            )
        }
    }

    private static func condition(
        _ field: PushField,
        _ term: SearchScanner.Term
    ) throws(SearchText.Failure) -> Condition {
        let row = field.row
        var text = try value(term, "a value")
        if !row.values.isEmpty, field != .pushType, !row.values.contains(text) {
            throw term.failure(
                "'\(text)' is none of \(row.values.joined(separator: ", "))",
                suggestion: Suggestion.nearest(to: text, among: row.values)
            )
        }
        if row.isCaseless { text = text.lowercased() }
        switch field {
        // These values are long, so match any part.
        case .token, .title, .body: return self.field(field, .contains(text))
        case .device:
            let label = text.hasPrefix("@") ? String(text.dropFirst()) : text
            return self.field(.device, .equals(.string(label)))
        default: return self.field(field, .equals(.string(text)))
        }
    }

    private static func payload(_ term: SearchScanner.Term) throws(SearchText.Failure) -> Condition {
        guard let pointer = JSONPointer(term.value) else {
            throw term.failure("'\(term.value)' is no \(JSONPointer.expected)")
        }
        guard let wanted = term.wanted else { return requirement(.payload(pointer), .present) }
        return payload(pointer, equals: wanted)
    }

    /// Returns the condition that a payload value equals a text, or the JSON value that the text represents.
    package static func payload(_ pointer: JSONPointer, equals wanted: String) -> Condition {
        let asText = requirement(.payload(pointer), .equals(.string(wanted)))
        guard let value = JSONParser.value(of: Array(wanted.utf8)) else { return asText }
        return .any([asText, requirement(.payload(pointer), .equals(value))])
    }

    private static func header(_ term: SearchScanner.Term) throws(SearchText.Failure) -> Condition {
        let parts = term.value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first?.lowercased(), !name.isEmpty else {
            throw term.failure("expected a header, as in header:apns-priority=10")
        }
        guard parts.count > 1 else { return requirement(.header(name), .present) }
        return requirement(.header(name), .equals(.string(String(parts[1]))))
    }

    private static func moment(
        _ term: SearchScanner.Term,
        _ now: Timestamp,
        seq: (UInt64) -> Condition,
        time: (Timestamp) -> Condition
    ) throws(SearchText.Failure) -> Condition {
        if term.value.hasPrefix("seq:"), let number = UInt64(digits: String(term.value.dropFirst(4))) {
            return seq(number)
        }
        if let moment = Timestamp(rfc3339: term.value) { return time(moment) }
        if term.value.hasPrefix("-"), let ago = DurationText.microseconds(term.value) {
            let (moment, overflow) = now.microseconds.addingReportingOverflow(ago)
            return time(Timestamp(microseconds: overflow ? .min : moment))
        }
        throw term.failure(
            "'\(term.value)' is no moment; expected seq:1800, -5m or 2026-01-05T10:11:12Z"
        )
    }

    private static func value(
        _ term: SearchScanner.Term,
        _ expected: String
    ) throws(SearchText.Failure) -> String {
        guard !term.value.isEmpty else { throw term.failure("\(expected) is expected behind the colon") }
        return term.value
    }

    private static func pick(
        _ term: SearchScanner.Term,
        from table: [(name: String, condition: Condition)]
    ) throws(SearchText.Failure) -> Condition {
        if let row = table.first(where: { $0.name == term.value }) { return row.condition }
        let names = table.map(\.name)
        throw term.failure(
            "'\(term.value)' is none of \(names.joined(separator: ", "))",
            suggestion: Suggestion.nearest(to: term.value, among: names)
        )
    }

    private static func field(_ field: PushField, _ comparison: Comparison) -> Condition {
        requirement(.field(field), comparison)
    }

    private static func payload(_ pointer: String) -> Condition {
        JSONPointer(pointer).map { requirement(.payload($0), .present) } ?? .always
    }

    private static func requirement(_ subject: Requirement.Subject, _ comparison: Comparison) -> Condition {
        .requirement(Requirement(subject, [comparison]))
    }
}
