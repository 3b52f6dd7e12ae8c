package import MockAPNsFormats

/// The place in a document with localized texts that is being read, and the complaints.
struct TextReader {
    /// More complaints help nobody, and a document can have any number of mistakes.
    private static let most = 20

    private var way: [String] = []
    private(set) var complaints: [Complaint] = []

    mutating func complain(_ message: String, suggestion: String? = nil) {
        guard complaints.count < Self.most else { return }
        let path = way.map { "/" + JSONPointer.escaped($0) }.joined()
        complaints.append(Complaint(path: path, message: message, suggestion: suggestion))
    }

    /// Reads a part of the value.
    mutating func inside<Result>(_ name: String, _ read: (inout TextReader) -> Result) -> Result {
        way.append(name)
        defer { way.removeLast() }
        return read(&self)
    }

    /// Throws if there are complaints.
    func finish() throws(TextFlaws) { if !complaints.isEmpty { throw TextFlaws(complaints: complaints) } }

    // MARK: Members of JSON

    /// Returns the members of an object; complains of another value.
    mutating func members(of value: JSONValue, _ what: String) -> [(key: String, value: JSONValue)]? {
        if case .object(let members) = value { return members.sortedByName }
        complain("is \(value.words); expected \(what)")
        return nil
    }

    /// Returns a member as a text; complains of another value, and if the member is missing unless it may be.
    mutating func text(_ name: String, of value: JSONValue, isRequired: Bool = false) -> String? {
        switch value[name] {
        case .string(let text)?: return text
        case nil: if isRequired { inside(name) { $0.complain("is missing; expected a text") } }
        case let other?: inside(name) { $0.complain("is \(other.words); expected a text") }
        }
        return nil
    }

    /// Complains of a member that is not a Boolean.
    mutating func checkFlag(_ name: String, of value: JSONValue) {
        switch value[name] {
        case nil, .bool?: return
        case let other?: inside(name) { $0.complain("is \(other.words); expected true or false") }
        }
    }

    /// Reads forms by their names; complains of a name that is unknown.
    mutating func forms<Name: CaseIterable & Hashable & RawRepresentable<String>, Value>(
        _ members: [(key: String, value: Value)], _ what: String, _ read: (Value, inout TextReader) -> TextForm?
    ) -> [Name: TextForm] {
        var forms: [Name: TextForm] = [:]
        let names = Name.allCases.map(\.rawValue)
        for (key, value) in members {
            inside(key) { reader in
                guard let name = Name(rawValue: key) else {
                    return reader.complain(
                        "is not a \(what); expected one of \(names.joined(separator: ", "))",
                        suggestion: Suggestion.nearest(to: key, among: names))
                }
                forms[name] = read(value, &reader)
            }
        }
        return forms
    }
}

/// The reason why a document with localized texts was refused.
package struct TextFlaws: Error, Equatable {
    /// At least one; the paths are JSON Pointers, also in property lists.
    package let complaints: [Complaint]

    /// The complaints as sentences.
    package var text: String {
        complaints.map { complaint in
            let suggestion = complaint.suggestion.map { " (did you mean '\($0)'?)" } ?? ""
            return
                "\(complaint.path.isEmpty ? "The document" : "'\(complaint.path)'") \(complaint.message)\(suggestion)."
        }.joined(separator: " ")
    }
}
