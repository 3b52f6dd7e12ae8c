package import MockAPNsFormats
package import MockAPNsRules
internal import MockAPNsWorld

/// A search, such as `type:alert is:rejected !is:delivered "order 17"`.
///
/// The page, `q=`, the command line and deletes share this syntax. All terms must match. An invalid term is an error
/// with its location and is never ignored.
package struct SearchText: Sendable {
    package struct Failure: Error, Equatable {
        /// The zero-based offset of the term, in characters.
        package let offset: Int
        /// The length of the term, in characters.
        package let length: Int
        package let problem: String
        package var suggestion: String?

        /// Returns the error message, followed by the text with carets under the term.
        package func message(in text: String) -> String {
            let line = text.map { $0.isNewline ? " " : $0 }
            let start = max(0, offset - 40)
            let end = min(line.count, offset + max(length, 1) + 20)
            let shown = (start > 0 ? "…" : "") + String(line[start..<max(start, end)])
            let caret =
                String(repeating: " ", count: offset - start + (start > 0 ? 1 : 0))
                + String(repeating: "^", count: max(1, min(length, 60)))
            return
                "has a term that cannot be read at character \(offset + 1): \(problem)\n  \(shown)\n  \(caret)"
        }
    }

    package static let longest = 2_000

    package let text: String
    package let condition: Condition

    /// Relative times such as `-5m` refer to `now`.
    package init(_ text: String, now: Timestamp) throws(Failure) {
        guard text.count <= Self.longest else {
            throw Failure(
                offset: Self.longest,
                length: 1,
                problem: "a search has \(Self.longest) characters at most"
            )
        }
        var scanner = SearchScanner(text)
        var conditions: [Condition] = []
        while let term = try scanner.next() {
            let condition = try SearchTerm.condition(term, now: now)
            conditions.append(term.isNegated ? .not(condition) : condition)
        }
        self.text = text
        condition = .all(conditions)
    }

    /// Returns whether a search uses an outcome, status or reason, or `false` if the search is invalid.
    ///
    /// If not, assertions count only accepted pushes, and so does the command line when it waits for pushes.
    package static func asksForVerdict(_ text: String) -> Bool {
        // The time does not affect which fields are used.
        guard let search = try? SearchText(text, now: Timestamp(microseconds: 0)) else { return false }
        return search.condition.asks(forAnyOf: PushField.verdictFields)
    }
}

package struct SearchScanner {
    package struct Term {
        package let offset: Int
        package let length: Int
        let isNegated: Bool
        /// The keyword before the colon, or `nil` for plain text.
        package let word: String?
        /// The unquoted value after the colon, or the plain text.
        package let value: String
        /// The value after the `=` of a `payload:` term.
        package let wanted: String?

        package func failure(_ problem: String, suggestion: String? = nil) -> SearchText.Failure {
            SearchText.Failure(offset: offset, length: length, problem: problem, suggestion: suggestion)
        }
    }

    private let characters: [Character]
    private var at = 0

    init(_ text: String) { characters = Array(text) }

    package mutating func next() throws(SearchText.Failure) -> Term? {
        while at < characters.count, characters[at].isWhitespace { at += 1 }
        guard at < characters.count else { return nil }
        let start = at
        let isNegated = take("!")
        var word: String?
        var value = ""
        var wanted: String?
        if isAtQuote {
            value = try quoted()
        } else {
            value = plain(until: [":"])
            if take(":") {
                word = value
                let isPayload = word == "payload"
                value = try self.value(until: isPayload ? ["="] : [])
                if isPayload, take("=") { wanted = try self.value(until: []) }
            } else if value.isEmpty {
                throw SearchText.Failure(offset: start, length: 1, problem: "nothing follows the '!'")
            }
        }
        return Term(
            offset: start,
            length: at - start,
            isNegated: isNegated,
            word: word,
            value: value,
            wanted: wanted
        )
    }

    private mutating func value(until ends: Set<Character>) throws(SearchText.Failure) -> String {
        isAtQuote ? try quoted() : plain(until: ends)
    }

    private var isAtQuote: Bool { at < characters.count && characters[at] == "\"" }

    private mutating func take(_ character: Character) -> Bool {
        guard at < characters.count, characters[at] == character else { return false }
        at += 1
        return true
    }

    private mutating func plain(until ends: Set<Character>) -> String {
        let start = at
        while at < characters.count, !characters[at].isWhitespace, !ends.contains(characters[at]) { at += 1 }
        return String(characters[start..<at])
    }

    /// Parses quoted text, where a backslash escapes the next character.
    private mutating func quoted() throws(SearchText.Failure) -> String {
        let start = at
        at += 1
        var text = ""
        while at < characters.count {
            let character = characters[at]
            at += 1
            switch character {
            case "\"": return text
            case "\\" where at < characters.count:
                text.append(characters[at])
                at += 1
            default: text.append(character)
            }
        }
        throw SearchText.Failure(offset: start, length: at - start, problem: "the quote is not closed")
    }
}

/// The conditions for the terms of a search; names of fields are in the rows of `PushField`.
package enum SearchTerm {
    package static let states: [(name: String, condition: Condition)] = [
        ("accepted", field(.outcome, .equals("accepted"))),
        ("rejected", field(.outcome, .equals("rejected"))),
        ("delivered", field(.delivery, .startsWith("delivered"))),
        ("stored", field(.delivery, .startsWith("stored"))),
        ("discarded", field(.delivery, .startsWith("discarded"))),
        ("linted", .lint(Lint.all)),
        ("verified", .verified),
        ("unverified", .not(.verified)),
    ]

    package static let members: [(name: String, condition: Condition)] = [
        ("alert", payload("/aps/alert")), ("title", field(.title, .present)),
        ("body", field(.body, .present)), ("badge", payload("/aps/badge")),
        ("sound", payload("/aps/sound")), ("category", payload("/aps/category")),
        ("thread", payload("/aps/thread-id")), ("collapse", field(.collapseId, .present)),
        ("expiration", field(.expiration, .present)), ("device", field(.device, .present)),
        ("lint", .lint(Lint.all)), ("payload", payload("")), ("reason", field(.reason, .present)),
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
        case "lint": return try pick(term, from: Lint.allCases.map { ($0.rawValue, .lint([$0])) })
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
        if !field.canBe(text) { throw isNone(term, of: row.values) }
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
        throw isNone(term, of: table.map(\.name))
    }

    private static func isNone(_ term: SearchScanner.Term, of names: [String]) -> SearchText.Failure {
        term.failure(
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
        .requirement(Requirement(subject: subject, comparisons: [comparison]))
    }
}
