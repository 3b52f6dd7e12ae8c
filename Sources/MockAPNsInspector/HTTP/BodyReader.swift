internal import MockAPNsFormats
internal import MockAPNsRules

/// Reads the JSON body of a request against the members that its route knows, and collects every complaint.
///
/// No member is ever ignored. The reader stands at one object at a time: the body, or an entry of a list in it while
/// `objects` reads that.
struct BodyReader {
    /// What a member means that is `null`.
    enum Null {
        /// As much as one that is not there: for descriptions of something new.
        case absent
        /// Nothing: where a member that is not there leaves something as it is, `null` could be meant to empty it.
        case refused
    }

    /// More complaints than this help nobody.
    private static let mostComplaints = 20

    private let root: JSONValue
    private let null: Null
    private var members: [String: JSONValue] = [:]
    private var way: [String] = []
    private var complaints: [Complaint] = []
    private var furtherComplaints = 0

    /// Parses a body.
    ///
    /// - Parameters:
    ///   - body: the bytes.
    ///   - null: what a member means that is `null`.
    ///   - emptyBody: what no body at all means; `nil` where there has to be one.
    /// - Throws: `Problem` for a body that is not JSON, with the place where it stops being JSON.
    init(
        _ body: [UInt8],
        null: Null = .refused,
        emptyBody: JSONValue? = nil
    ) throws(Problem) {
        self.null = null
        if body.isEmpty, let emptyBody {
            root = emptyBody
            return
        }
        do {
            root = try JSONParser.parse(body, repeatedNames: .refused)
        } catch {
            throw Self.problem(of: error, in: body)
        }
    }

    /// Parses a body that is one object, and complains of every member that is not among `known`.
    ///
    /// - Throws: `Problem` for a body that is not JSON.
    init(
        _ body: [UInt8],
        known: [String],
        null: Null = .refused,
        emptyBody: JSONValue? = nil
    ) throws(Problem) {
        try self.init(body, null: null, emptyBody: emptyBody)
        _ = enter(root, known: known)
    }

    // MARK: Reading

    /// The body as a whole.
    var value: JSONValue { root }

    /// Whether the object has a member of this name that says something: not `null`, where that means absent.
    func has(_ name: String) -> Bool {
        guard let given = members[name] else { return false }
        return given != .null || null == .refused
    }

    /// The value of a member as it was given.
    func member(_ name: String) -> JSONValue? { members[name] }

    /// The value of a member that may be left out.
    mutating func optional<Value>(_ name: String, _ form: Form<Value>) -> Value? {
        guard let given = members[name] else { return nil }
        if case .null = given, null == .absent { return nil }
        return read(given, name, form)
    }

    /// The value of a member that has to be there; there is a complaint where this is `nil`.
    mutating func required<Value>(_ name: String, _ form: Form<Value>) -> Value? {
        guard let given = members[name] else {
            complain("is missing; expected \(form.expected)", at: name)
            return nil
        }
        return read(given, name, form)
    }

    /// The texts of a list that may be left out, each read as `form` says.
    mutating func list<Value>(_ name: String, _ form: Form<Value>) -> [Value]? {
        guard let given = optional(name, Self.anyList("a list, with \(form.expected) in each entry")) else {
            return nil
        }
        way.append(name)
        defer { way.removeLast() }
        return given.enumerated().compactMap { position, value in read(value, String(position), form) }
    }

    /// The objects of a list that may be left out, each read by `read` while the reader stands at it.
    mutating func objects<Value>(
        _ name: String,
        known: [String],
        _ read: (inout BodyReader) -> Value?
    ) -> [Value] {
        guard let given = optional(name, Self.anyList("a list of objects")) else { return [] }
        way.append(name)
        defer { way.removeLast() }
        return each(of: given, known: known, read)
    }

    /// The objects of a list that has to be there, each read by `read` while the reader stands at it.
    mutating func requiredObjects<Value>(
        _ name: String,
        known: [String],
        _ read: (inout BodyReader) -> Value?
    ) -> [Value] {
        guard has(name) else {
            complain("is missing; expected a list of objects", at: name)
            return []
        }
        return objects(name, known: known, read)
    }

