import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Testing

/// A row of Apple's table of errors of broadcasts and channels, over the wire.
struct ChannelReasonCase: Sendable, CustomTestStringConvertible {
    let reason: Reason
    let configure: @Sendable (inout Configuration) -> Void
    let provoke: @Sendable (Live, Client, ChannelID) async throws -> Reply

    var testDescription: String { reason.name }

    init(
        _ reason: Reason, configure: @escaping @Sendable (inout Configuration) -> Void = { _ in },
        provoke: @escaping @Sendable (Live, Client, ChannelID) async throws -> Reply
    ) { (self.reason, self.configure, self.provoke) = (reason, configure, provoke) }

    /// A good broadcast with a fault.
    init(
        _ reason: Reason, configure: @escaping @Sendable (inout Configuration) -> Void = { _ in },
        change: @escaping @Sendable (inout Push) -> Void
    ) {
        self.init(reason, configure: configure) { _, client, channel in
            try await client.send(.broadcast(channel).with(change))
        }
    }

    /// An answer that the channel id asks for.
    init(asking reason: Reason) {
        self.init(reason) { $0.setHeader("apns-channel-id", AnswerToken.prefix(of: reason) + "00") }
    }

    static let all = [
        ChannelReasonCase(
            .featureNotEnabled, configure: { $0.channelOptions.appsWithoutBroadcast = ["com.example.off"] }
        ) { $0.path = "/4/broadcasts/apps/com.example.off" },
        ChannelReasonCase(.missingChannelID) { $0.setHeader("apns-channel-id", nil) },
        ChannelReasonCase(.badChannelID) { $0.setHeader("apns-channel-id", "not Base64") },
        ChannelReasonCase(.channelNotRegistered) { live, client, channel in
            #expect(live.world.channels.remove(channel))
            return try await client.send(.broadcast(channel))
        },
        ChannelReasonCase(.badRequestParams) { _, client, _ in
            try await client.send(.channel("POST", body: #"{"name":1}"#))
        }, ChannelReasonCase(.badRequestPayload) { _, client, _ in try await client.send(.channel("POST", body: "{")) },
        ChannelReasonCase(.payloadEmpty) { $0.body = "" },
        ChannelReasonCase(.badMessageID) { $0.setHeader("apns-request-id", "1") },
        ChannelReasonCase(.missingPushType) { $0.setHeader("apns-push-type", nil) },
        ChannelReasonCase(.invalidPushType) { $0.setHeader("apns-push-type", "alert") },
        ChannelReasonCase(.cannotCreateChannelConfig, configure: { $0.channelOptions.limit = 1 }) { _, client, _ in
            try await client.send(.createChannel(storage: 1))
        },
        ChannelReasonCase(.badExpirationDate) { live, client, _ in
            let none = try await client.send(.createChannel(storage: 0))
            let channel = try #require(none["apns-channel-id"].flatMap { ChannelID($0) })
            return try await client.send(
                .broadcast(channel).with { $0.setHeader("apns-expiration", "\(Live.now + 60)") })
        }, ChannelReasonCase(.badPriority) { $0.setHeader("apns-priority", "7") },
        ChannelReasonCase(.topicDisallowed) { $0.path += ".push-type.liveactivity" },
        ChannelReasonCase(asking: .badCertificate), ChannelReasonCase(asking: .badCertificateEnvironment),
        ChannelReasonCase(.topicMismatch) { _, client, channel in
            try await client.send(.broadcast(channel).with { $0.providerToken = try? TestKey.topical.token() })
        }, ChannelReasonCase(.missingProviderToken) { $0.providerToken = nil },
        ChannelReasonCase(.expiredProviderToken) { $0.providerToken = try? TestKey.team.token(at: Live.now - 3_601) },
        ChannelReasonCase(.invalidProviderToken) { $0.providerToken = "a.b.c" },
        ChannelReasonCase(.badPath) { $0.path = "/4/broadcasts" },
        ChannelReasonCase(.methodNotAllowed) { $0.method = "GET" },
        ChannelReasonCase(.payloadTooLarge) { $0.body = String(repeating: "x", count: 5_121) },
        ChannelReasonCase(asking: .tooManyRequests),
        ChannelReasonCase(.tooManyProviderTokenUpdates) { _, client, channel in
            try await client.send(
                .broadcast(channel).with { $0.providerToken = try? TestKey.team.token(at: Live.now - 1) })
        }, ChannelReasonCase(asking: .internalServerError), ChannelReasonCase(asking: .serviceUnavailable),
        ChannelReasonCase(asking: .shutdown),
    ]
}

struct ChannelReasonTests {
    @Test(arguments: ChannelReasonCase.all) func `the answer and the record say the same`(
        _ row: ChannelReasonCase
    ) async throws {
        try await withLive(row.configure) { live in
            // A first request binds the connection to its key, so those with another key need another one.
            let client = try await live.connect()
            let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
            let channel: ChannelID
            if row.reason == .topicMismatch {
                channel = try #require(live.world.channels.add(app, .newest)).id
            } else {
                let created = try await client.send(.createChannel(storage: 1))
                #expect(created.status == 201)
                channel = try #require(created["apns-channel-id"].flatMap { ChannelID($0) })
            }
            let reply = try await row.provoke(live, client, channel)
            #expect(reply.reason == row.reason.name)
            #expect(reply.status == Int(row.reason.status))
            #expect(reply.names == ["apns-request-id"])
            let record = try #require(
                live.journal.pushes(.with { $0.condition = { request, outline in outline.reason == row.reason } })
                    .pushes.first)
            #expect(record.answer.id == reply["apns-request-id"])
            #expect(record.answer.body == reply.body)
            #expect(record.delivery == nil)
            let checks = Pipeline.standard.checks(of: record.service)
            let check = try #require(record.verdict.decidedBy.map { checks[Int($0)] })
            #expect(check.reasons.contains(row.reason))
        }
    }
}

extension PushQuery {
    static func with(_ change: (inout PushQuery) -> Void) -> PushQuery {
        var query = PushQuery()
        change(&query)
        return query
    }
}

extension Push {
    /// A broadcast to a channel of the usual app.
    static func broadcast(_ channel: ChannelID) throws -> Push {
        Push(try TestKey.team.token()).with {
            $0.path = "/4/broadcasts/apps/com.example.app"
            $0.topic = nil
            $0.body = #"{"aps":{"event":"update","content-state":{},"timestamp":1754402113}}"#
            $0.more = [("apns-channel-id", channel.text), ("apns-push-type", "liveactivity")]
        }
    }

    /// A request to manage the channels of the usual app.
    static func channel(
        _ method: String, _ channel: ChannelID? = nil, path: String = "/1/apps/com.example.app/channels",
        body: String = ""
    ) throws -> Push {
        Push(try TestKey.team.token()).with {
            $0.method = method
            $0.path = path
            $0.topic = nil
            $0.body = body
            $0.more = channel.map { [("apns-channel-id", $0.text)] } ?? []
        }
    }

    static func createChannel(storage: Int) throws -> Push {
        try channel("POST", body: #"{"message-storage-policy":\#(storage),"push-type":"LiveActivity"}"#)
    }

    mutating func setHeader(_ name: String, _ value: String?) {
        more.removeAll { $0.name == name }
        if let value { more.append((name, value)) }
    }
}
