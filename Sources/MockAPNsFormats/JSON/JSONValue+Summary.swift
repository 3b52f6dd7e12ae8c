extension JSONValue {
    /// Longer texts are cut.
    private static let longestSummary = 60

    /// A short description for complaints: `'text'`, `the number 3`, `a list of 2 entries`.
    public var summary: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer, .unsigned, .number, .literal:
            "the number \(Self.cut(String(decoding: text, as: UTF8.self)))"
        case .string(let text): "'\(Self.cut(text))'"
        case .array(let values): values.count == 1 ? "a list of 1 entry" : "a list of \(values.count) entries"
        case .object, .written: "an object"
        }
    }

    private static func cut(_ text: String) -> String {
        let start = text.prefix(longestSummary)
        return start.endIndex == text.endIndex ? text : start + "…"
    }
}
