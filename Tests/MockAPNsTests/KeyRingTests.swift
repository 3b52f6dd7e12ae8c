import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Testing

/// Keys and settings that change while pushes come in.
struct KeyRingTests {
    private func reason(_ reply: Reply) -> String { reply.body.isEmpty ? "\(reply.status)" : reply.body }

    @Test func `a token of a key that was taken away is refused from the next request on`() async throws {
        try await withLive { live in
            let (client, other) = (try await live.connect(), try await live.connect())
            let push = Push(try TestKey.team.token())
            for _ in 0..<3 {
                #expect(try await client.send(push).status == 200)
                #expect(try await other.send(push).status == 200)
            }
            let ring = KeyRing(of: live.world)
            #expect(ring.remove("TEAMKEY001"))
            #expect(!ring.remove("TEAMKEY001"))
            for connection in [client, other] {
                let reply = try await connection.send(push)
                #expect(reply.status == 403 && reply.body == #"{"reason":"InvalidProviderToken"}"#)
                #expect(live.record(of: reply)?.verification == .unknownKey)
            }
            // A sibling goes on, and the key works again once it is back.
            #expect(try await client.send(Push(try TestKey.sibling.token())).status == 200)
            let pem = TestKey.team.signing.verifyingKey.publicKeyPEM
            let entry = try ring.add(TestKey.team.key, pem: pem)
            #expect(entry?.isFromStart == false && entry?.publicKeyPEM == pem)
            #expect(try ring.add(TestKey.team.key, pem: pem) == nil)
            #expect(try await client.send(push).status == 200)
        }
    }

    @Test func `a key under a known name is another key`() async throws {
        try await withLive { live in
            let ring = KeyRing(of: live.world)
            let client = try await live.connect()
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            #expect(ring.remove("TEAMKEY001"))
            let stranger = TestKey.stranger.signing.verifyingKey.publicKeyPEM
            #expect(try ring.add(TestKey.team.key, pem: stranger) != nil)
            let reply = try await client.send(push)
            #expect(reply.status == 403)
            #expect(live.record(of: reply)?.verification == .badSignature)
            _ = live.world.reset([.keys])
            #expect(try await client.send(push).status == 200)
            #expect(ring["TEAMKEY001"]?.isFromStart == true)
            #expect(ring.all.map(\.key.keyID) == TestKey.registered.map(\.key.keyID).sorted())
        }
    }

    @Test func `a text that is no key changes nothing`() async throws {
        try await withLive { live in
            let ring = KeyRing(of: live.world)
            #expect(throws: MockAPNsError(.badKey, "")) { try ring.add(TestKey.stranger.key, pem: "x") }
            #expect(ring[TestKey.stranger.key.keyID] == nil)
        }
    }

    @Test func `topics and environment of a new key are looked at`() async throws {
        try await withLive { live in
            let ring = KeyRing(of: live.world)
            let stranger = TestKey.stranger
            let pem = stranger.signing.verifyingKey.publicKeyPEM
            let push = Push(try stranger.token())
            func send() async throws -> String { reason(try await live.connect().send(push)) }
            #expect(try await send().contains("InvalidProviderToken"))
            func register(_ topics: Set<String>?, _ environment: Environment?) throws {
                _ = ring.remove(stranger.key.keyID)
                let key = ProviderKey(
                    keyID: stranger.key.keyID, teamID: stranger.key.teamID, topics: topics, environment: environment)
                #expect(try ring.add(key, pem: pem) != nil)
            }
            try register(nil, nil)
            #expect(try await send() == "200")
            try register(["com.example.other"], nil)
            #expect(try await send().contains("TopicDisallowed"))
            try register(nil, .production)
            #expect(try await send().contains("BadEnvironmentKeyInToken"))
            try register(["com.example.app"], .sandbox)
            #expect(try await send() == "200")
        }
    }

    @Test func `settings are in force for every request after the change`() async throws {
        try await withLive { live in
            let client = try await live.connectAuthenticated()
            let fresh = Push(try TestKey.team.token(), token: Push.freshToken)
            _ = live.world.changeOptions { $0.rules.unknownTokens = .reject }
            #expect(reason(try await client.send(fresh)).contains("BadDeviceToken"))
            _ = live.world.changeOptions { $0.rules.unknownTokens = .accept }
            #expect(try await client.send(fresh).status == 200)
            let stranger = Push(try TestKey.stranger.token(), token: Push.freshToken)
            #expect(try await live.connect().send(stranger).status == 403)
            _ = live.world.changeOptions { $0.rules.authentication = .wellformed }
            #expect(try await live.connect().send(stranger).status == 200)
            _ = live.world.reset([.settings])
            #expect(try await live.connect().send(stranger).status == 403)
        }
    }

    /// What was counted against the old rate says nothing about the new one.
    @Test func `another device rate begins with a full burst`() async throws {
        try await withLive { live in
            let client = try await live.connectAuthenticated()
            let push = Push(try TestKey.team.token(), token: Push.freshToken)
            func statuses(_ count: Int) async throws -> [UInt16] {
                var statuses: [UInt16] = []
                for _ in 0..<count { statuses.append(UInt16(try await client.send(push).status)) }
                return statuses
            }
            let hour: Int64 = 3_600_000_000
            _ = live.world.changeOptions { $0.rules.deviceRate = .init(count: 2, interval: hour) }
            #expect(try await statuses(3) == [200, 200, 429])
            _ = live.world.changeOptions { $0.rules.deviceRate = .init(count: 1, interval: hour) }
            #expect(try await statuses(2) == [200, 429])
            _ = live.world.changeOptions { $0.rules.deviceRate = nil }
            #expect(try await statuses(2) == [200, 200])
        }
    }
}
