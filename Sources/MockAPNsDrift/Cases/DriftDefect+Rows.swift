internal import MockAPNsUpstream

extension DriftDefect {
    private static let inferred = "inferred"
    /// Of tokens that one source accepts and another refuses.
    private static let contradicting = "contradicting sources"
    private static let documented = "documented: sending"

    /// The reason of each check whose place in the order is compared.
    static let reasons = [
        "method": "MethodNotAllowed", "path": "BadPath", "single-headers": "DuplicateHeaders",
        "provider-token-present": "MissingProviderToken", "provider-token-valid": "InvalidProviderToken",
        "provider-token-age": "ExpiredProviderToken", "device-token-present": "MissingDeviceToken",
        "apns-id": "BadMessageId", "apns-expiration": "BadExpirationDate", "apns-priority": "BadPriority",
        "apns-collapse-id": "BadCollapseId", "apns-push-type": "InvalidPushType", "topic-present": "MissingTopic",
        "topic-form": "BadTopic", "payload-present": "PayloadEmpty", "payload-size": "PayloadTooLarge",
        "device-token-form": "BadDeviceToken",
    ]

    private static func header(
        _ id: String, _ part: Part, _ check: String, _ name: String, _ value: String?, _ decides: String,
        _ source: String = inferred, _ choices: [DriftCase.Choice] = []
    ) -> DriftDefect {
        DriftDefect(id: id, part: part, check: check, decides: decides, source: source, choices: choices) { draft, _ in
            draft.set(name, value)
        }
    }

    private static func method(_ method: String, _ source: String = inferred) -> DriftDefect {
        DriftDefect(
            id: "method-\(method.lowercased())", part: .method, check: "method", decides: "the method \(method)",
            source: source
        ) { draft, _ in
            draft.method = method
            if method != "PUT" { draft.body = [] }
        }
    }

    private static func path(_ id: String, _ check: String, _ path: String, _ source: String = inferred) -> DriftDefect
    {
        DriftDefect(id: "path-\(id)", part: .path, check: check, decides: "the path \(path)", source: source) {
            draft, _ in draft.path = path
        }
    }

    private static func token(
        _ id: String, _ check: String, _ decides: String, _ source: String = inferred,
        _ choices: [DriftCase.Choice] = [], _ credential: @escaping @Sendable (DriftProvider) -> DriftDraft.Credential
    ) -> DriftDefect {
        DriftDefect(
            id: "token-\(id)", part: .token, check: check, decides: decides, source: source, choices: choices,
            mayBeValid: source == contradicting
        ) { $0.credential = credential($1) }
    }

    private static func body(
        _ id: String, _ check: String, _ decides: String, _ source: String, _ choices: [DriftCase.Choice] = [],
        _ body: [UInt8]
    ) -> DriftDefect {
        DriftDefect(id: "body-\(id)", part: .body, check: check, decides: decides, source: source, choices: choices) {
            draft, _ in draft.body = body
        }
    }

    private static func twice(_ name: String, _ value: String) -> DriftDefect {
        DriftDefect(
            id: "twice-\(name)", part: .path, check: "single-headers", decides: "the header \(name) twice",
            source: inferred
        ) { draft, _ in
            draft.set(name, value)
            draft.headers.append(UpstreamHeader(name, value))
        }
    }

    private static func signed(
        header: String? = nil, claims: String? = nil, _ change: DriftDraft.Change = .none
    ) -> @Sendable (DriftProvider) -> DriftDraft.Credential {
        { provider in
            .token(
                header: header ?? #"{"alg":"ES256","kid":"\#(provider.keyID)"}"#,
                claims: (claims ?? #"{"iss":"TEAM","iat":NOW}"#).replacing("TEAM", with: provider.teamID).replacing(
                    "NOW", with: "\(provider.now)"), change)
        }
    }

    /// Every defect, in the order of the mock's checks.
    static let all: [DriftDefect] = methods + paths + repeated + tokens + headers + bodies + devices

    private static let methods = [
        method("GET", "observed: MethodNotAllowed without credentials"), method("HEAD"), method("PUT"),
        method("DELETE"), method("OPTIONS"),
    ]

