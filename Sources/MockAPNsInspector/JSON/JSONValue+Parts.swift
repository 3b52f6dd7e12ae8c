extension JSONValue {
    /// The entries of a list; none for any other value.
    var entries: [JSONValue] {
        guard case .array(let entries) = self else { return [] }
        return entries
    }

    /// The members of an object, in the order of their names; none for any other value.
    var sortedMembers: [(key: String, value: JSONValue)] {
        guard case .object(let members) = self else { return [] }
        return members.sorted { $0.key < $1.key }
    }
}

extension JSONValue? {
    /// The entries of a list; none for any other value.
    var entries: [JSONValue] { self?.entries ?? [] }

    /// The members of an object, in the order of their names; none for any other value.
    var sortedMembers: [(key: String, value: JSONValue)] { self?.sortedMembers ?? [] }
}
