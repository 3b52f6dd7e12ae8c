@testable import MockAPNsRules

extension CheckCase {
    /// What the service knows of a device token that is well formed.
    static let registrations: [CheckCase] = unknownTokens + environments + registeredTopics + deadTokens + severalFaults

    static let deviceRates: [CheckCase] = [
        .accepted("device over the rate, no rate set") { $0.deviceHasRoom = false },
        .accepted("device within the rate") { $0.options.deviceRate = .init(count: 1, interval: 1) },
        .refused("device over the rate", .tooManyRequests) {
            $0.options.deviceRate = .init(count: 1, interval: 1)
            $0.deviceHasRoom = false
        },
        .refused("unknown device over the rate", .tooManyRequests) {
            $0.options.deviceRate = .init(count: 1, interval: 1)
            $0.deviceIsKnown = false
            $0.deviceHasRoom = false
        },
    ]

    /// Nothing that is said of a registration holds for a token that has none.
    private static let unknownTokens: [CheckCase] = [
        .accepted("device token: unknown") { $0.deviceIsKnown = false },
        .accepted("device token: unknown, in production") {
            $0.environment = .production
            $0.deviceIsKnown = false
        }, .accepted("device token: known, unknown ones rejected") { $0.options.unknownTokens = .reject },
        .refused("device token: unknown, unknown ones rejected", .badDeviceToken) {
            $0.options.unknownTokens = .reject
            $0.deviceIsKnown = false
        },
        .accepted("device token: unknown, those of this topic belong to another") {
            $0.deviceIsKnown = false
            $0.device.topic = "com.example.other"
        },
        .accepted("device token: unknown, others are dead") {
            $0.deviceIsKnown = false
            $0.device.die()
        },
        .accepted("device token: unknown, others are of the other environment") {
            $0.deviceIsKnown = false
            $0.device.environment = .production
        },
    ]

    /// Every listener with every token, whether unknown ones are accepted or not.
    private static let environments: [CheckCase] = RuleOptions.UnknownTokens.allCases.flatMap { mode in
        Environment.allCases.flatMap { listener in
            Environment.allCases.map { registered in
                CheckCase(
                    "device token: of \(registered), sent to \(listener), unknown ones: \(mode)",
                    listener == registered ? nil : .badDeviceToken
                ) {
                    $0.options.unknownTokens = mode
                    $0.environment = listener
                    $0.device.environment = registered
                }
            }
        }
    }

    private static let registeredTopics: [CheckCase] = [
        .accepted("device token: for this topic") { $0.device.topic = PushRequest.goodTopic },
        .accepted("device token: for this topic with its suffix") {
            $0.request.setType(.voip)
            $0.device.topic = PushRequest.goodTopic + ".voip"
        }, topic("another app's", "com.example.other"), topic("the app's beginning", "com.example"),
        topic("the app and more", PushRequest.goodTopic + ".more"), topic("in another letter case", "com.example.App"),
        topic("with a suffix that the push has not", PushRequest.goodTopic + ".voip"),
        .refused("device token: for the app, topic with a suffix", .deviceTokenNotForTopic) {
            $0.request.setType(.voip)
            $0.device.topic = PushRequest.goodTopic
        },
        .refused("device token: for one suffix, topic with another", .deviceTokenNotForTopic) {
            $0.request.setType(.voip)
            $0.device.topic = PushRequest.goodTopic + ".complication"
        },
        .refused("device token: for another topic, in production", .deviceTokenNotForTopic) {
            $0.environment = .production
            $0.device.topic = "com.example.other"
        },
        .refused("device token: for another topic, any provider token goes", .deviceTokenNotForTopic) {
            $0.options.authentication = .any
            $0.device.topic = "com.example.other"
        },
    ]

    private static let deadTokens: [CheckCase] = [
        .refused("device token: unregistered", .unregistered) { $0.device.die() },
        .refused("device token: unregistered, unknown ones rejected", .unregistered) {
            $0.options.unknownTokens = .reject
            $0.device.die()
        }, .refused("device token: expired", .expiredToken) { $0.device.die(as: .expired) },
        .refused("device token: expired, unknown ones rejected", .expiredToken) {
            $0.options.unknownTokens = .reject
            $0.device.die(as: .expired)
        },
        // What has a time of death counts for nothing while the token works.
        .accepted("device token: dead once, valid again") {
            $0.device.die()
            $0.device.standing = .valid
        },
        .refused("device token: unregistered at this moment", .unregistered) {
            $0.device.standing = .unregistered
            $0.device.deadSince = $0.now
        },
    ]

    /// Inferred: a dead token still knows its topic; a token of the other environment is no token here at all.
    private static let severalFaults: [CheckCase] =
        [RegisteredToken.Standing.unregistered, .expired].flatMap { standing in
            [
                CheckCase("device token: \(standing), for another topic", .deviceTokenNotForTopic) {
                    $0.device.die(as: standing)
                    $0.device.topic = "com.example.other"
                },
                CheckCase("device token: \(standing), of the other environment", .badDeviceToken) {
                    $0.device.die(as: standing)
                    $0.device.environment = .production
                },
                CheckCase("device token: \(standing), wrong in everything", .badDeviceToken) {
                    $0.device.die(as: standing)
                    $0.device.environment = .production
                    $0.device.topic = "com.example.other"
                },
            ]
        } + [
            .refused("device token: of the other environment, for another topic", .badDeviceToken) {
                $0.device.environment = .production
                $0.device.topic = "com.example.other"
            },
            .refused("device token: asks for 410, of the other environment", .unregistered) {
                $0.request.setToken("dead0410")
                $0.device.environment = .production
            },
            .refused("device token: asks for 410, unknown, unknown ones rejected", .unregistered) {
                $0.request.setToken("dead0410")
                $0.options.unknownTokens = .reject
                $0.deviceIsKnown = false
            },
            .refused("device token: for another topic, unfit push type", .deviceTokenNotForTopic) {
                $0.request.edit("apns-topic") { $0 + ".voip" }
                $0.device.topic = PushRequest.goodTopic
            },
            .refused("device token: dead, background with priority 10", .unregistered) {
                $0.request.setType(.background)
                $0.request.set("apns-priority", "10")
                $0.device.die()
            },
            .refused("device token: dead, over the rate", .unregistered) {
                $0.options.deviceRate = .init(count: 1, interval: 1)
                $0.deviceHasRoom = false
                $0.device.die()
            },
        ]

    /// A token registered for a topic that is not the push's.
    private static func topic(_ note: String, _ topic: String) -> CheckCase {
        .refused("device token: for a topic that is \(note)", .deviceTokenNotForTopic) { $0.device.topic = topic }
    }
}
