internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules

/// Where the reading of a body is, and its complaints.
///
/// Nothing in a body is ever ignored: forms complain of every member that they do not know.
struct BodyReader {
    /// A part of a value.
    enum Step {
        case member(String)
        case entry(Int)
    }

    /// More complaints than this help nobody.
    private static let mostComplaints = 20

    /// What `null` means: in a draft as much as an absent member; otherwise it is refused, because it could be meant to
    /// empty what an absent member leaves as it is.
    let use: SchemaUse
    /// The time that searches count from.
    let now: Timestamp
    private var way: [Step] = []
    private var complaints: [Complaint] = []
    private var furtherComplaints = 0

    init(use: SchemaUse, now: Timestamp) { (self.use, self.now) = (use, now) }

    // MARK: Where

    /// Goes into a part of the value.
    mutating func enter(_ step: Step) { way.append(step) }

    /// Goes back out of a part.
    mutating func leave() { way.removeLast() }

    /// The place, as a JSON Pointer (RFC 6901).
    var pointer: String {
        way.map { step in
            switch step {
            case .member(let name): "/" + JSONPointer.escaped(name)
            case .entry(let position): "/\(position)"
            }
        }.joined()
    }

    // MARK: Complaints

    /// Complains of a value that has another form.
    mutating func refuse(_ given: JSONValue, expected: String, candidates: [String] = []) {
        var suggestion: String?
        if case .string(let text) = given { suggestion = Suggestion.nearest(to: text, among: candidates) }
        let hint = given == .null && use != .draft ? "; a member that is left out stays as it is" : ""
        complain("is \(given.summary); expected \(expected)\(hint)", suggestion: suggestion)
    }

    /// Complains of the members that are not known.
    mutating func complainOfUnknown(_ members: [String: JSONValue], known: [String]) {
        if members.keys.allSatisfy({ known.contains($0) }) { return }
        let list = known.isEmpty ? "none are expected" : "it takes: " + known.joined(separator: ", ")
        // In the order of their names, so that the same mistake always gets the same answer.
        for name in members.keys.filter({ !known.contains($0) }).sorted() {
            complain(
                "is not a member of this object; \(list)",
                at: name,
                suggestion: Suggestion.nearest(to: name, among: known)
            )
        }
    }

    /// Complains of the value, or of a member of it.
    mutating func complain(_ message: String, at name: String? = nil, suggestion: String? = nil) {
        let path = pointer + (name.map { "/" + JSONPointer.escaped($0) } ?? "")
        adopt(Complaint(path: path, message: message, suggestion: suggestion))
    }

    /// Takes over a complaint of another reader.
    mutating func adopt(_ complaint: Complaint) {
        guard complaints.count < Self.mostComplaints else {
            furtherComplaints += 1
            return
        }
        complaints.append(complaint)
    }

    // MARK: Whole bodies

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - bytes: the body.
    ///   - form: its form.
    ///   - use: what `null` means.
    ///   - now: the time that searches count from.
    /// - Returns: what was read.
    /// - Throws: `Problem` with all complaints, or with the place where the body stops being JSON.
    static func read<Value>(
        _ bytes: [UInt8],
        as form: Form<Value>,
        use: SchemaUse,
        now: Timestamp = Timestamp(seconds: 0)
    ) throws(Problem) -> Value {
        let json: JSONValue
        do {
            json = try JSONParser.parse(bytes, repeatedNames: .refused)
        } catch {
            throw problem(of: error, in: bytes)
        }
        var body = BodyReader(use: use, now: now)
        let value = form.read(json, &body)
        guard let value, body.complaints.isEmpty else { throw body.problem }
        return value
    }

    private var problem: Problem {
        var detail = complaints.map { complaint in
            let subject = complaint.path.isEmpty ? "The body" : "'\(complaint.path)'"
            let suggestion = complaint.suggestion.map { " (did you mean '\($0)'?)" } ?? ""
            return "\(subject) \(complaint.message)\(suggestion)."
        }
        if furtherComplaints > 0 { detail.append("There are \(furtherComplaints) more mistakes.") }
        return Problem(kind: .badBody, detail: detail.joined(separator: " "), complaints: complaints)
    }

    /// The problem of a body that is not JSON.
    private static func problem(of failure: JSONParser.Failure, in body: [UInt8]) -> Problem {
        guard !body.isEmpty else {
            return Problem(
                kind: .badBody,
                detail: "The request has no body; expected JSON.",
                complaints: [Complaint(path: "", message: "is empty; expected JSON")]
            )
        }
        let before = body[..<failure.offset]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = failure.offset - lineStart + 1
        let seen = String(decoding: body[failure.offset...].prefix(12), as: UTF8.self)
        let found = failure.offset == body.count ? "the end" : "'\(seen)'"
        return .badBody(
            "is not JSON: at line \(line), column \(column) (byte \(failure.offset)) is \(found);"
                + " expected \(failure.expected)"
        )
    }
}

extension Problem {
    /// A body that cannot be used; the message says why, as in "is not JSON".
    static func badBody(_ message: String) -> Problem {
        Problem(
            kind: .badBody,
            detail: "The body \(message).",
            complaints: [Complaint(path: "", message: message)]
        )
    }

    /// A member that can be read, but not used; the message says why, as in "has 300 characters; expected 1 to 200".
    static func unusable(_ path: String, _ message: String) -> Problem {
        Problem(
            kind: .unusableValue,
            detail: "'\(path)' \(message).",
            complaints: [Complaint(path: path, message: message)]
        )
    }
}

/// The JSON body of a request: its form, and an example of it.
struct RequestBody<Value>: Sendable {
    let form: Form<Value>
    /// What `null` means; in a draft, the same as an absent member.
    let use: SchemaUse
    let example: JSONValue
    /// Whether a request without a body is refused; otherwise that means an empty object.
    let isRequired: Bool

    init(_ form: Form<Value>, use: SchemaUse = .request, isRequired: Bool = true, example: JSONValue) {
        (self.form, self.use, self.isRequired, self.example) = (form, use, isRequired, example)
    }

    /// Reads the body of a request.
    ///
    /// - Throws: `Problem` for a body that is not JSON, or has another form.
    func read(_ bytes: [UInt8], now: Timestamp) throws(Problem) -> Value {
        let bytes = bytes.isEmpty && !isRequired ? Array("{}".utf8) : bytes
        return try BodyReader.read(bytes, as: form, use: use, now: now)
    }
}
