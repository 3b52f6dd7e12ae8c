import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Testing

/// Every reason, provoked over the wire.
struct ReasonTests {
    /// What must be reachable; Shutdown has a test of its own.
    static let names = """
        BadCollapseId BadDeviceToken BadExpirationDate BadMessageId BadPriority BadTopic DuplicateHeaders \
        InvalidPushType MissingDeviceToken MissingTopic PayloadEmpty TopicDisallowed ExpiredProviderToken \
        InvalidProviderToken MissingProviderToken BadEnvironmentKeyInToken UnrelatedKeyIdInToken BadPath \
        MethodNotAllowed PayloadTooLarge TooManyProviderTokenUpdates TooManyRequests InternalServerError \
        ServiceUnavailable DeviceTokenNotForTopic Unregistered ExpiredToken
        """.split(separator: " ").map(String.init)

    @Test func `every reason has a case`() { #expect(Set(ReasonCase.all.map(\.reason.name)) == Set(Self.names)) }

    @Test(arguments: ReasonCase.all) func `the answer and the record say the same`(_ row: ReasonCase) async throws {
        try await withLive(row.configure) { live in
            let reply = try await row.provoke(live, live.connect())
            expect(reply, says: row.reason, timestamp: row.reason.status == 410 ? Live.now * 1_000 : nil)
            let record = try #require(live.record(of: reply))
            #expect(record.verdict.reason == row.reason)
            // Nothing happens to a refused push after its answer.
            #expect(record.answeredSeq == live.journal.extent.lastSeq)
            #expect(record.delivery == nil)
            let check = try #require(
                record.verdict.decidedBy.map { Pipeline.standard.checks(of: record.service)[Int($0)] })
            #expect(check.reasons.contains(row.reason))
            expect(record, equals: reply)
        }
    }

    /// Any reason, those about devices included, for whoever asks with a device token.
    @Test func `every reason can be requested by its device token`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            for reason in Reason.allCases {
                let reply = try await ReasonCase(asking: reason).provoke(live, client)
                expect(reply, says: reason, timestamp: reason.status == 410 ? Live.now * 1_000 : nil)
                expect(try #require(live.record(of: reply)), equals: reply)
            }
            #expect(live.journal.counters.received == UInt64(Reason.allCases.count))
            #expect(live.journal.counters.accepted == 0)
        }
    }

    @Test func `requesting reasons can be turned off`() async throws {
        try await withLive({ $0.rules.answersOnDemand = false }) { live in
            let reply = try await ReasonCase(asking: .unregistered).provoke(live, live.connect())
            #expect(reply.status == 200)
        }
    }

    /// The limits themselves are within the limits.
    @Test func `what is just within the limits is accepted`() async throws {
        try await withLive { live in
            let client = try await live.connectAuthenticated()
            let push = Push(try TestKey.team.token())
            let accepted = [
                push.with { $0.more = [("apns-collapse-id", String(repeating: "c", count: 64))] },
                push.with { $0.body = String(repeating: "x", count: 4_096) },
                Push(push.providerToken, token: Push.freshToken).with {
                    $0.topic = "com.example.app.voip"
                    $0.more = [("apns-push-type", "voip")]
                    $0.body = String(repeating: "x", count: 5_120)
                }, push.with { $0.more = [("apns-push-type", "background"), ("apns-priority", "5")] },
                push.with { $0.body = "{}" },
            ]
            #expect(try await client.send(accepted).map(\.status) == [200, 200, 200, 200, 200])
        }
    }

    /// A push that ends after the server began to stop: its stream is still served.
    @Test func `a push that ends while stopping is answered shutdown`() async throws {
        let live = Live(server: try await MockAPNsServer(.clearText()))
        live.setClock(Live.now)
        let client = try await live.connectAuthenticated()
        let push = Push(try TestKey.team.token())
        let (stream, reply) = try await client.begin(push)
        try await client.ping()

        async let stopped: Void = live.server.stop(grace: .hours(1))
        let goAway = try await client.goAway
        #expect(goAway == ClientHandler.GoAway(lastStream: stream, code: 0, debug: #"{"reason":"Shutdown"}"#))
        try await client.complete(push, on: stream)
        let answer = try await reply.get()
        expect(answer, says: .shutdown)
        // With its last stream the connection ends, and with the last connection the server.
        try await client.closed()
        try await stopped

        let record = try #require(live.record(of: answer))
        #expect(record.verdict.reason == .shutdown)
        expect(record, equals: answer)
        #expect(live.journal.connections.map(\.closeCode) == ["shutdown"])
    }

    private func expect(
        _ reply: Reply, says reason: Reason, timestamp: Int64? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let time = timestamp.map { ",\"timestamp\":\($0)" } ?? ""
        #expect(reply.status == Int(reason.status), sourceLocation: sourceLocation)
        #expect(reply.body == "{\"reason\":\"\(reason.name)\"\(time)}", sourceLocation: sourceLocation)
        #expect(reply.names == ["apns-id"], sourceLocation: sourceLocation)
    }

    private func expect(_ record: PushRecord, equals reply: Reply, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(Int(record.answer.status) == reply.status, sourceLocation: sourceLocation)
        #expect(record.answer.body == reply.body, sourceLocation: sourceLocation)
        #expect(record.answer.headers.map(\.name) == reply.names, sourceLocation: sourceLocation)
        #expect(record.answer.headers.map(\.value) == reply.headers.map(\.value), sourceLocation: sourceLocation)
    }
}
