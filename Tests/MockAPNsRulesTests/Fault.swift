import Testing

@testable import MockAPNsRules

/// One thing wrong with a push, in a form that leaves room for every other fault in the same push.
struct Fault: Sendable, CustomTestStringConvertible {
    /// The check that finds it.
    let checkID: String
    let reason: Reason
    let apply: @Sendable (inout Scenario) -> Void

    init(_ checkID: String, _ reason: Reason, _ apply: @escaping @Sendable (inout Scenario) -> Void) {
        self.checkID = checkID
        self.reason = reason
        self.apply = apply
    }

    var testDescription: String { "\(checkID): \(reason)" }

    /// One fault for each check, in the order in which faults are to be reported.
    static let inOrder: [Fault] = [
        Fault("not-stopping", .shutdown) { $0.refusal = .shutdown },
        Fault("client-certificate", .badCertificate) { $0.certificate = .standing(.expired) },
        Fault("method", .methodNotAllowed) { $0.request.set(":method", "GET") },
        Fault("path", .badPath) { $0.request.set(":path", "/5/device/") },
        Fault("single-headers", .duplicateHeaders) {
            $0.request.add("apns-unheard-of", "1")
            $0.request.add("apns-unheard-of", "1")
        }, Fault("provider-token-present", .missingProviderToken) { $0.request.remove("authorization") },
        Fault("provider-token-valid", .invalidProviderToken) { $0.token.verification = .badSignature },
        Fault("provider-token-age", .expiredProviderToken) { $0.token.issuedAt -= 3_601 },
        Fault("provider-token-environment", .badEnvironmentKeyInToken) { $0.token.environment = .production },
        Fault("connection-key", .invalidProviderToken) { $0.began { $0.teamID = "ZZZ999ZZZ9" } },
        Fault("provider-token-updates", .tooManyProviderTokenUpdates) { $0.began { $0.issuedAt -= 60 } },
        Fault("device-token-present", .missingDeviceToken) { $0.request.setToken("") },
        Fault("apns-id", .badMessageID) { $0.request.set("apns-id", "1") },
        Fault("apns-expiration", .badExpirationDate) { $0.request.set("apns-expiration", "tomorrow") },
        Fault("apns-priority", .badPriority) { $0.request.set("apns-priority", "7") },
        Fault("apns-collapse-id", .badCollapseID) {
            $0.request.set("apns-collapse-id", String(repeating: "c", count: 65))
        }, Fault("apns-push-type", .invalidPushType) { $0.request.set("apns-push-type", "silent") },
        Fault("topic-present", .missingTopic) { $0.request.remove("apns-topic") },
        Fault("topic-form", .badTopic) { $0.request.edit("apns-topic") { "a " + $0 } },
        Fault("topic-allowed", .topicDisallowed) { $0.token.topics = ["com.example.other"] },
        Fault("payload-present", .payloadEmpty) { $0.request.body = [] },
        // Over every limit, and not JSON.
        Fault("payload-size", .payloadTooLarge) { $0.request.body = Array(repeating: 0x20, count: 5_121) },
        Fault("payload-json", .badRequestPayload) {
            $0.options.refusesInvalidJSON = true
            $0.request.body = Array("{".utf8)
        },
        // An odd number of digits that would ask for an answer, too.
        Fault("device-token-form", .badDeviceToken) { $0.request.setToken("dead04100") },
        Fault("answer-token", .unregistered) { $0.request.setToken("dead0410") },
        // Known, so that it can have the other faults of a registered token as well.
        Fault("device-token-known", .badDeviceToken) { $0.device.environment = .production },
        Fault("device-token-topic", .deviceTokenNotForTopic) { $0.device.topic = "com.example.registered" },
        Fault("device-token-alive", .unregistered) { $0.device.die() },
        Fault("push-type-for-topic", .invalidPushType) { $0.request.edit("apns-topic") { $0 + ".voip" } },
        Fault("priority-for-push-type", .badPriority) {
            $0.request.set("apns-push-type", "background")
            $0.request.set("apns-priority", "10")
        },
        Fault("device-rate", .tooManyRequests) {
            $0.options.deviceRate = .init(count: 1, interval: 1)
            $0.deviceHasRoom = false
        },
    ]

    /// A push with several faults; the earlier one has the last word where two want the same header.
    static func scenario(_ faults: some BidirectionalCollection<Fault>) -> Scenario {
        var scenario = Scenario()
        for fault in faults.reversed() { fault.apply(&scenario) }
        return scenario
    }
}

/// Two faults in one push, the earlier one first.
struct FaultPair: Sendable, CustomTestStringConvertible {
    let earlier: Fault
    let later: Fault

    var scenario: Scenario { Fault.scenario([earlier, later]) }

    var testDescription: String { "\(earlier.checkID) before \(later.checkID)" }

    static let all = Fault.inOrder.indices.flatMap { place in
        Fault.inOrder[(place + 1)...].map { FaultPair(earlier: Fault.inOrder[place], later: $0) }
    }
}
