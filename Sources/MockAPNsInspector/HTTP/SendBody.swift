internal import MockAPNsFormats
internal import MockAPNsRules

/// Reads what the API is told of a push that it is to send.
struct SendBody {
    static let members = [
        "token", "topic", "pushType", "priority", "expiration", "collapseId", "headers", "payload", "title",
        "body",
    ]

    /// The members that are headers of their own.
    private static let named: [(member: String, header: HeaderName, form: Form<String>)] = [
        ("topic", .apnsTopic, text("a topic, such as com.example.app")),
        ("pushType", .apnsPushType, text("a push type, such as alert")),
        ("priority", .apnsPriority, number("a priority: 10, 5 or 1")),
        ("expiration", .apnsExpiration, number("a time in UNIX seconds, or 0")),
        ("collapseId", .apnsCollapseID, text("a collapse id of up to 64 bytes")),
    ]

    /// What HTTP/2 has no place for (RFC 9113, section 8.2.2), and what follows from the body.
    private static let forbidden: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "transfer-encoding",
        "upgrade",
    ]

    /// The device token, or `@` and the label of a device, as it was given; `nil` for a phone of the server's own.
    let target: String?
    /// The headers that were given, by their names in lower case; `nil` for one that must not be there.
    let headers: [String: String?]
    /// The body.
    let payload: [UInt8]

    /// Reads a body to its end.
    ///
    /// - Throws: `Problem` with every mistake.
    init(_ bytes: [UInt8]) throws(Problem) {
        var body = try BodyReader(bytes, known: Self.members, null: .absent, emptyBody: [:])
        target = body.optional("token", Self.target)
        var headers = Self.headers(&body)
        for (member, header, form) in Self.named {
            let name = header.text.description
            guard let value = body.optional(member, form) else { continue }
            if headers[name] != nil { body.complain("says the same as 'headers/\(name)'", at: member) }
            headers[name] = value
        }
        let size = headers.reduce(0) { $0 + $1.key.utf8.count + ($1.value?.utf8.count ?? 0) + 32 }
        if size > Self.largestHeaders {
            body.complain(
                "has \(size) bytes with the other headers, as HTTP/2 counts; a push may have"
                    + " \(Self.largestHeaders)",
                at: "headers"
            )
        }
        self.headers = headers
        payload = Self.payload(&body, pushType: headers[HeaderName.apnsPushType.text.description] ?? nil)
        try body.finish()
    }

    /// Longer header lists are refused by the transport, and are no push; room is left for what is added here.
    private static let largestHeaders = 6_000

    // MARK: Parts

    private static func headers(_ body: inout BodyReader) -> [String: String?] {
        guard body.has("headers"), let given = body.member("headers") else { return [:] }
        guard case .object(let members) = given else {
            body.complain(
                "is \(given.summary); expected an object of names and values",
                at: "headers"
            )
            return [:]
        }
        var headers: [String: String?] = [:]
        for (name, value) in members.sortedByName {
            let lowered = name.lowercased()
            if let mistake = mistake(in: lowered, value, isRepeated: headers[lowered] != nil) {
                body.adopt(
                    Complaint(
                        path: "/headers/" + JSONPointer.escaped(name),
                        message: mistake
                    )
                )
            } else if case .string(let text) = value {
                headers[lowered] = .some(text)
            } else {
                headers[lowered] = .some(nil)
            }
        }
        return headers
    }

    private static func mistake(in name: String, _ value: JSONValue, isRepeated: Bool) -> String? {
        let marks = "!#$%&'*+-.^_`|~".utf8
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 26 || marks.contains($0) }
        guard isName else { return "is no name of a header; expected letters, digits and -" }
        if forbidden.contains(name) { return "is no header that a push can be given" }
        if isRepeated { return "is there twice: letter case means nothing in names of headers" }
        switch value {
        case .string(let text) where isValue(text): return nil
        // So that one can be left out that would be there otherwise.
        case .null: return nil
        default:
            return "is \(value.summary); expected a text without control characters, and no"
                + " space at its ends, or null to leave the header out"
        }
    }

    /// What HTTP/2 lets through as the value of a header.
    private static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } && text.utf8.first != 0x20 && text.utf8.last != 0x20
    }

    private static func text(_ expected: String) -> Form<String> {
        Form(expected: expected) { value in
            guard case .string(let text) = value, !text.isEmpty, isValue(text) else { return nil }
            return text
        }
    }

    /// A number, or any text, since what is no number is worth sending, too.
    private static func number(_ expected: String) -> Form<String> {
        let text = text(expected)
        return Form(expected: expected) { value in
            switch value {
            case .integer(let number): String(number)
            case .unsigned(let number): String(number)
            default: text.read(value)
            }
        }
    }

    private static let target = Form<String>(
        expected: "a device token, or @ and the label of a device"
    ) { value in
        guard case .string(let text) = value, !text.isEmpty, text.utf8.count <= 1_000 else { return nil }
        let isPart = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        return isPart || text.hasPrefix("@") ? text : nil
    }

    private static func payload(_ body: inout BodyReader, pushType: String?) -> [UInt8] {
        let words = ["title", "body"].compactMap { name in
            body.optional(name, Form<String>.text("a text")).map { (name, JSONValue.string($0)) }
        }
        if body.has("payload"), let payload = body.member("payload") {
            for (name, _) in words {
                body.complain("belongs into 'payload', where there is one", at: name)
            }
            return payload.text
        }
        if words.isEmpty, pushType == PushType.background.name {
            return JSONValue.object(["aps": ["content-available": 1]]).text
        }
        let alert =
            words.isEmpty
            ? ["title": "Test push", "body": "Sent by mock-apns itself."]
            : Dictionary(words) { first, _ in first }
        return JSONValue.object(["aps": ["alert": .object(alert), "sound": "default"]]).text
    }
}
