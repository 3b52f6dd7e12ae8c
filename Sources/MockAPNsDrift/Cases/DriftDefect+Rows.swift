internal import MockAPNsUpstream

extension DriftDefect {
    private static func method(_ method: String, _ source: String = inferred) -> DriftDefect {
        let hasBody = ["PUT", "PATCH", "post"].contains(method)
        let id = method == "post" ? "method-lower" : "method-\(method.lowercased())"
        return DriftDefect(
            id: id, parts: [.method, .body], check: "method", decides: "the method \(method)", source: source
        ) { draft, _ in
            draft.method = method
            if !hasBody { draft.body = [] }
        }
    }

    private static func path(
        _ id: String, _ check: String, _ decides: String, _ source: String = inferred,
        _ path: @escaping @Sendable (DriftProvider) -> String
    ) -> DriftDefect {
        DriftDefect(id: "path-\(id)", parts: [.path], check: check, decides: decides, source: source) {
            $0.path = path($1)
        }
    }

    private static func path(_ id: String, _ check: String, _ path: String, _ source: String = inferred) -> DriftDefect
    { self.path(id, check, "the path \(path)", source) { _ in path } }

    private static func twice(_ name: String, _ value: String, _ part: Part) -> DriftDefect {
        DriftDefect(
            id: "twice-\(name)", parts: [part], check: "single-headers", decides: "the header \(name) twice",
            source: inferred
        ) { draft, _ in
            draft.set(name, value)
            draft.headers.append(UpstreamHeader(name, value))
        }
    }

    static let methods = [
        DriftDefect(id: "method-put", parts: [.method], check: "method", decides: "the method PUT", source: inferred) {
            draft, _ in draft.method = "PUT"
        }.certain(), method("GET", "observed: MethodNotAllowed without credentials"), method("HEAD"), method("DELETE"),
        method("OPTIONS"), method("PATCH"), method("post"),
    ]

    static let paths = [
        path("version", "path", "/2/device/00").certain(), path("root", "path", "/"),
        path("word", "path", "/3/devices/00"), path("no-slash", "path", "/3/device"),
        path("deeper", "path", "/3/device/00/00"), path("upper", "path", "/3/DEVICE/00"),
        path("slashes", "path", "//3/device/00"), path("dots", "path", "/3/device/../device/00"),
        path("no-token", "device-token-present", "/3/device/", "observed: after the provider token").certain(),
        path("slash-after", "device-token-form", "a slash after the device token") { "/3/device/\($0.deviceToken)/" },
        path("query", "device-token-form", "/3/device/00?a=b"),
        path("percent", "device-token-form", "/3/device/%30%30"),
    ]

    static let repeated = [
        twice("apns-expiration", "0", .expiration).certain(), twice("apns-priority", "10", .priority).certain(),
        twice("apns-topic", "com.example.twice", .topic), twice("apns-push-type", "alert", .pushType),
        twice("apns-collapse-id", "a", .collapseID),
        twice("apns-id", "123e4567-e89b-12d3-a456-426655440000", .messageID), twice("apns-example", "a", .other),
        DriftDefect(
            id: "twice-authorization", parts: [.token], check: "single-headers",
            decides: "the header authorization twice", source: inferred
        ) { draft, _ in draft.headers.append(UpstreamHeader("authorization", "bearer word")) },
        twice("content-type", "application/json", .other),
    ]

