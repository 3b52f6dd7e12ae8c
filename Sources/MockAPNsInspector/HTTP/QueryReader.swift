internal import MockAPNsFormats

/// Reads the query of a request against the parameters that its route knows, and collects every complaint.
///
/// No parameter is ever ignored: a filter that does not filter is worse than an error.
struct QueryReader {
    /// What stands behind the name of a parameter that has a name of its own in brackets: `payload[/aps/badge]`.
    static let familyMark = "[]"

    private var given: [(name: String, value: String)] = []
    private var complaints: [Complaint] = []

    /// Splits a query, and complains of every parameter that is not among `known`.
    init(_ query: String, known: [String]) {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true),
                let value = PercentEncoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else {
                complain(String(pair), "is not percent-encoded UTF-8")
                continue
            }
            guard known.contains(name) || Self.member(of: name).map({ known.contains($0.family) }) == true
            else {
                let list = known.isEmpty ? "it takes none" : "it takes: " + known.joined(separator: ", ")
                complain(
                    name,
                    "is no parameter of this path; \(list)",
                    Suggestion.nearest(to: name, among: known)
                )
                continue
            }
            given.append((name, value))
        }
    }

    /// Every value of a parameter that may be repeated; repetition means "or".
    mutating func values<Value>(_ name: String, _ form: Form<Value>) -> [Value] {
        var values: [Value] = []
        for parameter in given where parameter.name == name {
            if let value = form.read(.string(parameter.value)) {
                values.append(value)
            } else {
                complain(
                    name,
                    "has the value '\(parameter.value)'; expected \(form.expected)",
                    Suggestion.nearest(to: parameter.value, among: form.candidates)
                )
            }
        }
        return values
    }

    /// The value of a parameter that may be given once.
    mutating func value<Value>(_ name: String, _ form: Form<Value>) -> Value? {
        if given.count(where: { $0.name == name }) > 1 { complain(name, "is given more than once") }
        return values(name, form).first
    }

    /// The parameters of a family, by their names in brackets; `name` is the one before these.
    mutating func family<Key>(_ name: String, _ form: Form<Key>) -> [(key: Key, value: String)] {
        var members: [(key: Key, value: String)] = []
        for parameter in given {
            guard let member = Self.member(of: parameter.name), member.family == name + Self.familyMark else {
                continue
            }
            if let key = form.read(.string(member.key)) {
                members.append((key, parameter.value))
            } else {
                complain(parameter.name, "has '\(member.key)' in brackets; expected \(form.expected)")
            }
        }
        return members
    }

    /// Splits `payload[/aps/badge]` into the family `payload[]` and what is in the brackets.
    private static func member(of name: String) -> (family: String, key: String)? {
        guard name.hasSuffix("]"), let bracket = name.firstIndex(of: "[") else { return nil }
        let key = name[name.index(after: bracket)...].dropLast()
        return (name[..<bracket] + familyMark, String(key))
    }

    /// Ends the reading.
    ///
    /// - Throws: `Problem` with all complaints, when there are any.
    func finish() throws(Problem) {
        guard !complaints.isEmpty else { return }
        let detail = complaints.map { complaint in
            let suggestion = complaint.suggestion.map { " (did you mean '\($0)'?)" } ?? ""
            return "'\(complaint.path)' \(complaint.message)\(suggestion)."
        }
        throw Problem(
            kind: .badParameter,
            detail: detail.joined(separator: " "),
            complaints: complaints
        )
    }

    /// Complains of a parameter.
    mutating func complain(_ name: String, _ message: String, _ suggestion: String? = nil) {
        complaints.append(Complaint(path: name, message: message, suggestion: suggestion))
    }
}
