package import MockAPNsFormats
package import MockAPNsRules

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
            let space = String(repeating: " ", count: offset - start + (start > 0 ? 1 : 0))
            let carets = String(repeating: "^", count: max(1, min(length, 60)))
            let place = "has a term that cannot be read at character \(offset + 1)"
            return "\(place): \(problem)\n  \(shown)\n  \(space)\(carets)"
        }
    }

    package static let longest = 2_000

    package let text: String
    package let condition: Condition

    /// Relative times such as `-5m` refer to `now`.
    package init(_ text: String, now: Timestamp) throws(Failure) {
        let tooLong = "a search has \(Self.longest) characters at most"
        guard text.count <= Self.longest else {
            throw Failure(offset: Self.longest, length: 1, problem: tooLong)
        }
        var scanner = SearchScanner(text)
        var conditions: [Condition] = []
        while let term = try scanner.next() {
            let condition = try term.condition(now: now)
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

struct SearchScanner {
    /// The characters that have not been read; their indices are offsets in the text.
    private var rest: ArraySlice<Character>

    init(_ text: String) { rest = Array(text)[...] }

    mutating func next() throws(SearchText.Failure) -> SearchTerm? {
        rest = rest.drop(while: \.isWhitespace)
        guard !rest.isEmpty else { return nil }
        var term = SearchTerm(offset: rest.startIndex)
        term.isNegated = take("!")
        if rest.first == "\"" {
            term.value = try quoted()
        } else {
            term.value = plain(until: [":"])
            if take(":") {
                term.word = term.value
                let isPayload = term.word == "payload"
                term.value = try value(until: isPayload ? ["="] : [])
                if isPayload, take("=") { term.wanted = try value(until: []) }
            } else if term.value.isEmpty {
                throw SearchText.Failure(offset: term.offset, length: 1, problem: "nothing follows the '!'")
            }
        }
        term.length = rest.startIndex - term.offset
        return term
    }

    private mutating func value(until ends: Set<Character>) throws(SearchText.Failure) -> String {
        rest.first == "\"" ? try quoted() : plain(until: ends)
    }

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func plain(until ends: Set<Character>) -> String {
        let part = rest.prefix { !$0.isWhitespace && !ends.contains($0) }
        rest = rest[part.endIndex...]
        return String(part)
    }

    /// Parses quoted text, where a backslash escapes the next character.
    private mutating func quoted() throws(SearchText.Failure) -> String {
        let start = rest.startIndex
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return text
            case "\\": text.append(rest.popFirst() ?? character)
            default: text.append(character)
            }
        }
        let length = rest.startIndex - start
        throw SearchText.Failure(offset: start, length: length, problem: "the quote is not closed")
    }
}