    static let headers = [
        header("id-word", .messageID, "apns-id", "apns-id", "word", "an apns-id that is not a UUID", documented)
            .certain(),
        header("id-short", .messageID, "apns-id", "apns-id", "123e4567-e89b-12d3-a456-42665544000", "a short apns-id"),
        header("id-braces", .messageID, "apns-id", "apns-id", "{123e4567-e89b-12d3-a456-426655440000}", "braces"),
        header("id-plain", .messageID, "apns-id", "apns-id", "123e4567e89b12d3a456426655440000", "no hyphens"),
        header("id-empty", .messageID, "apns-id", "apns-id", "", "an empty apns-id"),
        header(
            "id-lower", .messageID, "apns-id", "apns-id", "123e4567-e89b-12d3-a456-426655440000",
            "an apns-id in lower case, which the answer repeats", documented),
        header(
            "id-upper", .messageID, "apns-id", "apns-id", "123E4567-E89B-12D3-A456-426655440000",
            "an apns-id in upper case", documented, [DriftCase.Choice("--behavior apns-id-case=lower", "BadMessageId")]),
        header(
            "id-mixed", .messageID, "apns-id", "apns-id", "123E4567-e89b-12d3-a456-426655440000",
            "an apns-id in mixed case", inferred, [DriftCase.Choice("--behavior apns-id-case=lower", "BadMessageId")]),
        header("expiration-word", .expiration, "apns-expiration", "apns-expiration", "soon", "a word", documented)
            .certain(),
        header(
            "expiration-fraction", .expiration, "apns-expiration", "apns-expiration", "1.5", "a fraction", "observed"),
        header("expiration-negative", .expiration, "apns-expiration", "apns-expiration", "-1", "a negative time"),
        header("expiration-plus", .expiration, "apns-expiration", "apns-expiration", "+1", "a time with a sign"),
        header("expiration-hex", .expiration, "apns-expiration", "apns-expiration", "0x10", "a hexadecimal time"),
        header("expiration-empty", .expiration, "apns-expiration", "apns-expiration", "", "an empty expiration"),
        header("expiration-zero", .expiration, "apns-expiration", "apns-expiration", "0", "expiration 0", documented),
        header("expiration-past", .expiration, "apns-expiration", "apns-expiration", "1", "a past time", "observed"),
        header(
            "expiration-milliseconds", .expiration, "apns-expiration", "apns-expiration", "4102444800000",
            "an expiration in milliseconds"),
        header(
            "expiration-digits", .expiration, "apns-expiration", "apns-expiration", "99999999999999999999999",
            "an expiration of 23 digits"),
        header("priority-2", .priority, "apns-priority", "apns-priority", "2", "priority 2", documented).certain(),
        header("priority-0", .priority, "apns-priority", "apns-priority", "0", "priority 0"),
        header("priority-1", .priority, "apns-priority", "apns-priority", "1", "priority 1", documented),
        header("priority-11", .priority, "apns-priority", "apns-priority", "11", "priority 11"),
        header("priority-word", .priority, "apns-priority", "apns-priority", "high", "a priority that is a word"),
        header("priority-empty", .priority, "apns-priority", "apns-priority", "", "an empty priority"),
        header("priority-zeros", .priority, "apns-priority", "apns-priority", "010", "priority 010"),
        header("priority-list", .priority, "apns-priority", "apns-priority", "5,10", "two priorities in one header"),
        header(
            "collapse-65", .collapseID, "apns-collapse-id", "apns-collapse-id", String(repeating: "a", count: 65),
            "a collapse ID of 65 bytes", documented
        ).certain(),
        header(
            "collapse-64", .collapseID, "apns-collapse-id", "apns-collapse-id", String(repeating: "a", count: 64),
            "a collapse ID of 64 bytes", documented),
        header(
            "collapse-letters", .collapseID, "apns-collapse-id", "apns-collapse-id", String(repeating: "é", count: 33),
            "a collapse ID of 33 letters in 66 bytes"),
        header("collapse-empty", .collapseID, "apns-collapse-id", "apns-collapse-id", "", "an empty collapse ID"),
        header("expect", .other, "", "expect", "100-continue", "expect: 100-continue"),
        header("header-unknown", .other, "", "apns-example", "a", "an unknown header of APNs"),
        header("header-type", .other, "", "content-type", "text/plain", "a content-type that is not JSON"),
        header("header-encoding", .other, "", "content-encoding", "gzip", "a content-encoding that is not true"),
        header("header-te", .other, "", "te", "trailers", "te: trailers"),
        header("header-large", .other, "", "x-example", String(repeating: "a", count: 7_000), "7,000 bytes of headers"),
        header("header-huge", .other, "", "x-example", String(repeating: "a", count: 9_000), "9,000 bytes of headers"),
    ]

    static let types =
        [
            header("type-word", .pushType, "apns-push-type", "apns-push-type", "word", "an unknown push type")
                .certain(),
            header("type-upper", .pushType, "apns-push-type", "apns-push-type", "Alert", "a push type in upper case"),
            header("type-empty", .pushType, "apns-push-type", "apns-push-type", "", "an empty push type"),
            header("type-absent", .pushType, "apns-push-type", "apns-push-type", nil, "no push type", documented),
        ]
        + [
            ("background", ""), ("voip", ".voip"), ("complication", ".complication"),
            ("fileprovider", ".pushkit.fileprovider"), ("mdm", ""), ("location", ".location-query"),
            ("liveactivity", ".push-type.liveactivity"), ("pushtotalk", ".voip-ptt"), ("widgets", ".push-type.widgets"),
            ("controls", ".push-type.controls"), ("accessory", ".push-type.accessory"),
        ].map { type, suffix in
            DriftDefect(
                id: "type-\(type)", parts: [.pushType, .topic], check: "", decides: "the push type \(type)",
                source: documented
            ) { draft, provider in
                draft.set("apns-push-type", type)
                draft.set("apns-topic", provider.topic + suffix)
            }
        }

