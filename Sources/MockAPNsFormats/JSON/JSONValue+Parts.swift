extension JSONValue {
    /// The number that it is, as near as a double comes.
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value
        case .literal(let digits): Double(digits)
        case .null, .bool, .string, .array, .object, .written: nil
        }
    }

    /// A text as it is, a number or a truth value as it is written; `nil` for the others.
    package var plainText: String? {
        switch self {
        case .string(let text): text
        case .bool, .integer, .unsigned, .number, .literal: String(decoding: text, as: UTF8.self)
        case .null, .array, .object, .written: nil
        }
    }

    /// The entries of a list; none for any other value.
    package var entries: [JSONValue] {
        guard case .array(let entries) = self else { return [] }
        return entries
    }

    /// The members of an object, in the order of their names; none for any other value.
    package var sortedMembers: [(key: String, value: JSONValue)] {
        guard case .object(let members) = self else { return [] }
        return members.sortedByName
    }
}

extension JSONValue? {
    /// The entries of a list; none for any other value.
    package var entries: [JSONValue] { self?.entries ?? [] }

    /// The members of an object, in the order of their names; none for any other value.
    package var sortedMembers: [(key: String, value: JSONValue)] { self?.sortedMembers ?? [] }
}

extension [String: JSONValue] {
    /// The members in the order of their names, byte by byte.
    ///
    /// `String`'s `<` gives no consistent order for some names with combining characters: of `é`, written as `e` and an
    /// accent, and `é;`, neither is less than the other.
    package var sortedByName: [(key: String, value: JSONValue)] {
        sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