    private static let paths = [
        path("version", "path", "/2/device/00"), path("root", "path", "/"), path("word", "path", "/3/devices/00"),
        path("no-token", "device-token-present", "/3/device/", "observed: after the provider token"),
        path("no-slash", "path", "/3/device"), path("deeper", "path", "/3/device/00/00"),
        path("query", "device-token-form", "/3/device/00?a=b"),
    ]

    private static let repeated = [
        twice("apns-priority", "10"), twice("apns-topic", "com.example.twice"), twice("apns-push-type", "alert"),
        twice("apns-expiration", "0"), twice("apns-collapse-id", "a"),
    ]

    private static let tokens = [
        token("absent", "provider-token-present", "no authorization header", "documented: MissingProviderToken") { _ in
            .absent
        }, token("empty", "provider-token-present", "an empty authorization header") { _ in .text("") },
        token("basic", "provider-token-present", "authorization that is not bearer") { _ in .text("basic YTpi") },
        token("word", "provider-token-valid", "a token that is one word", "documented: InvalidProviderToken") { _ in
            .text("bearer word")
        },
        token(
            "signature", "provider-token-valid", "a wrong signature", "documented: InvalidProviderToken", [],
            signed(header: nil, claims: nil, .wrongSignature)),
        token(
            "unsigned", "provider-token-valid", "no signature", inferred, [],
            signed(header: nil, claims: nil, .withoutSignature)),
        token(
            "padded", "provider-token-valid", "Base64 with padding", contradicting,
            [DriftCase.Choice("--behavior token-base64=url", "InvalidProviderToken")],
            signed(header: nil, claims: nil, .padded)),
        token(
            "alg-none", "provider-token-valid", "the algorithm none", inferred, [],
            signed(header: #"{"alg":"none","kid":"AAAAAAAAAA"}"#)),
        token(
            "kid-unknown", "provider-token-valid", "a key ID that the team does not have", documented, [],
            signed(header: #"{"alg":"ES256","kid":"0000000000"}"#)),
        token("kid-absent", "provider-token-valid", "no key ID", inferred, [], signed(header: #"{"alg":"ES256"}"#)),
        token("iss-absent", "provider-token-valid", "no team ID", inferred, [], signed(claims: #"{"iat":NOW}"#)),
        token(
            "iss-other", "provider-token-valid", "another team ID", documented, [],
            signed(claims: #"{"iss":"0000000000","iat":NOW}"#)),
        token(
            "iat-absent", "provider-token-valid", "no time of issue", inferred, [], signed(claims: #"{"iss":"TEAM"}"#)),
        token(
            "iat-text", "provider-token-valid", "a time of issue that is a string", contradicting, [],
            signed(claims: #"{"iss":"TEAM","iat":"NOW"}"#)),
        token(
            "iat-fraction", "provider-token-valid", "a time of issue with a fraction", contradicting, [],
            signed(claims: #"{"iss":"TEAM","iat":NOW.5}"#)),
        token(
            "iat-old", "provider-token-age", "a token of 1970", "documented: ExpiredProviderToken", [],
            signed(claims: #"{"iss":"TEAM","iat":1}"#)),
        token(
            "iat-future", "provider-token-age", "a token of the year 2100", inferred,
            [DriftCase.Choice("--behavior future-token=invalid", "InvalidProviderToken")],
            signed(claims: #"{"iss":"TEAM","iat":4102444800}"#)),
        token(
            "iat-milliseconds", "provider-token-age", "a time of issue in milliseconds", inferred,
            [DriftCase.Choice("--behavior future-token=invalid", "InvalidProviderToken")],
            signed(claims: #"{"iss":"TEAM","iat":NOW000}"#)),
    ]

    private static let headers = [
        header("id-word", .messageID, "apns-id", "apns-id", "word", "an apns-id that is not a UUID", documented),
        header("id-short", .messageID, "apns-id", "apns-id", "123e4567-e89b-12d3-a456-42665544000", "a short apns-id"),
        header("id-braces", .messageID, "apns-id", "apns-id", "{123e4567-e89b-12d3-a456-426655440000}", "braces"),
        header(
            "id-upper", .messageID, "apns-id", "apns-id", "123E4567-E89B-12D3-A456-426655440000",
            "an apns-id in upper case", documented, [DriftCase.Choice("--behavior apns-id-case=lower", "BadMessageId")]),
        header("expiration-word", .expiration, "apns-expiration", "apns-expiration", "soon", "a word", documented),
        header(
            "expiration-fraction", .expiration, "apns-expiration", "apns-expiration", "1.5", "a fraction", "observed"),
        header("expiration-negative", .expiration, "apns-expiration", "apns-expiration", "-1", "a negative time"),
        header("expiration-empty", .expiration, "apns-expiration", "apns-expiration", "", "an empty expiration"),
        header(
            "expiration-milliseconds", .expiration, "apns-expiration", "apns-expiration", "4102444800000",
            "an expiration in milliseconds"),
        header("priority-2", .priority, "apns-priority", "apns-priority", "2", "priority 2", documented),
        header("priority-0", .priority, "apns-priority", "apns-priority", "0", "priority 0"),
        header("priority-word", .priority, "apns-priority", "apns-priority", "high", "a priority that is a word"),
        header("priority-empty", .priority, "apns-priority", "apns-priority", "", "an empty priority"),
        header("priority-zeros", .priority, "apns-priority", "apns-priority", "010", "priority 010"),
        header(
            "collapse-65", .collapseID, "apns-collapse-id", "apns-collapse-id", String(repeating: "a", count: 65),
            "a collapse ID of 65 bytes", documented),
        header(
            "collapse-64", .collapseID, "apns-collapse-id", "apns-collapse-id", String(repeating: "a", count: 64),
            "a collapse ID of 64 bytes", documented),
        header("collapse-empty", .collapseID, "apns-collapse-id", "apns-collapse-id", "", "an empty collapse ID"),
        header("type-word", .pushType, "apns-push-type", "apns-push-type", "word", "an unknown push type"),
        header("type-upper", .pushType, "apns-push-type", "apns-push-type", "Alert", "a push type in upper case"),
        header("type-empty", .pushType, "apns-push-type", "apns-push-type", "", "an empty push type"),
        header("type-absent", .pushType, "apns-push-type", "apns-push-type", nil, "no push type", documented),
        header("topic-absent", .topic, "topic-present", "apns-topic", nil, "no topic", "documented: MissingTopic"),
        header("topic-empty", .topic, "topic-form", "apns-topic", "", "an empty topic"),
        header("topic-space", .topic, "topic-form", "apns-topic", "com.example app", "a space in the topic"),
        header(
            "topic-256", .topic, "topic-form", "apns-topic", String(repeating: "a", count: 256), "a topic of 256 bytes"),
    ]

    private static let large = Array("{\"aps\":{\"alert\":\"\(String(repeating: "a", count: 5_200))\"}}".utf8)

    private static let bodies = [
        body("empty", "payload-present", "no body", "documented: PayloadEmpty", [], []),
        body("large", "payload-size", "a body of over 5,120 bytes", "documented: PayloadTooLarge", [], large),
        body(
            "not-json", "payload-json", "a body that is not JSON", "observed",
            [DriftCase.Choice("--behavior invalid-json=reject", "BadRequestPayload")], Array("{".utf8)),
        body(
            "not-utf8", "payload-json", "a body that is not UTF-8", inferred,
            [DriftCase.Choice("--behavior invalid-json=reject", "BadRequestPayload")], [0x7b, 0xff, 0x7d]),
        body("array", "payload-json", "a body that is an array", inferred, [], Array("[]".utf8)),
    ]

    private static let devices = [
        path("short-token", "device-token-form", "/3/device/00", "documented: BadDeviceToken"),
        path("word-token", "device-token-form", "/3/device/word"),
        path("odd-token", "device-token-form", "/3/device/abc"),
        path("long-token", "device-token-form", "/3/device/\(String(repeating: "00", count: 101))"),
    ]
}
