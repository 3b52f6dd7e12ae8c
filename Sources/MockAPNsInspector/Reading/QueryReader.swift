internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules

/// Reads the query of a request, and collects every complaint.
///
/// No parameter is ever ignored: a filter that does not filter is worse than an error.
struct QueryReader {
    /// The end of the name of a family of parameters, which have names of their own in brackets: `payload[/aps/badge]`.
    static let familyMark = "[]"

    /// The time that searches count from.
    let now: Timestamp
    private var given: [(name: String, value: String)] = []
    private var complaints: [Complaint] = []

    /// Splits a query, and complains of every parameter that is not among `known`.
    init(_ query: String, known: [String], now: Timestamp) {
        self.now = now
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
                    "is not a parameter of this path; \(list)",
                    Suggestion.nearest(to: name, among: known)
                )
                continue
            }
            given.append((name, value))
        }
    }

    /// The values of a parameter as they were given.
    func texts(_ name: String) -> [String] { given.filter { $0.name == name }.map(\.value) }

    /// The values of a parameter.
    mutating func values<Value>(_ name: String, _ form: Form<Value>) -> [Value] {
        texts(name).compactMap { text in
            // The complaint is worded for a query here.
            var body = BodyReader(use: .request, now: now)
            if let value = form.read(.string(text), &body) { return value }
            complain(
                name,
                "has the value '\(text)'; expected \(form.expected)",
                Suggestion.nearest(to: text, among: form.candidates)
            )
            return nil
        }
    }

    /// The parameters of a family, by their names in brackets; `name` ends with the mark.
    mutating func family<Key>(_ name: String, _ form: Form<Key>) -> [(key: Key, value: String)] {
        given.compactMap { parameter in
            guard let member = Self.member(of: parameter.name), member.family == name else { return nil }
            var body = BodyReader(use: .request, now: now)
            if let key = form.read(.string(member.key), &body) { return (key, parameter.value) }
            complain(parameter.name, "has '\(member.key)' in brackets; expected \(form.expected)")
            return nil
        }
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
