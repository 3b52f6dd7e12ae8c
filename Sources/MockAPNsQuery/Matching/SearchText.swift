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

/// Determines whether a search specifies a verdict.
///
/// If it does not, assertions count only accepted pushes. The command line uses this to apply the same rule when
/// waiting for pushes.
package enum SearchVerdict {
    /// Returns whether the search uses an outcome, status or reason, or `false` if the search is invalid.
    package static func isAsked(by text: String) -> Bool {
        // The time does not affect which fields are used.
        guard let search = try? SearchText(text, now: Timestamp(microseconds: 0)) else { return false }
        return search.condition.asks(forAnyOf: PushField.verdictFields)
    }
}
