@testable import MockAPNsRules

extension HintCase {
    static let requests: [HintCase] = [
        HintCase("stopping", .shutdown, "This server is shutting down.") { $0.refusal = .shutdown },
        HintCase("full disk", .serviceUnavailable, "cannot write to its --data") { $0.refusal = .serviceUnavailable },
        certificate(.untrusted, "was issued by CN=CA, which this server does not trust"),
        certificate(.selfSigned, "is signed with its own key"),
        certificate(.expired, "expired at 2025-08-04T13:55:13Z, 1 day before the push") {
            $0.notAfter = Int64(HintScenario.now) - 86_400
        },
        certificate(.notYetValid, "is not valid before 2025-08-06T13:55:13Z") {
            $0.notBefore = Int64(HintScenario.now) + 86_400
        }, certificate(.revoked, "was revoked"), certificate(.noTopic, "names no app"),
        certificate(.tooManyTopics, "has more than 1,000 topics"), certificate(.unreadable, "cannot be parsed"),
        HintCase(
            "certificate of the other environment", .badCertificateEnvironment,
            "The client's certificate (CN=app) is for production, but this address is sandbox."
        ) {
            $0.certificate = HintScenario.certificate
            $0.certificate?.standing = .verified
            $0.certificate?.environments = [.production]
        },
        HintCase("GET", .methodNotAllowed, "The method is 'GET', expected POST.") { $0.request.set(":method", "GET") },
        path("", "The request has no path"),
        path("https://api.push.apple.com/3/device/ab", "only the part of the URL after the host"),
        path("/3/devices/ab", "The path is '/3/devices/ab', expected /3/device/<device token>."),
        path("/2/device/ab", "version 2 does not exist"),
        path("/push", "The path is '/push', expected /3/device/<device token>."),
        // Paths that the wrong service gets.
        path("/4/device/ab", "expected /3/device/<device token>: version 4 is for broadcasts"),
        path("/1/device/ab", "expected /3/device/<device token>: version 1 is for the management of channels"),
        path("/3/broadcasts/apps/x", "expected /4/broadcasts/apps/<bundle id>: version 3 is for pushes to devices"),
        path("/broadcasts/apps/x", "is '/broadcasts/apps/x', expected /4/broadcasts/apps/<bundle id>."),
        path("/4/broadcasts", "is '/4/broadcasts', expected /4/broadcasts/apps/<bundle id>."),
        path("/4/broadcasts/x", "is '/4/broadcasts/x', expected /4/broadcasts/apps/<bundle id>."),
        path("/4/apps/x/broadcasts", "is '/4/apps/x/broadcasts', expected /4/broadcasts/apps/<bundle id>."),
        path("/1/apps/x", "is '/1/apps/x', expected /1/apps/<bundle id>/channels or"),
        path("/1/apps/x/channel", "is '/1/apps/x/channel', expected /1/apps/<bundle id>/channels or"),
        path("/1/apps/x/broadcasts", "expected /4/broadcasts/apps/<bundle id>: version 1 is for the management"),
        path("/4/broadcasts/apps/com.x/", "expected /4/broadcasts/apps/<bundle id>: it ends with a slash"),
        path("/1/apps/com.x/channels/", "<bundle id>/all-channels: it ends with a slash"),
        HintCase(
            "repeated", .duplicateHeaders,
            "The header apns-topic occurs 2 times, expected once: 'com.example.app', 'b'."
        ) { $0.request.add("apns-topic", "b") },
        HintCase("no device token", .missingDeviceToken, "The path ends after /3/device/") { $0.request.setToken("") },
        HintCase("no device token with a channel", .missingDeviceToken, "has an apns-channel-id ('a')") {
            $0.request.setToken("")
            $0.request.set("apns-channel-id", "a")
        },
        HintCase("apns-id", .badMessageID, "The header apns-id is '{1}', expected a UUID") {
            $0.request.set("apns-id", "{1}")
        },
        HintCase("apns-id in upper case", .badMessageID, "'EABEAE54-14A8-11E5-B60B-1697F925EC7B', expected lower case")
        {
            $0.options.requiresLowerCaseID = true
            $0.request.set("apns-id", "EABEAE54-14A8-11E5-B60B-1697F925EC7B")
        }, expiration("", "is empty, expected a whole number"), expiration("-1", "is '-1', which is negative"),
        expiration("1.5", "is '1.5', which has a fraction"), expiration("2026-01-05T10:00:00Z", "which is a date"),
        expiration("99999999999999999999", "which is too large"),
        expiration("soon", "is 'soon', expected a whole number"),
        HintCase("priority", .badPriority, "The header apns-priority is 'high', expected 10, 5 or 1.") {
            $0.request.set("apns-priority", "high")
        },
        HintCase("background", .badPriority, "apns-priority is 10 on a background push, expected 5 or 1.") {
            $0.request.setType(.background)
            $0.request.set("apns-priority", "10")
        },
        HintCase("background, binary", .badPriority, "The frame's priority is 10, but the payload has only") {
            $0.isBinary = true
            $0.request.remove("apns-push-type")
            $0.request.body = Array(#"{"aps":{"content-available":1}}"#.utf8)
        },
        HintCase("collapse ID", .badCollapseID, "has 66 bytes (22 characters), expected at most 64") {
            $0.request.set("apns-collapse-id", String(repeating: "漢", count: 22))
        },
        HintCase("push type in capitals", .invalidPushType, "The header apns-push-type is 'Alert', expected 'alert'.") {
            $0.request.set("apns-push-type", "Alert")
        },
        HintCase("push type", .invalidPushType, "is 'x', expected a documented push type") {
            $0.request.set("apns-push-type", "x")
        },
        HintCase(
            "push type of another topic", .invalidPushType,
            "The push type is voip, but the topic is 'com.example.app', expected 'com.example.app.voip'."
        ) { $0.request.set("apns-push-type", "voip") },
        HintCase(
            "push type with a misspelt topic", .invalidPushType,
            "is 'com.example.app.liveactivity', expected 'com.example.app.push-type.liveactivity'."
        ) {
            $0.request.set("apns-push-type", "liveactivity")
            $0.request.set("apns-topic", "com.example.app.liveactivity")
        },
        HintCase(
            "push type of a topic of no app", .invalidPushType,
            "is 'com.apple.mgmt.External.8a1b', expected '<bundle identifier>.voip'."
        ) {
            $0.request.set("apns-push-type", "voip")
            $0.request.set("apns-topic", "com.apple.mgmt.External.8a1b")
        },
        HintCase("push type with a long topic", .invalidPushType, "expected '\(longTopic).push-type.liveactivity'.") {
            $0.request.set("apns-push-type", "liveactivity")
            $0.request.set("apns-topic", longTopic)
        },
        HintCase("no topic", .missingTopic, "The request has no apns-topic, expected the app's bundle identifier") {
            $0.request.remove("apns-topic")
        },
        HintCase("no topic of several", .missingTopic, "certificate is for several topics: a, b") {
            $0.request.remove("apns-topic")
            $0.certificate = good(["a", "b"])
        }, topic("", "The header apns-topic is empty"), topic("com.example app", "with a space at character 12"),
        topic("a\u{1}", "with the control character U+1 at character 2"),
        topic(String(repeating: "a", count: 256), "which has 256 bytes of at most 255"),
        HintCase(
            "topic of another key", .topicDisallowed, "'com.example.app', but key ABC123DEFG is only for com.other."
        ) { $0.keys["ABC123DEFG"] = ProviderKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", topics: ["com.other"]) },
        HintCase(
            "topic of another certificate", .topicDisallowed,
            "The topic is 'com.example.app', but the client's certificate is only for com.other."
        ) { $0.certificate = good(["com.other"]) },
        HintCase("location", .topicDisallowed, "The push type is location and the client shows a certificate") {
            $0.request.setType(.location)
            $0.certificate = good(["com.example.app.location-query"])
        },
        HintCase(
            "Live Activity without apns-push-type", .topicDisallowed,
            "The push type is liveactivity and the client shows a certificate"
        ) {
            $0.request.setType(.liveactivity)
            $0.request.remove("apns-push-type")
            $0.certificate = good(["com.example.app.push-type.liveactivity"])
        },
        HintCase("topic in brackets", .topicDisallowed, "'<com.example.app>', in angle brackets") {
            $0.request.set("apns-topic", "<com.example.app>")
        }, HintCase("no payload", .payloadEmpty, "The body has no bytes") { $0.request.body = [] },
        kept(
            "text", #"{"aps":{"alert":""# + String(repeating: "\\u00e9", count: 900), 20_000,
            "first 5417 bytes are 1817, and the rest was not kept."),
        kept(
            "much text", #"{"aps":{"alert":""# + String(repeating: "\\u20ac", count: 2_500), 20_000,
            "first 15017 bytes are 7517, already too many."),
        tooLarge("text", #"{"aps":{"alert":"\#(String(repeating: "a", count: 5_000))"}}"#, 5_020, "."),
        tooLarge(
            "escapes", #"{"aps":{"alert":"\#(String(repeating: #"\u0434"#, count: 1_000))"}}"#, 6_020,
            "; as UTF-8 instead of \\u escapes it has 2020 bytes, which fits."),
        tooLarge(
            "white space", #"{"aps":{"alert":"a"}}\#(String(repeating: "\n  ", count: 2_000))"#, 6_021,
            "; without white space it has 21 bytes, which fits."),
        tooLarge(
            "both", #"{"aps":  {"alert":"\#(String(repeating: #"\ud83d\ude00"#, count: 400))"}}"#, 4_822,
            "; as UTF-8 instead of \\u escapes and without white space it has 1620 bytes, which fits."),
        tooLarge(
            "slashes", #"{"aps":{"alert":"\#(String(repeating: #"\/"#, count: 2_100))"}}"#, 4_220,
            "; with / instead of \\/ it has 2120 bytes, which fits."),
        HintCase("not JSON", .badRequestPayload, "The body is not JSON: at byte 8, expected") {
            $0.options.refusesInvalidJSON = true
            $0.request.body = Array(#"{"aps":}"#.utf8)
        },
        HintCase("unknown token", .badDeviceToken, "is not registered in the sandbox environment") {
            $0.options.unknownTokens = .reject
        },
        HintCase(
            "token of the other environment", .badDeviceToken,
            "The device token is for sandbox, but this address is production."
        ) {
            $0.environment = .production
            $0.registered = ("com.example.app", .sandbox)
        },
        HintCase(
            "token of another app", .deviceTokenNotForTopic,
            "The topic is 'com.example.app', but the device token belongs to 'com.other'."
        ) { $0.registered = ("com.other", .sandbox) },
        HintCase(
            "uninstalled", .unregistered, "no longer registered with this device token, since 2025-08-04T13:55:13Z."
        ) {
            $0.registered = ("com.example.app", .sandbox)
            $0.standing = .unregistered
        },
        HintCase("expired", .expiredToken, "The device token has expired, at 2025-08-04T13:55:13Z.") {
            $0.registered = ("com.example.app", .sandbox)
            $0.standing = .expired
        },
        HintCase("rate", .tooManyRequests, "got more than 3 pushes in 10 s") {
            $0.options.deviceRate = RuleOptions.Rate(count: 3, interval: 10_000_000)
            $0.isWithinRate = false
        },
    ]

    private static let longTopic = "com.example." + String(repeating: "a", count: 90)

    static func good(_ topics: Set<String>) -> ClientCertificate {
        var certificate = HintScenario.certificate
        (certificate.standing, certificate.environments, certificate.topics) = (.verified, [.sandbox], topics)
        return certificate
    }

    private static func certificate(
        _ standing: ClientCertificate.Standing, _ says: String, _ change: (inout ClientCertificate) -> Void = { _ in }
    ) -> HintCase {
        var certificate = HintScenario.certificate
        certificate.standing = standing
        change(&certificate)
        return HintCase("certificate: \(standing)", .badCertificate, says) { $0.certificate = certificate }
    }

    private static func path(_ path: String, _ says: String) -> HintCase {
        HintCase("path \(path)", .badPath, says) { $0.request.set(":path", path) }
    }

    private static func expiration(_ value: String, _ says: String) -> HintCase {
        HintCase("expiration \(value)", .badExpirationDate, says) { $0.request.set("apns-expiration", value) }
    }

    private static func topic(_ value: String, _ says: String) -> HintCase {
        HintCase("topic \(value.prefix(20))", .badTopic, says) { $0.request.set("apns-topic", value) }
    }

    private static func tooLarge(_ name: String, _ body: String, _ size: Int, _ end: String) -> HintCase {
        let says = "The payload has \(size) bytes, \(size - 4_096) more than the limit of 4096\(end)"
        return HintCase("too large: \(name)", .payloadTooLarge, says) { $0.request.body = Array(body.utf8) }
    }

    /// A payload of which only the beginning is kept.
    private static func kept(_ name: String, _ start: String, _ size: Int, _ end: String) -> HintCase {
        let says =
            "The payload has \(size) bytes, \(size - 4_096) more than the limit of 4096; as UTF-8 instead of \\u escapes its \(end)"
        return HintCase("kept in part: \(name)", .payloadTooLarge, says) {
            $0.request.body = Array(start.utf8)
            $0.request.bodyLength = size
        }
    }
}
