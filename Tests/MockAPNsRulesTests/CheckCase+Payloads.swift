@testable import MockAPNsRules

extension CheckCase {
    static let payloads: [CheckCase] =
        [
            payload(0, .payloadEmpty), payload(1, nil), payload(4_095, nil), payload(4_096, nil),
            payload(4_097, .payloadTooLarge),
            .refused("far too large a body, of which a part was kept", .payloadTooLarge) {
                $0.request.body = Array(repeating: 0x20, count: 5_121)
                $0.request.bodyLength = 1 << 40
            },
            .refused("no body kept, and too many bytes arrived", .payloadTooLarge) {
                $0.request.body = []
                $0.request.bodyLength = 5_121
            },

            payload(5_119, nil, "voip by type and topic") { $0.setType(.voip) },
            payload(5_120, nil, "voip by type and topic") { $0.setType(.voip) },
            payload(5_121, .payloadTooLarge, "voip by type and topic") { $0.setType(.voip) },
            payload(5_119, nil, "voip by topic alone") { typeless(&$0, .voip) },
            payload(5_120, nil, "voip by topic alone") { typeless(&$0, .voip) },
            payload(5_121, .payloadTooLarge, "voip by topic alone") { typeless(&$0, .voip) },
            // A plain topic does not go with the type, which is found out after the size.
            payload(5_120, .invalidPushType, "voip by type alone") { $0.set("apns-push-type", "voip") },
            payload(5_121, .payloadTooLarge, "voip by type alone") { $0.set("apns-push-type", "voip") },
            payload(5_120, .invalidPushType, "voip by topic, another type") { $0.set("apns-topic", "a.voip") },

            .accepted("{}") { $0.request.body = Array("{}".utf8) }, body("{ not JSON", nil, strict: false),
            body("\u{0}", nil, strict: false), body(#"{"aps":{"alert":"Hello"}}"#, nil, strict: true),
            body("{}", nil, strict: true), body(#" [1, 2.5e-3, "\u00e9\n", null] "#, nil, strict: true),
            body("{ not JSON", .badRequestPayload, strict: true), body("test data!", .badRequestPayload, strict: true),
            body("{'aps':{}}", .badRequestPayload, strict: true),
            body(#"{"aps":{},}"#, .badRequestPayload, strict: true),
            body(#"{"aps":{}}{}"#, .badRequestPayload, strict: true),
        ]
        + PushType.allCases.filter { $0 != .voip }.flatMap { type in
            [
                payload(4_095, nil, "\(type)") { $0.setType(type) },
                payload(4_096, nil, "\(type)") { $0.setType(type) },
                payload(4_097, .payloadTooLarge, "\(type)") { $0.setType(type) },
                payload(4_097, .payloadTooLarge, "\(type) by topic alone") { typeless(&$0, type) },
            ]
        }

    private static func payload(
        _ size: Int, _ expected: Reason?, _ note: String = "",
        _ change: @escaping @Sendable (inout PushRequest) -> Void = { _ in }
    ) -> CheckCase {
        CheckCase("body of \(size) bytes \(note)", expected) {
            change(&$0.request)
            $0.request.body = Array(repeating: UInt8(ascii: "x"), count: size)
        }
    }

    private static func body(_ text: String, _ expected: Reason?, strict: Bool) -> CheckCase {
        CheckCase("body \(text)\(strict ? ", strict" : "")", expected) {
            $0.request.body = Array(text.utf8)
            $0.options.refusesInvalidJSON = strict
        }
    }

    /// Makes it a push whose type the topic alone tells.
    private static func typeless(_ request: inout PushRequest, _ type: PushType) {
        request.setType(type)
        request.remove("apns-push-type")
    }
}
