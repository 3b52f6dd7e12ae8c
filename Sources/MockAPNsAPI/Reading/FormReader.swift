package import MockAPNsFormats
package import MockAPNsRules

/// The place at which a body or a query is being read, and the complaints.
///
/// Nothing is ever ignored: there is a complaint about every unknown member and parameter.
package struct FormReader {
    package enum Step {
        case member(String)
        case entry(Int)
        case parameter(String)
    }

    private static let mostComplaints = 20

    /// In a draft, `null` means the same as an absent member.
    ///
    /// Otherwise it is refused, because it could be meant to clear what an absent member leaves unchanged.
    package let use: SchemaUse
    /// The time that searches count from.
    package let now: Timestamp
    private var way: [Step] = []
    private var complaints: [Complaint] = []
    private var furtherComplaints = 0
    private let mustStop: @Sendable () -> Bool
    /// Whether reading was given up, because nobody waits for the result.
    package private(set) var hasStopped = false

    /// `mustStop` is asked every few hundred entries of a list.
    package init(use: SchemaUse, now: Timestamp, mustStop: @escaping @Sendable () -> Bool = { false }) {
        (self.use, self.now, self.mustStop) = (use, now, mustStop)
    }

    /// How many entries of a list are read before `mustStop` is asked again.
    private static let entriesAtOnce = 256

    /// Returns whether a list is to be read on after this number of entries.
    mutating func goesOn(after count: Int) -> Bool {
        if count > 0, count % Self.entriesAtOnce == 0, !hasStopped { hasStopped = mustStop() }
        return !hasStopped
    }

    package mutating func enter(_ step: Step) { way.append(step) }

    package mutating func leave() { way.removeLast() }

    /// The place: a JSON Pointer (RFC 6901), or the name of a parameter.
    package var place: String {
        way.map { step in
            switch step {
            case .member(let name): "/" + JSONPointer.escaped(name)
            case .entry(let position): "/\(position)"
            case .parameter(let name): name
            }
        }.joined()
    }

    /// Returns the members of an object, or complains.
    package mutating func members(of given: JSONValue, expected: String = "an object") -> [String: JSONValue]? {
        if case .object(let members) = given { return members }
        refuse(given, expected: expected)
        return nil
    }

    /// Complains of a value that has another form.
    package mutating func refuse(_ given: JSONValue, expected: String, candidates: [String] = []) {
        guard hasRoom() else { return }
        var suggestion: String?
        if case .string(let text) = given { suggestion = Suggestion.nearest(to: text, among: candidates) }
        let hint = given == .null && use != .draft ? "; a member that is left out stays as it is" : ""
        complain("is \(given.summary); expected \(expected)\(hint)", suggestion: suggestion)
    }

    package mutating func complainOfUnknown(_ members: [String: JSONValue], known: [String]) {
        if members.keys.allSatisfy({ known.contains($0) }) { return }
        let list = known.isEmpty ? "none are expected" : "it takes: " + known.joined(separator: ", ")
        // In the order of their names, so that the same mistake always gets the same answer.
        let unknown = members.keys.filter { !known.contains($0) }.sorted()
        // A suggestion takes long, and a body may have hundreds of thousands of members.
        let listed = unknown.prefix(Self.mostComplaints - complaints.count)
        furtherComplaints += unknown.count - listed.count
        for name in listed {
            complain(
                "is not a member of this object; \(list)", at: name,
                suggestion: Suggestion.nearest(to: name, among: known))
        }
    }

    /// Complains of the value, or of a member of it.
    package mutating func complain(_ message: String, at name: String? = nil, suggestion: String? = nil) {
        guard hasRoom() else { return }
        let path = place + (name.map { "/" + JSONPointer.escaped($0) } ?? "")
        adopt(Complaint(path: path, message: message, suggestion: suggestion))
    }

    package mutating func adopt(_ complaint: Complaint) { if hasRoom() { complaints.append(complaint) } }

    /// Returns whether another complaint is listed; otherwise, only counts it.
    private mutating func hasRoom() -> Bool {
        if complaints.count < Self.mostComplaints { return true }
        furtherComplaints += 1
        return false
    }

    /// Throws a problem with all complaints, if there are any.
    package func finish(_ kind: Problem.Kind) throws(Problem) {
        guard !hasStopped else { throw Problem(.notReady, "The server stopped; nothing was changed.") }
        guard !complaints.isEmpty else { return }
        var detail = complaints.map { complaint in
            let subject = complaint.path.isEmpty && kind == .badBody ? "The body" : "'\(complaint.path)'"
            let suggestion = complaint.suggestion.map { " (did you mean '\($0)'?)" } ?? ""
            return "\(subject) \(complaint.message)\(suggestion)."
        }
        if furtherComplaints > 0 { detail.append("There are \(furtherComplaints) more mistakes.") }
        throw Problem(kind, detail.joined(separator: " "), complaints: complaints)
    }
}

package struct RequestBody<Value>: Sendable {
    package let form: Form<Value>
    package let use: SchemaUse
    package let example: JSONValue
    /// Whether a request without a body is refused; otherwise that means an empty object.
    package let isRequired: Bool

    package init(_ form: Form<Value>, use: SchemaUse = .request, isRequired: Bool = true, example: JSONValue) {
        (self.form, self.use, self.isRequired, self.example) = (form, use, isRequired, example)
    }

    package func read(
        _ bytes: [UInt8], now: Timestamp, mustStop: @escaping @Sendable () -> Bool = { false }
    ) throws(Problem) -> Value {
        let bytes = bytes.isEmpty && !isRequired ? Array("{}".utf8) : bytes
        return try form.read(bytes, use: use, now: now, mustStop: mustStop)
    }
}

extension Form {
    /// Reads a body; throws a problem with all complaints, or with the place where the body stops being JSON.
    package func read(
        _ bytes: [UInt8], use: SchemaUse, now: Timestamp = Timestamp(seconds: 0),
        mustStop: @escaping @Sendable () -> Bool = { false }
    ) throws(Problem) -> Value {
        let json: JSONValue
        do { json = try JSONParser.parse(bytes, repeatedNames: .refused) } catch { throw .notJSON(error, in: bytes) }
        var reader = FormReader(use: use, now: now, mustStop: mustStop)
        let value = read(json, &reader)
        try reader.finish(.badBody)
        guard let value else { throw .badBody("is \(json.summary); expected \(expected)") }
        return value
    }
}

extension Problem {
    fileprivate static func notJSON(_ failure: JSONParser.Failure, in body: [UInt8]) -> Problem {
        guard !body.isEmpty else {
            let complaint = Complaint(path: "", message: "is empty; expected JSON")
            let detail = "The request has no body; expected JSON."
            return Problem(.badBody, detail, complaints: [complaint])
        }
        if let complaint = ForeignText.complaint(about: body) { return .badBody(complaint) }
        let before = body[..<failure.offset]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = failure.offset - (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1)
        let seen = String(decoding: body[failure.offset...].prefix(12), as: UTF8.self)
        let found = failure.offset == body.count ? "the end" : "'\(seen)'"
        return .badBody(
            "is not JSON: at line \(line), column \(column) (byte \(failure.offset)) is \(found);"
                + " expected \(failure.expected)")
    }
}
