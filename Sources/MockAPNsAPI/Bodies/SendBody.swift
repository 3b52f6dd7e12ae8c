internal import MockAPNsFormats
internal import MockAPNsRules

/// The body of a request to send a push.
package struct SendBody: Sendable {
    /// Headers that HTTP/2 does not have (RFC 9113, section 8.2.2), and those that follow from the body.
    private static let forbidden: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    /// Longer header lists are rejected by the transport; leaves room for the headers that are added here.
    private static let largestHeaders = 6_000

    /// The device token, or `@` and a label, as given; `nil` for the default test device.
    package private(set) var target: String?
    /// By names in lower case; `nil` for a header to leave out.
    package private(set) var headers: [String: String?] = [:]
    /// The whole body; `nil` if it is made of `alert`.
    private var given: [UInt8]?
    private var alert: [String: JSONValue] = [:]

    package static let body = RequestBody<SendBody>(
        .object(SendBody(), fields) { send, given, reader in
            for (member, name, _, _) in named where given[member] ?? .null != .null {
                let header = name.text.description
                if case .object(let headers)? = given["headers"],
                    headers.keys.contains(where: { $0.lowercased() == header })
                {
                    reader.complain("says the same as 'headers/\(header)'", at: member)
                }
            }
            let size = send.headers.reduce(0) { $0 + $1.key.utf8.count + ($1.value?.utf8.count ?? 0) + 32 }
            if size > largestHeaders {
                reader.complain(
                    "has \(size) bytes with the other headers, as HTTP/2 counts; a push may have"
                        + " \(largestHeaders)", at: "headers")
            }
            if given["text"] ?? .null != .null, given["payload"] ?? .null != .null {
                reader.complain("is the whole body, as 'payload' is; expected one of them", at: "text")
            }
            guard send.given != nil else { return }
            for name in send.alert.keys.sorted() {
                reader.complain("belongs in 'payload' or 'text', if there is one", at: name)
            }
        }, use: .draft, isRequired: false, example: ["title": "Order shipped", "body": "#17 is on its way."])

    private static let fields: [Field<SendBody>] =
        [
            .optional("headers", headersForm, "Headers by name; null leaves one out.") { $0.headers = $1 },
            .optional("token", target, "A device token, or @ and the label of a device.") { $0.target = $1 },
        ]
        + named.map { member, name, form, description in
            .optional(member, form, description) { $0.headers[name.text.description] = $1 }
        } + [
            .optional("payload", .anything, "The body, as JSON.") { $0.given = $1.text },
            .optional("text", anyText, "The body as text, which need not be JSON.") { $0.given = Array($1.utf8) },
            .optional("title", .text("a text"), "For a payload with an alert.") { $0.alert["title"] = .string($1) },
            .optional("body", .text("a text")) { $0.alert["body"] = .string($1) },
        ]

    /// The members that are headers.
    private static let named: [(member: String, header: HeaderName, Form<String>, description: String)] = [
        ("topic", .apnsTopic, text("a topic, such as com.example.app"), ""),
        ("pushType", .apnsPushType, text("a push type, such as alert"), "alert, unless it is given."),
        ("priority", .apnsPriority, number("a priority: 10, 5 or 1"), ""),
        ("expiration", .apnsExpiration, number("a time in UNIX seconds, or 0"), "In UNIX seconds; 0 to try once."),
        ("collapseId", .apnsCollapseID, text("a collapse id of up to 64 bytes"), ""),
    ]

    private static let headersForm = Form<[String: String?]>(expected: "an object of names and values") { _ in
        .dictionary(of: .text.orNull)
    } parts: { given, reader in
        guard let members = reader.members(of: given, expected: "an object of names and values") else { return nil }
        var headers: [String: String?] = [:]
        for (name, value) in members.sortedByName {
            let lowered = name.lowercased()
            if let mistake = mistake(in: lowered, value, isRepeated: headers[lowered] != nil) {
                reader.complain(mistake, at: name)
            } else {
                headers[lowered] = .some(value.plainText)
            }
        }
        return headers
    }

    private static func mistake(in name: String, _ value: JSONValue, isRepeated: Bool) -> String? {
        let marks = "!#$%&'*+-.^_`|~".utf8
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 26 || marks.contains($0) }
        guard isName else { return "is not the name of a header; expected letters, digits and -" }
        if forbidden.contains(name) { return "is not a header that a push can have" }
        if isRepeated { return "is given twice: header names ignore case" }
        switch value {
        case .string(let text) where isValue(text): return nil
        case .null: return nil
        default:
            return "is \(value.summary); expected a text without control characters and without spaces"
                + " at its ends, or null to leave the header out"
        }
    }

    /// Whether HTTP/2 allows this value of a header.
    private static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } && text.utf8.first != 0x20 && text.utf8.last != 0x20
    }

    private static let anyText = Form<String>(ofText: "a text", schema: .text) { $0 }

    private static func text(_ expected: String) -> Form<String> {
        Form(ofText: expected) { !$0.isEmpty && isValue($0) ? $0 : nil }
    }

    /// A number, or any text, to test invalid values.
    private static func number(_ expected: String) -> Form<String> {
        Form(expected: expected, schema: .either(.integer, .text)) { value in
            switch value {
            case .integer(let number): String(number)
            case .unsigned(let number): String(number)
            case .string(let text): !text.isEmpty && isValue(text) ? text : nil
            default: nil
            }
        }
    }

    private static let target = Form<String>(ofText: "a device token, or @ and the label of a device") { text in
        guard !text.isEmpty, text.utf8.count <= 1_000 else { return nil }
        let isPart = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        return isPart || text.hasPrefix("@") ? text : nil
    }

    package var payload: [UInt8] {
        if let given { return given }
        let pushType = headers[HeaderName.apnsPushType.text.description] ?? nil
        if alert.isEmpty, pushType == PushType.background.name {
            return JSONValue.object(["aps": ["content-available": 1]]).text
        }
        let shown = alert.isEmpty ? ["title": "Test push", "body": "Sent by mock-apns itself."] : alert
        return JSONValue.object(["aps": ["alert": .object(shown), "sound": "default"]]).text
    }
}