    static let topics = [
        header("topic-absent", .topic, "topic-present", "apns-topic", nil, "no topic", "documented: MissingTopic")
            .certain(), header("topic-empty", .topic, "topic-form", "apns-topic", "", "an empty topic"),
        header("topic-space", .topic, "topic-form", "apns-topic", "com.example app", "a space in the topic").certain(),
        header(
            "topic-256", .topic, "topic-form", "apns-topic", String(repeating: "a", count: 256), "a topic of 256 bytes"),
        DriftDefect(
            id: "topic-brackets", parts: [.topic], check: "topic-allowed", decides: "a topic in angle brackets",
            source: "observed: node-apn/node-apn#479"
        ) { $0.set("apns-topic", "<\($1.topic)>") }.certain(),
        DriftDefect(
            id: "topic-brackets+topic-space", parts: [.topic], check: "topic-form",
            decides: "whether topic-form is checked before topic-allowed",
            source: "docs/differences.md, order of checks",
            choices: [DriftCase.Choice("--check-order topic-allowed,topic-form", "TopicDisallowed")]
        ) { draft, provider in draft.set("apns-topic", "<\(provider.topic) >") },
    ]

    private static func payload(_ size: Int) -> [UInt8] {
        Array("{\"aps\":{\"alert\":\"\(String(repeating: "a", count: size - 20))\"}}".utf8)
    }

    /// A body of a size for a push type.
    private static func sized(
        _ id: String, _ type: String, _ suffix: String, _ size: Int, _ source: String
    ) -> DriftDefect {
        DriftDefect(
            id: "body-\(id)", parts: [.body, .pushType, .topic], check: "payload-size",
            decides: "a body of \(size) bytes for the push type \(type)", source: source
        ) { draft, provider in
            draft.set("apns-push-type", type)
            draft.set("apns-topic", provider.topic + suffix)
            draft.body = payload(size)
        }
    }

    private static let strict = [DriftCase.Choice("--behavior invalid-json=reject", "BadRequestPayload")]

    static let bodies = [
        body("empty", "payload-present", "no body", "documented: PayloadEmpty", [], []).certain(),
        body("large", "payload-size", "a body of over 5,120 bytes", "documented: PayloadTooLarge", [], payload(5_220))
            .certain(), sized("4096", "alert", "", 4_096, documented), sized("4097", "alert", "", 4_097, documented),
        sized("voip-5120", "voip", ".voip", 5_120, documented), sized("voip-5121", "voip", ".voip", 5_121, documented),
        sized("accessory-4096", "accessory", ".push-type.accessory", 4_096, inferred),
        sized("accessory-4097", "accessory", ".push-type.accessory", 4_097, contradicting),
        sized("live-4097", "liveactivity", ".push-type.liveactivity", 4_097, documented),
        sized("background-4097", "background", "", 4_097, documented),
        body(
            "not-json", "payload-json", "a body that is not JSON", "observed: rpush/rpush#113", strict, Array("{".utf8)),
        body("not-utf8", "payload-json", "a body that is not UTF-8", inferred, strict, [0x7b, 0xff, 0x7d]),
        body("comma", "payload-json", "a comma too many", inferred, strict, Array(#"{"aps":{},}"#.utf8)),
        body("space", "payload-json", "a body of one space", inferred, strict, [0x20]),
        body(
            "deep", "payload-json", "600 arrays in each other", inferred, strict,
            [UInt8](repeating: 0x5b, count: 600) + [UInt8](repeating: 0x5d, count: 600)),
        body("array", "payload-json", "a body that is an array", inferred, [], Array("[]".utf8)),
        body("number", "payload-json", "a body that is a number", inferred, [], Array("1".utf8)),
        body("no-aps", "payload-json", "a body without aps", inferred, [], Array(#"{"a":1}"#.utf8)),
        body("names", "payload-json", "aps twice", inferred, [], Array(#"{"aps":{},"aps":{}}"#.utf8)),
    ]

    static let devices = [
        path("short-token", "device-token-form", "/3/device/00", "documented: BadDeviceToken"),
        path("word-token", "device-token-form", "/3/device/word").certain(),
        path("odd-token", "device-token-form", "/3/device/abc"),
        path("long-token", "device-token-form", "a device token of 101 bytes") { _ in
            "/3/device/\(String(repeating: "00", count: 101))"
        }, path("upper-token", "", "a device token in upper case") { "/3/device/\($0.deviceToken.uppercased())" },
    ]
}
