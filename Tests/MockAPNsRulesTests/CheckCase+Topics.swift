@testable import MockAPNsRules

extension CheckCase {
    static let topics: [CheckCase] = [
        .without("apns-topic", .missingTopic), .header("apns-topic", "", .badTopic), .header("apns-topic", "x", nil),
        .header("apns-topic", String(repeating: "t", count: 254), nil, "(254 bytes)"),
        .header("apns-topic", String(repeating: "t", count: 255), nil, "(255 bytes)"),
        .header("apns-topic", String(repeating: "t", count: 256), .badTopic, "(256 bytes)"),
        .header("apns-topic", "com.example app", .badTopic), .header("apns-topic", " com.example.app", .badTopic),
        .header("apns-topic", "com.example\tapp", .badTopic, "(tab)"),
        .header("apns-topic", "com.example\u{7f}app", .badTopic, "(delete)"),
        .header("apns-topic", "com.exämple.app", nil), .header("apns-topic", "<com.example.app>", .topicDisallowed),
        .header("apns-topic", "<com.example.app", .topicDisallowed),
        .header("apns-topic", "com.example.app>", .topicDisallowed), .header("apns-topic", "com.example/app", nil),
        .header("apns-topic", "com.Example-1_a.app", nil),
        .accepted("apns-topic: in angle brackets, anything goes") {
            $0.options.authentication = .any
            $0.request.set("apns-topic", "<com.example.app>")
        },

        .token("key for this topic", nil) { $0.topics = [PushRequest.goodTopic] },
        .token("key for several topics", nil) { $0.topics = ["com.example.other", PushRequest.goodTopic] },
        .token("key for another topic", .topicDisallowed) { $0.topics = ["com.example.other"] },
        .token("key for no topic", .topicDisallowed) { $0.topics = [] },
        .token("key for the topic's beginning", .topicDisallowed) { $0.topics = ["com.example"] },
        .accepted("provider token: key for the bundle, topic with its suffix") {
            $0.token.topics = [PushRequest.goodTopic]
            $0.request.setType(.voip)
        },
        .refused("provider token: key for another bundle, topic with a suffix", .topicDisallowed) {
            $0.token.topics = ["com.example"]
            $0.request.setType(.liveactivity)
        },
        .accepted("provider token: key for another topic, anything goes") {
            $0.token.topics = ["com.example.other"]
            $0.options.authentication = .any
        },

        .token("topic-specific, sub of another app", nil) {
            $0.topics = [PushRequest.goodTopic]
            $0.subject = "com.example.other"
        },
        .accepted("provider token: topic-specific, sub required and there") {
            $0.options.requiresSubject = true
            $0.token.topics = [PushRequest.goodTopic]
            $0.token.subject = PushRequest.goodTopic
        },
        .refused("provider token: topic-specific, sub required and absent", .invalidProviderToken) {
            $0.options.requiresSubject = true
            $0.token.topics = [PushRequest.goodTopic]
        },
        .refused("provider token: topic-specific, sub required and another", .invalidProviderToken) {
            $0.options.requiresSubject = true
            $0.token.topics = [PushRequest.goodTopic, "com.example.other"]
            $0.token.subject = "com.example.other"
        }, .accepted("provider token: for every topic, sub required of others") { $0.options.requiresSubject = true },
    ]

    static let pushTypes: [CheckCase] =
        PushType.allCases.flatMap(cases(of:)) + [
            .without("apns-push-type", nil),
            .accepted("no push type, topic with a suffix") {
                $0.request.setType(.voip)
                $0.request.remove("apns-push-type")
            }, .header("apns-push-type", "", .invalidPushType),
            .header("apns-push-type", "Alert", .invalidPushType, "(letter case counts)"),
            .header("apns-push-type", "alert ", .invalidPushType),
            .header("apns-push-type", "silent", .invalidPushType),
            .header("apns-push-type", "LiveActivity", .invalidPushType, "(the broadcast spelling)"),
            .header("apns-push-type", "complications", .invalidPushType),

            .refused("alert on a .voip topic", .invalidPushType) { $0.request.edit("apns-topic") { $0 + ".voip" } },
            .refused("background on a .voip topic", .invalidPushType) {
                $0.request.setType(.background)
                $0.request.edit("apns-topic") { $0 + ".voip" }
            },
            .refused("voip on a .voip-ptt topic", .invalidPushType) {
                $0.request.setType(.pushtotalk)
                $0.request.set("apns-push-type", "voip")
            },
            .accepted("alert on a .voip topic in production, checked in the sandbox alone") {
                $0.options.checksPushTypeInSandboxOnly = true
                $0.environment = .production
                $0.request.edit("apns-topic") { $0 + ".voip" }
            },
            .refused("alert on a .voip topic in the sandbox, checked there alone", .invalidPushType) {
                $0.options.checksPushTypeInSandboxOnly = true
                $0.request.edit("apns-topic") { $0 + ".voip" }
            },
            .refused("alert on a .voip topic in production", .invalidPushType) {
                $0.environment = .production
                $0.request.edit("apns-topic") { $0 + ".voip" }
            },

            .refused("background with priority 10", .badPriority) {
                $0.request.setType(.background)
                $0.request.set("apns-priority", "10")
            },
            .accepted("background with priority 10, allowed") {
                $0.options.allowsImmediateBackground = true
                $0.request.setType(.background)
                $0.request.set("apns-priority", "10")
            },
            .accepted("background with priority 1") {
                $0.request.setType(.background)
                $0.request.set("apns-priority", "1")
            },
            .accepted("background without priority") {
                $0.request.setType(.background)
                $0.request.remove("apns-priority")
            },
        ]

    /// A push type with its topic, with the plain one, and with another type's.
    private static func cases(of type: PushType) -> [CheckCase] {
        let hasSuffix = type.row.topicSuffix.utf8CodeUnitCount > 0
        let others = PushType.allCases.filter { $0 != type && $0.row.topicSuffix.utf8CodeUnitCount > 0 }
        return [
            .accepted("\(type) on its topic") { $0.request.setType(type) },
            .accepted("\(type) on its topic in production") {
                $0.environment = .production
                $0.request.setType(type)
            },
            CheckCase("\(type) on a plain topic", hasSuffix ? .invalidPushType : nil) {
                $0.request.setType(type)
                $0.request.set("apns-topic", PushRequest.goodTopic)
            },
        ]
            + others.map { other in
                .refused("\(type) on a topic for \(other)", .invalidPushType) {
                    $0.request.setType(type)
                    $0.request.set("apns-topic", PushRequest.goodTopic + other.row.topicSuffix.description)
                }
            }
    }
}