/// A term of a search; the names of fields are in the rows of `PushField`.
package struct SearchTerm {
    package typealias Failure = SearchText.Failure

    let offset: Int
    var length = 0
    var isNegated = false
    /// The keyword before the colon, or `nil` for plain text.
    var word: String?
    /// The unquoted value after the colon, or the plain text.
    var value = ""
    /// The value after the `=` of a `payload:` term.
    var wanted: String?

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

    package static var words: [String] {
        PushField.allCases.flatMap(\.words)
            + ["is", "has", "lint", "payload", "header", "after", "before", "text"]
    }

    func condition(now: Timestamp) throws(Failure) -> Condition {
        guard let word else { return .text(value) }
        if let field = PushField.allCases.first(where: { $0.words.contains(word) }) {
            return try condition(on: field)
        }
        switch word {
        case "is": return try pick(from: Self.states)
        case "has": return try pick(from: Self.members)
        case "lint": return try pick(from: Lint.allCases.map { ($0.rawValue, .lint([$0])) })
        case "payload": return try payload()
        case "header": return try header()
        case "text": return .text(try given("a text"))
        case "after": return try moment(now, seq: Condition.after, time: Condition.since)
        case "before": return try moment(now, seq: Condition.before, time: Condition.until)
        default:
            let known = "there are: \(Self.words.joined(separator: ", "))"
            let problem = "'\(word):' is not known; \(known). Quotes make it a text to look for"
            throw failure(problem, suggestion: Suggestion.nearest(to: word, among: Self.words))
        }
    }

    private func condition(on field: PushField) throws(Failure) -> Condition {
        let row = field.row
        var text = try given("a value")
        if !field.canBe(text) { throw isNone(of: row.values) }
        if row.isCaseless { text = text.lowercased() }
        switch field {
        // These values are long, so match any part.
        case .token, .title, .body: return Self.field(field, .contains(text))
        case .device where text.hasPrefix("@"):
            return Self.field(field, .equals(.string(String(text.dropFirst()))))
        default: return Self.field(field, .equals(.string(text)))
        }
    }

    private func payload() throws(Failure) -> Condition {
        guard let pointer = JSONPointer(value) else {
            throw failure("'\(value)' is not \(JSONPointer.expected)")
        }
        guard let wanted else { return Self.requirement(.payload(pointer), .present) }
        return Self.payload(pointer, equals: wanted)
    }

    /// Returns the condition that a payload value equals a text, or the JSON value that the text represents.
    package static func payload(_ pointer: JSONPointer, equals wanted: String) -> Condition {
        let asText = requirement(.payload(pointer), .equals(.string(wanted)))
        guard let value = JSONParser.value(of: Array(wanted.utf8)) else { return asText }
        return .any([asText, requirement(.payload(pointer), .equals(value))])
    }

    private func header() throws(Failure) -> Condition {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first?.lowercased(), !name.isEmpty else {
            throw failure("expected a header, as in header:apns-priority=10")
        }
        guard parts.count > 1 else { return Self.requirement(.header(name), .present) }
        return Self.requirement(.header(name), .equals(.string(String(parts[1]))))
    }

    private func moment(
        _ now: Timestamp,
        seq: (UInt64) -> Condition,
        time: (Timestamp) -> Condition
    ) throws(Failure) -> Condition {
        if value.hasPrefix("seq:"), let number = UInt64(digits: String(value.dropFirst(4))) {
            return seq(number)
        }
        if let moment = Timestamp(rfc3339: value) { return time(moment) }
        if value.hasPrefix("-"), let ago = DurationText.microseconds(value) {
            let (moment, overflow) = now.microseconds.addingReportingOverflow(ago)
            return time(Timestamp(microseconds: overflow ? .min : moment))
        }
        throw failure("invalid time '\(value)': expected seq:1800, -5m or 2026-01-05T10:11:12Z")
    }

    private func given(_ expected: String) throws(Failure) -> String {
        guard !value.isEmpty else { throw failure("expected \(expected) after the colon") }
        return value
    }

    private func pick(from table: [(name: String, condition: Condition)]) throws(Failure) -> Condition {
        if let row = table.first(where: { $0.name == value }) { return row.condition }
        throw isNone(of: table.map(\.name))
    }

    private func isNone(of names: [String]) -> Failure {
        let problem = "'\(value)' is none of \(names.joined(separator: ", "))"
        return failure(problem, suggestion: Suggestion.nearest(to: value, among: names))
    }

    private func failure(_ problem: String, suggestion: String? = nil) -> Failure {
        Failure(offset: offset, length: length, problem: problem, suggestion: suggestion)
    }

    private static func field(_ field: PushField, _ comparison: Comparison) -> Condition {
        requirement(.field(field), comparison)
    }

    private static func payload(_ pointer: String) -> Condition {
        JSONPointer(pointer).map { requirement(.payload($0), .present) } ?? .all([])
    }

    private static func requirement(_ subject: Requirement.Subject, _ comparison: Comparison) -> Condition {
        .requirement(Requirement(subject: subject, comparisons: [comparison]))
    }
}
