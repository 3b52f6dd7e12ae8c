extension JSONValue {
    /// The number, rounded to a double, or `nil` for any other value.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value
        case .literal(let digits): Double(digits)
        case .null, .bool, .string, .array, .object, .written: nil
        }
    }

    /// A string's text, or a number or Boolean as written; `nil` for other values.
    public var plainText: String? {
        switch self {
        case .string(let text): text
        case .bool, .integer, .unsigned, .number, .literal: String(decoding: text, as: UTF8.self)
        case .null, .array, .object, .written: nil
        }
    }

    /// The elements of an array; empty for any other value.
    public var entries: [JSONValue] {
        guard case .array(let entries) = self else { return [] }
        return entries
    }

    /// The members of an object sorted by name; empty for any other value.
    public var sortedMembers: [(key: String, value: JSONValue)] {
        guard case .object(let members) = self else { return [] }
        return members.sortedByName
    }
}

extension JSONValue? {
    /// The elements of an array; empty for any other value.
    public var entries: [JSONValue] { self?.entries ?? [] }

    /// The members of an object sorted by name; empty for any other value.
    public var sortedMembers: [(key: String, value: JSONValue)] { self?.sortedMembers ?? [] }
}

extension [String: JSONValue] {
    /// The members sorted by name, byte by byte.
    ///
    /// `String`'s `<` is inconsistent for some combining characters: with a decomposed `é`, neither `é` nor `é;` is less
    /// than the other.
    public var sortedByName: [(key: String, value: JSONValue)] {
        sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}

// MARK: Messages

extension JSONValue {
    /// Longer texts are cut.
    private static let longestSummary = 60

    /// A short description for complaints: `'text'`, `the number 3`, `a list of 2 entries`.
    public var summary: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer, .unsigned, .number, .literal: "the number \(Self.cut(String(decoding: text, as: UTF8.self)))"
        case .string(let text): "'\(Self.cut(text))'"
        case .array(let values): "a list of \(counted(values.count, "entry", "entries"))"
        case .object, .written: "an object"
        }
    }

    private static func cut(_ text: String) -> String {
        let start = text.prefix(longestSummary)
        return start.endIndex == text.endIndex ? text : start + "…"
    }
}
