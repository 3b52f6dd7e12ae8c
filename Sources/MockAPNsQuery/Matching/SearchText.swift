package import MockAPNsRules

/// A search, such as `type:alert (is:rejected OR lint:jwt-expired) NOT "order 17"`.
///
/// The page, `q=`, the command line, deletes and faults share this syntax. An invalid search is an error with its
/// location; no part of it is ignored.
package struct SearchText: Sendable {
    package struct Failure: Error, Equatable {
        /// The zero-based offset of the invalid part, in characters.
        package let offset: Int
        /// The length of the invalid part, in characters.
        package let length: Int
        package let problem: String
        /// The invalid part as it was probably meant.
        package var mended: String?

        /// Returns the search with the invalid part as it was probably meant, or `nil`.
        package func suggestion(in text: String) -> String? {
            guard let mended else { return nil }
            let characters = Array(text)
            // The sign of a term is part of it.
            let sign = characters[offset] == "!" || characters[offset] == "-" ? String(characters[offset]) : ""
            return String(characters[..<offset]) + sign + mended + String(characters[(offset + length)...])
        }

        /// Returns the error message, followed by the text with carets under the invalid part.
        package func message(in text: String) -> String {
            let line = text.map { $0.isNewline ? " " : $0 }
            let start = max(0, offset - 40)
            let end = min(line.count, offset + max(length, 1) + 20)
            let shown = (start > 0 ? "…" : "") + String(line[start..<max(start, end)])
            let space = String(repeating: " ", count: offset - start + (start > 0 ? 1 : 0))
            let carets = String(repeating: "^", count: max(1, min(length, 60)))
            return "is invalid at character \(offset + 1): \(problem)\n  \(shown)\n  \(space)\(carets)"
        }
    }

    package static let longest = 2_000

    package let text: String
    package let expression: SearchExpression

    /// Relative times such as `-5m` refer to `now`.
    package init(_ text: String, now: Timestamp) throws(Failure) {
        let tooLong = "a search has \(Self.longest) characters at most"
        guard text.count <= Self.longest else { throw Failure(offset: Self.longest, length: 1, problem: tooLong) }
        var parser = try SearchParser(text, now: now)
        self.text = text
        expression = try parser.search()
    }

    package var condition: Condition { expression.condition }

    /// Returns whether a search uses an outcome, status or reason, or `false` if the search is invalid.
    ///
    /// If not, assertions count only accepted pushes, and so does the command line when it waits for pushes.
    package static func asksForVerdict(_ text: String) -> Bool {
        // The time does not affect which fields are used.
        guard let search = try? SearchText(text, now: Timestamp(microseconds: 0)) else { return false }
        return search.condition.asksForVerdict
    }
}
