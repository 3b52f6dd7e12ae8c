import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import NIOCore
import Testing

/// What a client sees of each fault, and what the journal says of it.
struct FaultTests {
    private static let reset = ClientHandler.Failure.reset
    private static let closed = ClientHandler.Failure.closed

    /// What became of a push at the client.
    private func attempt(_ client: Client, _ push: Push) async throws -> Result<Reply, any Error> {
        try await client.attempt([push])[0]
    }

    private func failure(_ client: Client, _ push: Push) async throws -> ClientHandler.Failure? {
        guard case .failure(let error) = try await attempt(client, push) else { return nil }
        return error as? ClientHandler.Failure
    }

    private func last(_ live: Live) throws -> PushRecord { try #require(live.journal.pushes(PushQuery()).pushes.first) }

    private func add(
        _ action: FaultAction, to live: Live, _ change: (inout FaultTrigger) -> Void = { _ in }
    ) throws -> FaultID {
        var trigger = FaultTrigger()
        change(&trigger)
        return try live.world.faults.add(FaultDraft(when: trigger, action: action)).id
    }

    // MARK: Answers

    @Test func `a fault can answer with another status, reason and headers`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let push = Push(try TestKey.team.token(), token: Push.freshToken)
            var response = FaultAction.Response(.serviceUnavailable)
            response.headers = [FaultAction.Header("retry-after", "2")]
            let id = try add(.respond(response), to: live) { $0.times = 1 }
            let reply = try await client.send(push)
            #expect(reply.status == 503 && reply.body == #"{"reason":"ServiceUnavailable"}"#)
            #expect(reply.names == ["apns-id", "retry-after"] && reply["retry-after"] == "2")
            let record = try #require(live.record(of: reply))
            #expect(record.faults == [id] && record.isDecidedByFault && record.delivery == nil)
            #expect(record.verdict.reason == .serviceUnavailable && record.verdict.decidedBy == nil)
            #expect(record.answer.headers.map(\.name) == reply.names)
            #expect(live.world.faults.all[0].firedFor == [record.seq])
            #expect(Array(zip(FaultAction.names, live.world.tally.faults)).filter { $1 > 0 }.map(\.0) == ["respond"])

            let usual = try await client.send(push)
            #expect(usual.status == 200)
            #expect(live.record(of: usual)?.faults.isEmpty == true)
        }
    }

    @Test func `an answer without a reason`() async throws {
        try await withLive { live in
            _ = try add(.respond(FaultAction.Response(status: 502, reason: nil)), to: live)
            let reply = try await live.connect().send(Push(try TestKey.team.token()))
            #expect(reply.status == 502 && reply.body == "" && reply.id != nil)
            #expect(live.record(of: reply)?.answer.status == 502)
        }
    }

    /// A token that works is said to be dead: the answer has a time, and the feedback list an entry.
    @Test func `a fault's 410 puts a registered token on the feedback list`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let token = Push.freshToken
            let push = Push(try TestKey.team.token(), token: token)
            #expect(try await client.send(push).status == 200)
            _ = try add(.respond(FaultAction.Response(.unregistered)), to: live)
            let reply = try await client.send(push)
            #expect(reply.status == 410)
            #expect(reply.body == #"{"reason":"Unregistered","timestamp":\#(Live.now)000}"#)
            #expect(live.world.devices.feedback().map(\.token.hex) == [token])
            #expect(live.world.devices.feedback().map(\.cause) == [.fault])
            #expect(live.registration(token)?.state == .registered)
        }
    }

    /// What the rules refuse can be accepted all the same, and is delivered.
    @Test func `a fault can accept what the rules refuse`() async throws {
        try await withLive { live in
            _ = try add(.respond(FaultAction.Response(status: 200, reason: nil)), to: live)
            let reply = try await live.connect().send(Push("nonsense", token: Push.freshToken))
            #expect(reply.status == 200 && reply.body == "" && reply["apns-unique-id"] != nil)
            let record = try #require(live.record(of: reply))
            #expect(record.delivery?.state == .delivered && record.verdict.decidedBy != nil)
        }
    }

    @Test func `a stream is reset`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let push = Push(try TestKey.team.token())
            for code in HTTP2Code.allCases {
                let id = try add(.resetStream(code), to: live)
                #expect(try await failure(client, push) == Self.reset(code.rawValue))
                let record = try last(live)
                #expect(record.answer.status == 0 && record.delivery == nil && record.faults == [id])
                #expect(record.answer.id == nil && record.isDecidedByFault)
                try live.world.faults.remove(id)
            }
            #expect(try await client.send(push).status == 200)
        }
    }

    @Test(arguments: [FaultAction.delay(FaultAction.Delay(1_000, jitter: 500)), .slow(1_000_000), .body(.empty)])
    func `a fault that changes no answer leaves the verdict and the delivery`(_ action: FaultAction) async throws {
        try await withLive { live in
            let client = try await live.connect()
            let id = try add(action, to: live)
            let token = try TestKey.team.token()
            let accepted = try await client.send(Push(token, token: Push.freshToken))
            #expect(accepted.status == 200)
            let record = try #require(live.record(of: accepted))
            #expect(record.delivery?.state == .delivered && record.faults == [id] && !record.isDecidedByFault)
            let refused = try await client.send(Push(token, token: "not-hex"))
            #expect(refused.status == 400)
            #expect(live.record(of: refused)?.verdict.reason == .badDeviceToken)
            #expect(live.world.faults.all[0].fired == 2)
        }
    }

    @Test(arguments: FaultAction.Body.allCases.filter { $0 != .huge }) func `a fault can break the body of an answer`(
        _ body: FaultAction.Body
    ) async throws {
        try await withLive { live in
            var response = FaultAction.Response(.badTopic)
            response.body = body
            for action in [FaultAction.body(body), .respond(response)] {
                let id = try add(action, to: live)
                let reply = try await live.connect().send(Push(try TestKey.team.token(), token: "not-hex"))
                #expect(reply.status == 400)
                let whole = action == .body(body) ? #"{"reason":"BadDeviceToken"}"# : #"{"reason":"BadTopic"}"#
                switch body {
                case .empty: #expect(reply.body == "")
                case .truncated:
                    #expect(reply.body != whole && whole.hasPrefix(reply.body) && !reply.body.isEmpty)
                    #expect(reply["content-length"] == "\(whole.utf8.count)")
                case .malformed: #expect(reply.body.hasPrefix("<"))
                case .huge: break
                }
                try live.world.faults.remove(id)
            }
        }
    }

    // MARK: Delivery

    @Test func `a lost push is accepted but not delivered`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let token = Push.freshToken
            let push = Push(try TestKey.team.token(), token: token)
            let id = try add(.lose, to: live) { $0.times = 1 }
            // What is refused is not on its way: it is none of this fault's.
            #expect(try await client.send(Push("nonsense")).status == 403)
            #expect(live.world.faults.all[0].evaluated == 0)
            let replies = try await client.send([push, push])
            #expect(replies.map(\.status) == [200, 200] && replies[0]["apns-unique-id"] != nil)
            let record = try #require(live.record(of: replies[0]))
            #expect(record.delivery?.steps.isEmpty == true && record.faults == [id])
            #expect(live.record(of: replies[1])?.delivery?.state == .delivered)
            #expect(live.registration(token)?.counters.delivered == 1)
        }
    }

    @Test func `a push is delivered twice`() async throws {
        try await withLive { live in
            let token = Push.freshToken
            _ = try add(.duplicate, to: live)
            let reply = try await live.connect().send(Push(try TestKey.team.token(), token: token))
            #expect(live.record(of: reply)?.delivery?.steps.map(\.event) == [.delivered, .delivered])
            #expect(live.registration(token)?.counters.delivered == 2)
        }
    }

    // MARK: Connections

    @Test(arguments: FaultAction.Break.allCases) func `a fault can break the connection`(
        _ how: FaultAction.Break
    ) async throws {
        try await withLive { live in
            let client = try await live.connect()
            let id = try add(.connection(how), to: live)
            let replies = try await client.onLoop { $0.send([Push(nil)]) }
            // A connection that stays open is heard of no more, so the client hangs up itself.
            if how == .stall || how == .blackhole {
                try await live.settle { live.journal.counters.received == 1 }
                try await client.close()
            }
            let failure = await #expect(throws: ClientHandler.Failure.self) { try await replies[0].get() }
            #expect(failure == Self.closed)
            try await client.closed()
            let record = try last(live)
            #expect(record.answer.status == 0 && record.faults == [id] && record.delivery == nil)
            try live.world.faults.remove(id)
            #expect(try await live.connect().send(Push(try TestKey.team.token())).status == 200)
        }
    }

    @Test(arguments: FaultAction.GoAway.LastStream.allCases) func `GOAWAY names the stream that was chosen`(
        _ last: FaultAction.GoAway.LastStream
    ) async throws {
        try await withLive { live in
            let client = try await live.connect()
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            let frame = FaultAction.GoAway(
                code: .enhanceYourCalm, lastStream: last, debug: #"{"reason":"x"}"#, close: .now)
            _ = try add(.goAway(frame), to: live)
            #expect(try await client.send(push).status == 200)
            #expect(try self.last(live).delivery?.state == .delivered)
            let heard = try await client.goAway
            let expected: Int32 =
                switch last {
                case .answered, .current: 3
                case .previous: 1
                case .zero: 0
                case .max: .max
                }
            #expect(heard == ClientHandler.GoAway(lastStream: expected, code: 0xb, debug: #"{"reason":"x"}"#))
            #expect(live.world.tally.goAways[0xb] == 1)
            try await client.closed()
        }
    }

    /// A second GOAWAY would name a later stream than the first, which RFC 9113 forbids.
    @Test func `a connection gets one GOAWAY of a fault`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let push = Push(try TestKey.team.token())
            let shutdown = FaultAction.Response(.shutdown)
            _ = try add(.goAway(FaultAction.GoAway(close: .never, respond: shutdown)), to: live)
            for _ in 0..<3 {
                let reply = try await client.send(push)
                #expect(reply.status == 503 && reply.reason == "Shutdown")
            }
            try await client.ping()
            #expect(try await client.onLoop { $0.goAways.count } == 1)
            let other = try await live.connect()
            #expect(try await other.send(push).status == 503)
            _ = try await other.goAway
        }
    }

    @Test func `connections begin with other settings`() async throws {
        try await withLive { live in
            var settings = FaultAction.SettingsFrame()
            settings.maxConcurrentStreams = 3
            settings.initialWindow = 100
            settings.delay = 1_000
            _ = try add(.settings(settings), to: live) { $0.times = 1 }
            let client = try await live.connectAuthenticated()
            #expect(try await client.settings.first?[3] == 3)
            #expect(try await client.settings.first?[4] == 100)
            #expect(try await client.streamLimits == [3])
            let usual = try await live.connectAuthenticated()
            #expect(try await usual.settings.first?[4] != 100)
            #expect(try await usual.streamLimits.last == 1_000)
            #expect(live.world.faults.all[0].evaluated == 2 && live.world.faults.all[0].fired == 1)
        }
    }

    @Test func `connections are refused`() async throws {
        try await withLive { live in
            _ = try add(.handshake(.refuse), to: live) { $0.skip = 1 }
            let kept = try await live.connect()
            let refused = try await live.connect()
            try await refused.closed()
            #expect(try await kept.send(Push(try TestKey.team.token())).status == 200)
        }
    }

    @Test func `a fault applies only to the connections it names`() async throws {
        try await withLive { live in
            let (one, other) = (try await live.connectAuthenticated(), try await live.connectAuthenticated())
            var connections = FaultDraft.Connections()
            connections.ids = [try #require(live.openConnections.map(\.id).max())]
            _ = try live.world.faults.add(FaultDraft(connections: connections, action: .resetStream(.cancel)))
            let push = Push(try TestKey.team.token())
            #expect(try await one.send(push).status == 200)
            #expect(try await failure(other, push) == Self.reset(8))
        }
    }

    // MARK: Conditions

    @Test func `a fault's condition is compared with the push`() async throws {
        try await withLive { live in
            let condition = FaultDraft.Match(text: "{}") { request, outline in
                request[.apnsTopic]?.text == "com.example.app" && outline.requestOnConnection == 2
                    && outline.status == 200 && outline.keyID == TestKey.team.key.keyID && outline.seq == 0
            }
            _ = try live.world.faults.add(FaultDraft(match: condition, action: .resetStream(.cancel)))
            let client = try await live.connect()
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            #expect(try await failure(client, push) == Self.reset(8))
            #expect(try await client.send(push).status == 200)
            #expect(live.world.faults.all[0].evaluated == 1)
        }
    }

    @Test func `the same seed gives the same random decisions`() async throws {
        var patterns: [[Bool]] = []
        for seed in [9, 9, 10] as [UInt64] {
            try await withLive({ $0.seed = seed }) { live in
                let client = try await live.connectAuthenticated()
                _ = try add(.resetStream(.cancel), to: live) { $0.probability = 0.5 }
                let push = Push(try TestKey.team.token())
                let replies = try await client.attempt(Array(repeating: push, count: 40))
                let draws = live.world.faults.all[0].draws
                let pattern = replies.map { if case .success = $0 { false } else { true } }
                #expect(draws.map(\.fired) == pattern)
                patterns.append(pattern)
            }
        }
        #expect(patterns[0] == patterns[1] && patterns[0] != patterns[2])
    }
}
