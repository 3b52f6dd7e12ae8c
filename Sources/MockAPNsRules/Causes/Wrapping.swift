/// What programs put around a value when they print it, such as quotes, brackets or `Optional(…)`.
package enum Wrapping {
    /// What precedes a value, in lower case.
    ///
    /// To add one, add a row.
    static let openings = ["optional(", "some(", "b'", "b\"", "u'", "u\"", "@\""]

    static let edges = Set("\"'`“”‘’„«»‹›<>()[]{},;\u{200b}\u{2060}\u{feff}")

    /// Returns a value without what is around it; the text itself if there is nothing.
    package static func inside(_ text: String) -> String {
        var rest = text[...]
        while let first = rest.first {
            let start = rest.prefix(10).lowercased()
            if let opening = openings.first(where: start.hasPrefix) {
                rest.removeFirst(opening.count)
            } else if isEdge(first) {
                rest.removeFirst()
            } else {
                break
            }
        }
        while let last = rest.last, isEdge(last) { rest.removeLast() }
        return String(rest)
    }

    private static func isEdge(_ character: Character) -> Bool { edges.contains(character) || character.isWhitespace }
}
