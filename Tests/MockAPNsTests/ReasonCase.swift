import MockAPNs
import MockAPNsRules
import Testing

/// A way to be answered with a reason, over the wire.
struct ReasonCase: Sendable, CustomTestStringConvertible {
    let reason: Reason
    let what: String
    let configure: @Sendable (inout Configuration) -> Void
    /// Makes whatever pushes it takes; the last one is answered with the reason.
    let provoke: @Sendable (Live, Client) async throws -> Reply

    var testDescription: String { "\(reason.name): \(what)" }

    init(
        _ reason: Reason, _ what: String, configure: @escaping @Sendable (inout Configuration) -> Void = { _ in },
        provoke: @escaping @Sendable (Live, Client) async throws -> Reply
    ) {
        self.reason = reason
        self.what = what
        self.configure = configure
        self.provoke = provoke
    }

    /// A good push with a fault.
    init(_ reason: Reason, _ what: String, change: @escaping @Sendable (inout Push) -> Void) {
        self.init(reason, what) { _, client in try await client.send(Push(TestKey.team.token()).with(change)) }
    }

    /// A push with a provider token that has a fault.
    init(_ reason: Reason, _ what: String, token: @escaping @Sendable () throws -> String?) {
        self.init(reason, what) { _, client in try await client.send(Push(token())) }
    }

    /// A good push to a device token that asks for the reason.
    init(asking reason: Reason) {
        self.init(reason, "asked for") { _, client in
            let token = AnswerToken.prefix(of: reason) + String(repeating: "0", count: 54)
            return try await client.send(Push(TestKey.team.token(), token: token))
        }
    }

    static let all =
        headers + topics + payloads + tokens + states
        + [.internalServerError, .serviceUnavailable].map { ReasonCase(asking: $0) }

    private static let headers = [
        ReasonCase(.badCollapseID, "65 bytes") { $0.more = [("apns-collapse-id", String(repeating: "c", count: 65))] },
        ReasonCase(.badDeviceToken, "not hexadecimal") { $0.path = "/3/device/not-hex" },
        ReasonCase(.badDeviceToken, "nobody registered it", configure: { $0.rules.unknownTokens = .reject }) {
            try await $1.send(Push(TestKey.team.token()))
        },
        ReasonCase(
            .badDeviceToken, "registered in the other environment",
            configure: { $0.listeners = [.clearText(), .clearText(.production)] }
        ) { live, client in
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            return try await live.connect(listener: 1).send(push)
        }, ReasonCase(.badExpirationDate, "not a number") { $0.more = [("apns-expiration", "tomorrow")] },
        ReasonCase(.badMessageID, "not a UUID") { $0.more = [("apns-id", "1")] },
        ReasonCase(.badPriority, "7") { $0.more = [("apns-priority", "7")] },
        ReasonCase(.badPriority, "10 in the background") {
            $0.more = [("apns-push-type", "background"), ("apns-priority", "10")]
        }, ReasonCase(.duplicateHeaders, "two topics") { $0.more = [("apns-topic", "com.example.app")] },
        ReasonCase(.duplicateHeaders, "an unknown header of APNs' twice") {
            $0.more = [("apns-new", "1"), ("apns-new", "1")]
        }, ReasonCase(.missingDeviceToken, "nothing behind the path") { $0.path = "/3/device/" },
        ReasonCase(.badPath, "another path") { $0.path = "/3/devices/\(Push.token)" },
        ReasonCase(.methodNotAllowed, "PUT") { $0.method = "PUT" },
    ]

    private static let topics = [
        ReasonCase(.badTopic, "a blank") { $0.topic = "com.example app" },
        ReasonCase(.missingTopic, "no header") { $0.topic = nil },
        ReasonCase(.topicDisallowed, "not the key's") { try TestKey.topical.token() },
        ReasonCase(.invalidPushType, "unknown") { $0.more = [("apns-push-type", "shout")] },
        ReasonCase(.invalidPushType, "alert on a VoIP topic") {
            $0.topic = "com.example.app.voip"
            $0.more = [("apns-push-type", "alert")]
        },
        ReasonCase(.deviceTokenNotForTopic, "another app's") { _, client in
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            return try await client.send(push.with { $0.topic = "com.example.other" })
        },
        ReasonCase(.deviceTokenNotForTopic, "the app's, with a suffix") { _, client in
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            return try await client.send(
                push.with {
                    $0.topic = "com.example.app.voip"
                    $0.more = [("apns-push-type", "voip")]
                })
        },
    ]