    /// The object of a member that may be left out, read by `read` while the reader stands at it.
    mutating func object<Value>(
        _ name: String,
        known: [String],
        _ read: (inout BodyReader) -> Value?
    ) -> Value? {
        guard let given = members[name] else { return nil }
        if case .null = given, null == .absent { return nil }
        let outer = members
        way.append(name)
        defer {
            members = outer
            way.removeLast()
        }
        return enter(given, known: known) ? read(&self) : nil
    }

    /// The objects of a body that is a list of them, each read by `read` while the reader stands at it.
    mutating func rootObjects<Value>(known: [String], _ read: (inout BodyReader) -> Value?) -> [Value] {
        guard case .array(let values) = root else {
            complain("is \(root.summary); expected a list of objects")
            return []
        }
        return each(of: values, known: known, read)
    }

    /// The body has to be an object of these members, and is what is read from here on.
    mutating func rootObject(known: [String]) { _ = enter(root, known: known) }

    /// Complains of the member of this name, or of what the reader stands at.
    mutating func complain(_ message: String, at name: String? = nil, suggestion: String? = nil) {
        adopt(Complaint(path: pointer(to: name), message: message, suggestion: suggestion))
    }

    /// Takes over what another reader has to complain of.
    mutating func adopt(_ complaint: Complaint) {
        guard complaints.count < Self.mostComplaints else {
            furtherComplaints += 1
            return
        }
        complaints.append(complaint)
    }

    /// Ends the reading.
    ///
    /// - Throws: `Problem` with all complaints, when there are any.
    func finish() throws(Problem) {
        guard !complaints.isEmpty else { return }
        var detail = complaints.map { complaint in
            let subject = complaint.path.isEmpty ? "The body" : "'\(complaint.path)'"
            let suggestion = complaint.suggestion.map { " (did you mean '\($0)'?)" } ?? ""
            return "\(subject) \(complaint.message)\(suggestion)."
        }
        if furtherComplaints > 0 { detail.append("There are \(furtherComplaints) more mistakes.") }
        throw Problem(kind: .badBody, detail: detail.joined(separator: " "), complaints: complaints)
    }

    // MARK: How

    private mutating func read<Value>(_ given: JSONValue, _ name: String, _ form: Form<Value>) -> Value? {
        if let value = form.read(given) { return value }
        var suggestion: String?
        if case .string(let text) = given {
            suggestion = Suggestion.nearest(to: text, among: form.candidates)
        }
        let hint = given == .null && null == .refused ? "; a member that is left out stays as it is" : ""
        complain(
            "is \(given.summary); expected \(form.expected)\(hint)",
            at: name,
            suggestion: suggestion
        )
        return nil
    }

    private mutating func each<Value>(
        of values: [JSONValue],
        known: [String],
        _ read: (inout BodyReader) -> Value?
    ) -> [Value] {
        let outer = members
        defer { members = outer }
        var found: [Value] = []
        found.reserveCapacity(values.count)
        for (position, value) in values.enumerated() {
            way.append(String(position))
            if enter(value, known: known), let entry = read(&self) { found.append(entry) }
            way.removeLast()
        }
        return found
    }

    /// Stands at an object; says whether it is one.
    private mutating func enter(_ value: JSONValue, known: [String]) -> Bool {
        guard case .object(let members) = value else {
            members = [:]
            complain("is \(value.summary); expected an object")
            return false
        }
        self.members = members
        // In the order of their names, so that the same mistake always gets the same answer.
        let unknown = members.keys.filter { !known.contains($0) }
        for name in unknown.sorted() {
            let list = known.isEmpty ? "none are expected" : "it takes: " + known.joined(separator: ", ")
            complain(
                "is no member of this object; \(list)",
                at: name,
                suggestion: Suggestion.nearest(to: name, among: known)
            )
        }
        return true
    }

    /// The place of a member, or of what the reader stands at, as a JSON Pointer (RFC 6901).
    func pointer(to name: String?) -> String {
        (way + (name.map { [$0] } ?? [])).map { "/" + JSONPointer.escaped($0) }.joined()
    }

    private static func anyList(_ expected: String) -> Form<[JSONValue]> {
        Form(expected: expected) { value in
            guard case .array(let values) = value else { return nil }
            return values
        }
    }
}
