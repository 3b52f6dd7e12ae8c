@testable import MockAPNsRules

extension HintCase {
    static let channels: [HintCase] = [
        channel("GET", .broadcast, .methodNotAllowed, "The method is 'GET', expected POST.") {
            $0.request.set(":method", "GET")
        },
        channel("PUT", .create, .methodNotAllowed, "The method is 'PUT', expected GET, POST or DELETE.") {
            $0.request.set(":method", "PUT")
        },
        channel("POST to the list", .list, .methodNotAllowed, "The method is 'POST', expected GET.") {
            $0.request.set(":method", "POST")
        },
        channel("channel ID in the path", .broadcast, .badPath, "it contains the channel ID") {
            $0.request.edit(":path") { "\($0)/\(ChannelScenario.channel.text)" }
        },
        channel("bundle ID", .create, .badPath, "'a\u{1}' is not a bundle identifier") {
            $0.request.set(":path", "/1/apps/a\u{1}/channels")
        },
        channel("only channels", .broadcast, .badPath, "this address only manages channels") {
            $0.hasOnlyChannels = true
        },
        channel(
            "app of another key", .broadcast, .topicMismatch,
            "for 'com.example.app', but key ABC123DEFG is only for com.other."
        ) { $0.keys["ABC123DEFG"] = ProviderKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", topics: ["com.other"]) },
        channel(
            "app of another certificate", .create, .topicMismatch,
            "The path is for 'com.example.app', but the client's certificate"
        ) { $0.certificate = good(["com.other"]) },
        channel("capability", .broadcast, .featureNotEnabled, "does not have the broadcast capability") {
            $0.allowsBroadcasts = false
        },
        channel(
            "suffix", .broadcast, .topicDisallowed,
            "has the topic 'com.example.app.voip', expected the bundle identifier alone: 'com.example.app'."
        ) { $0.request.edit(":path") { "\($0).voip" } },
        channel("two suffixes", .broadcast, .topicDisallowed, "identifier alone: 'com.example.app'.") {
            $0.request.edit(":path") { "\($0).push-type.liveactivity.push-type.liveactivity" }
        },
        channel(
            "misspelt suffix", .broadcast, .channelNotRegistered,
            "and the bundle identifier in the path has '.liveactivity' in place of .push-type.liveactivity."
        ) {
            $0.storage = nil
            $0.request.edit(":path") { "\($0).liveactivity" }
        },
        channel(
            "team", .broadcast, .channelNotRegistered, "and the bundle identifier in the path begins with a team ID."
        ) {
            $0.storage = nil
            $0.request.set(":path", "/4/broadcasts/apps/A1B2C3D4E5.com.example.app")
        },
        channel("placeholder", .broadcast, .channelNotRegistered, "has the placeholder 'null', and no channel") {
            $0.storage = nil
            $0.request.set("apns-channel-id", "null")
        },
        channel("request ID", .create, .badMessageID, "The header apns-request-id is '7', expected a UUID") {
            $0.request.set("apns-request-id", "7")
        },
        channel("request ID of a broadcast", .broadcast, .badMessageID, "The header apns-id is '7', expected a UUID") {
            $0.request.set("apns-id", "7")
        },
        channel("no type", .broadcast, .missingPushType, "The broadcast has no apns-push-type") {
            $0.request.remove("apns-push-type")
        },
        channel(
            "push type on a broadcast", .broadcast, .invalidPushType,
            "The broadcast's apns-push-type is 'alert', expected liveactivity"
        ) { $0.request.set("apns-push-type", "alert") },
        channel("rate", .broadcast, .tooManyRequests, "The channel got more than 2 broadcasts in 5 s") {
            $0.options.channelRate = RuleOptions.Rate(count: 2, interval: 5_000_000)
            $0.isWithinRate = false
        },
        channel("no channel", .broadcast, .missingChannelID, "The request has no apns-channel-id") {
            $0.request.remove("apns-channel-id")
        }, id("", "The header apns-channel-id is empty"),
        id(PushRequest.goodToken + PushRequest.goodToken, "has a device token"),
        id(String(repeating: "!", count: 68), "has 68 characters, expected at most 64"),
        id("ab-_", "which is URL-safe Base64"), id("abcde", "whose length is not a multiple of four"),
        id("ab!!", "is 'ab!!', expected Base64"), id("undefined", "has the placeholder 'undefined'"),
        id("eabeae54-14a8-11e5-b60b-1697f925ec7b", "is the UUID 'eabeae54"),
        id("\"\(ChannelScenario.channel.text)\"", "percent-encoding: 'ASNFZ4mrze/+3LqYdlQyEA=='."),
        id("ASNFZ4mrze/+3LqYdlQyEA%3D%3D", "percent-encoding: 'ASNFZ4mrze/+3LqYdlQyEA=='."),
        id("ASNFZ4mrze/+3LqYdlQyEA", "whose length is not a multiple of four"),
        channel(
            "unknown channel", .broadcast, .channelNotRegistered,
            "The app 'com.example.app' has no channel 'ASNFZ4mrze/+3LqYdlQyEA==' in the sandbox environment."
        ) { $0.storage = nil },
        channel(
            "misspelt app of the channel", .broadcast, .channelNotRegistered,
            "is not one of the app 'com.exmaple.app', expected its app in the path: 'com.example.app'."
        ) {
            $0.storage = nil
            $0.request.set(":path", "/4/broadcasts/apps/com.exmaple.app")
            $0.owner = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
        },
        channel(
            "channel of the other environment", .broadcast, .channelNotRegistered,
            "of the app 'com.example.app' is in the production environment, expected one of the sandbox"
        ) {
            $0.storage = nil
            $0.owner = ChannelApp(bundleID: "com.example.app", environment: .production)
        },
        channel(
            "misspelt app, unknown channel", .broadcast, .channelNotRegistered,
            "expected an app with channels, such as 'com.example.app'."
        ) {
            $0.storage = nil
            $0.request.set(":path", "/4/broadcasts/apps/com.exmaple.app")
            $0.appsWithChannels = [
                ChannelApp(bundleID: "com.example.app", environment: .sandbox),
                ChannelApp(bundleID: "com.exmaple.apq", environment: .production),
            ]
        },
        channel(
            "unknown channel of an app with channels", .broadcast, .channelNotRegistered,
            "The app 'com.example.app' has no channel 'dGhlcmUgaXMgbm9uZSE=' in the sandbox environment."
        ) {
            $0.storage = nil
            $0.request.set("apns-channel-id", "dGhlcmUgaXMgbm9uZSE=")
            $0.appsWithChannels = ["com.example.app", "com.example.apps"].map {
                ChannelApp(bundleID: $0, environment: .sandbox)
            }
        },
        channel("token as channel", .broadcast, .channelNotRegistered, "and no channel has such an ID") {
            $0.storage = nil
            $0.request.set("apns-channel-id", PushRequest.goodToken)
        },
        channel("expiration", .broadcast, .badExpirationDate, "expected 0, because the channel stores no message") {
            $0.storage = ChannelStorage.none
            $0.request.set("apns-expiration", "1754402200")
        },
        channel("priority", .broadcast, .badPriority, "The header apns-priority is '7'") {
            $0.request.set("apns-priority", "7")
        }, body("[]", .badRequestPayload, "The body is not a JSON object"),
        body(
            #"{"message-storage-policy":1,"push-type":"LiveActivity","name":1}"#, .badRequestParams,
            "The body has 'name', expected only"),
        body(#"{"push-type":"LiveActivity"}"#, .badRequestParams, "The body has no message-storage-policy"),
        body(
            #"{"message-storage-policy":"1","push-type":"LiveActivity"}"#, .badRequestParams,
            "message-storage-policy is '1', expected the number 0 or 1"),
        body(#"{"message-storage-policy":1}"#, .missingPushType, "The body has no push-type"),
        channel(
            "push type in the header", .create, .missingPushType,
            "The push type is in the header apns-push-type ('liveactivity')"
        ) {
            $0.request.set("apns-push-type", "liveactivity")
            $0.request.body = Array(#"{"message-storage-policy":1}"#.utf8)
        },
        body(#"{"message-storage-policy":1,"push-type":"alert"}"#, .invalidPushType, "The body's push-type is 'alert'"),
        channel(
            "no room", .create, .cannotCreateChannelConfig, "has as many channels as the sandbox environment allows"
        ) { $0.hasRoom = false },
        channel("answer token", .broadcast, .channelNotRegistered, "asks for ChannelNotRegistered") {
            $0.request.set("apns-channel-id", "dead040012==")
        },
    ]

    private static func channel(
        _ name: String, _ start: ChannelScenario, _ reason: Reason, _ says: String,
        _ change: (inout HintScenario) -> Void
    ) -> HintCase { HintCase("channels: \(name)", reason, says, HintScenario(start), change) }

    private static func id(_ value: String, _ says: String) -> HintCase {
        channel("ID \(value)", .broadcast, .badChannelID, says) { $0.request.set("apns-channel-id", value) }
    }

    private static func body(_ json: String, _ reason: Reason, _ says: String) -> HintCase {
        channel("body \(json)", .create, reason, says) { $0.request.body = Array(json.utf8) }
    }
}