    private static let payloads = [
        ReasonCase(.payloadEmpty, "no body") { $0.body = "" },
        ReasonCase(.payloadTooLarge, "4097 bytes") { $0.body = String(repeating: "x", count: 4_097) },
        ReasonCase(.payloadTooLarge, "5121 bytes of VoIP") {
            $0.topic = "com.example.app.voip"
            $0.more = [("apns-push-type", "voip")]
            $0.body = String(repeating: "x", count: 5_121)
        },
    ]

    private static let tokens = [
        ReasonCase(.missingProviderToken, "no header") { nil },
        ReasonCase(.missingProviderToken, "nothing behind bearer") {
            $0.providerToken = nil
            $0.more = [("authorization", "bearer")]
        },
        ReasonCase(.missingProviderToken, "another scheme") {
            $0.providerToken = nil
            $0.more = [("authorization", "Basic dXNlcjpwYXNz")]
        }, ReasonCase(.invalidProviderToken, "malformed") { "a.b" },
        ReasonCase(.invalidProviderToken, "another algorithm") {
            try TestKey.team.token(header: #"{"alg":"none","kid":"TEAMKEY001"}"#)
        }, ReasonCase(.invalidProviderToken, "unknown key") { try TestKey.stranger.token() },
        ReasonCase(.invalidProviderToken, "another team's name") {
            try TestKey.team.token(claims: #"{"iss":"OTHERTEAM1","iat":\#(Live.now)}"#)
        }, ReasonCase(.invalidProviderToken, "wrong signature, raw") { try TestKey.team.token(damaging: true) },
        ReasonCase(.invalidProviderToken, "wrong signature, DER") {
            try TestKey.team.token(form: .der, damaging: true)
        },
        ReasonCase(.expiredProviderToken, "an hour and a second old") { try TestKey.team.token(at: Live.now - 3_601) },
        ReasonCase(.expiredProviderToken, "an hour and a second ahead") {
            try TestKey.team.token(at: Live.now + 3_601)
        }, ReasonCase(.badEnvironmentKeyInToken, "a production key") { try TestKey.production.token() },
    ]

    private static let states = [
        ReasonCase(.unregistered, "the app is gone") { live, client in
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            try live.change(Push.token, to: .uninstalled)
            return try await client.send(push)
        },
        ReasonCase(.unregistered, "the app has another token") { live, client in
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            _ = try live.world.devices.rotate(Live.deviceToken(Push.token))
            return try await client.send(push)
        },
        ReasonCase(.expiredToken, "the token ran out") { live, client in
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            try live.change(Push.token, to: .expired)
            return try await client.send(push)
        },
        ReasonCase(.expiredProviderToken, "it was good an hour ago") { live, client in
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            live.setClock(Live.now + 3_600)
            #expect(try await client.send(push).status == 200)
            live.setClock(Live.now + 3_601)
            return try await client.send(push)
        },
        ReasonCase(.unrelatedKeyIDInToken, "a key of one topic on a team's connection") { _, client in
            #expect(try await client.send(Push(TestKey.team.token())).status == 200)
            #expect(try await client.send(Push(TestKey.sibling.token())).status == 200)
            return try await client.send(Push(TestKey.topical.token()).with { $0.topic = "com.example.other" })
        },
        ReasonCase(.invalidProviderToken, "another team on the connection") { _, client in
            #expect(try await client.send(Push(TestKey.team.token())).status == 200)
            return try await client.send(Push(TestKey.otherTeam.token()))
        },
        ReasonCase(.tooManyProviderTokenUpdates, "a second token within 20 minutes") { live, client in
            let (first, second) = (Push(try TestKey.team.token()), Push(try TestKey.team.token(at: Live.now + 1)))
            #expect(try await client.send(first).status == 200)
            live.setClock(Live.now + 1_199)
            #expect(try await client.send(second).status == 429)
            #expect(try await client.send(first).status == 200)
            live.setClock(Live.now + 1_200)
            #expect(try await client.send(second).status == 200)
            return try await client.send(Push(TestKey.team.token(at: Live.now + 2)))
        },
        ReasonCase(
            .tooManyRequests, "three in a row where two are allowed",
            configure: { $0.rules.deviceRate = RuleOptions.Rate(count: 2, interval: 1_000_000) }
        ) { live, client in
            let push = Push(try TestKey.team.token())
            for _ in 0..<2 { #expect(try await client.send(push).status == 200) }
            #expect(try await client.send(push).status == 429)
            #expect(try await client.send(Push(TestKey.team.token(), token: "abcd")).status == 200)
            live.setClock(Live.now + 1)
            for _ in 0..<2 { #expect(try await client.send(push).status == 200) }
            return try await client.send(push)
        },
    ]
}
