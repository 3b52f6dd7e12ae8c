internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules

/// Reads what the API is told of a push that it is to send.
struct SendBody: Sendable {
    /// What HTTP/2 has no place for (RFC 9113, section 8.2.2), and what follows from the body.
    private static let forbidden: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "transfer-encoding",
        "upgrade",
    ]

    /// The device token, or `@` and the label of a device, as it was given; `nil` for the default test device.
    private(set) var target: String?
    /// The headers that were given, by their names in lower case; `nil` for one that must not be there.
    private(set) var headers: [String: String?] = [:]
    private var given: JSONValue?
    private var alert: [String: JSONValue] = [:]

    static let body = RequestBody<SendBody>(
        .object(
            SendBody(),
            .optional("headers", headersForm, "Headers by name; null leaves one out.") { $0.headers = $1 },
            .optional("token", target, "A device token, or @ and the label of a device.") { $0.target = $1 },
            header("topic", .apnsTopic, text("a topic, such as com.example.app")),
            header(
                "pushType",
                .apnsPushType,
                text("a push type, such as alert"),
                "alert, unless it is given."
            ),
            header("priority", .apnsPriority, number("a priority: 10, 5 or 1")),
            header(
                "expiration",
                .apnsExpiration,
                number("a time in UNIX seconds, or 0"),
                "In UNIX seconds; 0 to try once."
            ),
            header("collapseId", .apnsCollapseID, text("a collapse id of up to 64 bytes")),
            .optional("payload", .anything, "The body, as JSON.") { $0.given = $1 },
            .optional("title", .text("a text"), "For a payload with an alert.") {
                $0.alert["title"] = .string($1)
            },
            .optional("body", .text("a text")) { $0.alert["body"] = .string($1) }
        ) { send, given, body in
            for (member, name) in named where given[member] ?? .null != .null {
                let header = name.text.description
                if case .object(let headers)? = given["headers"],
                    headers.keys.contains(where: { $0.lowercased() == header })
                {
                    body.complain("says the same as 'headers/\(header)'", at: member)
                }
            }
            let size = send.headers.reduce(0) { $0 + $1.key.utf8.count + ($1.value?.utf8.count ?? 0) + 32 }
            if size > largestHeaders {
                body.complain(
                    "has \(size) bytes with the other headers, as HTTP/2 counts; a push may have"
                        + " \(largestHeaders)",
                    at: "headers"
                )
            }
            guard send.given != nil else { return }
            for name in send.alert.keys.sorted() {
                body.complain("belongs into 'payload', where there is one", at: name)
            }
        },
        use: .draft,
        isRequired: false,
        example: ["title": "Order shipped", "body": "#17 is on its way."]
    )

    /// The members that are headers of their own.
    private static let named: [(member: String, header: HeaderName)] = [
        ("topic", .apnsTopic), ("pushType", .apnsPushType), ("priority", .apnsPriority),
        ("expiration", .apnsExpiration), ("collapseId", .apnsCollapseID),
    ]

    private static func header(
        _ member: String,
        _ name: HeaderName,
        _ form: Form<String>,
        _ description: String = ""
    ) -> Field<SendBody> {
        .optional(member, form, description) { $0.headers[name.text.description] = $1 }
    }

    /// Longer header lists are refused by the transport, and do not become pushes; room is left for what is added here.
    private static let largestHeaders = 6_000

    // MARK: Parts

    private static let headersForm = Form<[String: String?]>(
        expected: "an object of names and values",
        schema: FormSchema(.dictionary(of: .text.orNull))
    ) { given, body in
        guard case .object(let members) = given else {
            body.refuse(given, expected: "an object of names and values")
            return nil
        }
        var headers: [String: String?] = [:]
        for (name, value) in members.sortedByName {
            let lowered = name.lowercased()
            if let mistake = mistake(in: lowered, value, isRepeated: headers[lowered] != nil) {
                body.complain(mistake, at: name)
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
        guard isName else { return "is not the name of a header; expected letters, digits and -" }
        if forbidden.contains(name) { return "is not a header that a push can have" }
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
        Form(ofText: expected) { !$0.isEmpty && isValue($0) ? $0 : nil }
    }

    /// A number, or any text: what is not a number is worth sending, too.
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

    private static let target = Form<String>(ofText: "a device token, or @ and the label of a device") {
        text in
        guard !text.isEmpty, text.utf8.count <= 1_000 else { return nil }
        let isPart = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        return isPart || text.hasPrefix("@") ? text : nil
    }

    /// The body of the push.
    var payload: [UInt8] {
        if let given { return given.text }
        let pushType = headers[HeaderName.apnsPushType.text.description] ?? nil
        if alert.isEmpty, pushType == PushType.background.name {
            return JSONValue.object(["aps": ["content-available": 1]]).text
        }
        let shown = alert.isEmpty ? ["title": "Test push", "body": "Sent by mock-apns itself."] : alert
        return JSONValue.object(["aps": ["alert": .object(shown), "sound": "default"]]).text
    }
}
