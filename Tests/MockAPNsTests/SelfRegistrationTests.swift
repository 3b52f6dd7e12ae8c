import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Testing

/// Device tokens that nobody registered: the first accepted push says what they are for.
struct SelfRegistrationTests {
    private static let other = "com.example.other"

    @Test func `the first push registers the token`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            #expect(live.registration(Push.token) == nil)
            let reply = try await client.send(Push(TestKey.team.token()))
            #expect(reply.status == 200)
            let registration = try #require(live.registration(Push.token))
            #expect(registration.topic == "com.example.app" && registration.environment == .sandbox)
            #expect(registration.state == .registered && registration.deadSince == nil)
            #expect(registration.counters.accepted == 1 && registration.counters.delivered == 1)
            let record = try #require(live.record(of: reply))
            #expect(record.delivery?.state == .delivered)
            #expect(registration.lastPush == record.seq)
            let devices = live.world.devices.devices(DeviceQuery())
            #expect(devices.total == 1 && devices.devices.first?.origin == .push)
            #expect(devices.devices.first?.isOnline == true)

            #expect(try await client.send(Push(TestKey.team.token())).status == 200)
            #expect(live.registration(Push.token)?.counters.delivered == 2)
            #expect(live.world.devices.devices(DeviceQuery()).total == 1)
        }
    }

    @Test func `another topic is refused from then on`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            for topic in [Self.other, "com.example.app.voip", "com.example.App", "com.example"] {
                let reply = try await client.send(push.with { $0.topic = topic })
                #expect(reply.status == 400 && reply.reason == "DeviceTokenNotForTopic")
            }
            #expect(try await client.send(push).status == 200)
            // The other topic has its own tokens, and the same holds for them.
            let fresh = Push(push.providerToken, token: Push.freshToken)
            #expect(try await client.send(fresh.with { $0.topic = Self.other }).status == 200)
            #expect(try await client.send(fresh).reason == "DeviceTokenNotForTopic")
            #expect(live.registration(Push.token)?.counters.accepted == 2)
        }
    }

    @Test func `the other environment is refused from then on`() async throws {
        try await withLive({ $0.listeners = [.clearText(), .clearText(.production)] }) { live in
            let clients = [try await live.connect(listener: 0), try await live.connect(listener: 1)]
            for (first, environment) in [Environment.sandbox, .production].enumerated() {
                let (here, there) = (clients[first], clients[1 - first])
                let token = Push.freshToken
                let push = Push(try TestKey.team.token(), token: token)
                #expect(try await here.send(push).status == 200)
                #expect(live.registration(token)?.environment == environment)
                #expect(try await there.send(push).reason == "BadDeviceToken")
                // A token of the other environment is no token: its topic does not matter.
                #expect(try await there.send(push.with { $0.topic = Self.other }).reason == "BadDeviceToken")
                #expect(try await here.send(push.with { $0.topic = Self.other }).reason == "DeviceTokenNotForTopic")
                #expect(try await here.send(push).status == 200)
            }
        }
    }

    /// Only an accepted push says what a token is for.
    @Test func `a refused push registers nothing`() async throws {
        try await withLive { live in
            let client = try await live.connect()
            let push = Push(try TestKey.team.token())
            let refused = [
                push.with { $0.providerToken = nil }, push.with { $0.topic = nil }, push.with { $0.body = "" },
                push.with { $0.more = [("apns-priority", "7")] }, push.with { $0.more = [("apns-push-type", "voip")] },
                push.with { $0.more = [("apns-push-type", "background"), ("apns-priority", "10")] },
                push.with { $0.topic = "com.example other" },
            ]
            for push in refused { #expect(try await client.send(push).status != 200) }
            let asking = AnswerToken.prefix(of: .unregistered) + String(repeating: "0", count: 54)
            #expect(try await client.send(Push(push.providerToken, token: asking)).status == 410)
            #expect(live.world.devices.devices(DeviceQuery()).total == 0)
            #expect(try await client.send(push.with { $0.topic = Self.other }).status == 200)
            #expect(live.registration(Push.token)?.topic == Self.other)
        }
    }

    /// Tokens are compared as bytes, whatever the letters look like, and of any size.
    @Test(arguments: ["ab", "abcdef", String(repeating: "Ab", count: 48), String(repeating: "ab", count: 100)])
    func `a token's letter case does not matter`(token: String) async throws {
        try await withLive { live in
            let client = try await live.connect()
            let providerToken = try TestKey.team.token()
            #expect(try await client.send(Push(providerToken, token: token)).status == 200)
            let upper = Push(providerToken, token: token.uppercased())
            #expect(try await client.send(upper).status == 200)
            #expect(try await client.send(upper.with { $0.topic = Self.other }).reason == "DeviceTokenNotForTopic")
            #expect(live.world.devices.devices(DeviceQuery()).total == 1)
            #expect(live.registration(token)?.counters.accepted == 2)
        }
    }

    /// What one event loop learned, every other knows with the very next request.
    @Test func `a token registered on one loop is known on all with the next request`() async throws {
        try await withLive({ $0.threads = 4 }) { live in
            var clients: [Client] = []
            for _ in 0..<4 { clients.append(try await live.connect()) }
            let providerToken = try TestKey.team.token()
            for round in 0..<100 {
                let push = Push(providerToken, token: Push.freshToken)
                #expect(try await clients[round % 4].send(push).status == 200)
                let other = push.with { $0.topic = Self.other }
                #expect(try await clients[(round + 1 + round / 4) % 4].send(other).reason == "DeviceTokenNotForTopic")
            }
            #expect(live.world.devices.devices(DeviceQuery()).total == 100)
        }
    }

    /// Two pushes that the server reads at once are answered as if it had read one after the other.
    @Test func `pushes read at once are answered as if read one by one`() async throws {
        try await withLive { live in
            let client = try await live.connectAuthenticated()
            let push = Push(try TestKey.team.token(), token: Push.freshToken)
            let pushes = [push, push.with { $0.topic = Self.other }, push]
            let replies = try await client.send(pushes)
            #expect(replies.map(\.reason) == [nil, "DeviceTokenNotForTopic", nil])
            #expect(replies.map(\.status) == [200, 400, 200])
        }
    }

    /// Resets the journal while it verifies.
    ///
    /// The world has the key, and the key the verifier: without `weak`, each would keep the other.
    private final class ResettingVerifier: SignatureVerifier {
        private weak let world: World?

        init(world: World) { self.world = world }

        func verify(
            signature: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer, algorithm: ProviderToken.Algorithm
        ) -> Bool? {
            _ = world?.reset([.pushes])
            return true
        }
    }

    /// A push that is being judged when a reset comes is of the time before it, also when its read made its device.
    @Test func `a push is judged and recorded by one ruleset`() async throws {
        try await withLive { live in
            let client = try await live.connectAuthenticated()
            let sibling = TestKey.sibling
            let resetting = Ruleset.RegisteredKey(key: sibling.key, verifier: ResettingVerifier(world: live.world))
            try await live.server.changeRuleset { ruleset in
                ruleset.with(keys: ruleset.keys.merging([sibling.key.keyID: resetting]) { $1 })
            }
            let (push, token) = (Push(try TestKey.team.token(), token: Push.freshToken), try sibling.token())
            let replies = try await client.send([push, push.with { $0.providerToken = token }])
            #expect(replies.map(\.status) == [200, 200])
            #expect(live.journal.pushes(PushQuery()).pushes.isEmpty)
        }
    }

    /// Whichever push is first, an app never gets what was sent to another one's topic.
    @Test func `a device never gets another topic`() async throws {
        try await withLive({
            $0.threads = 2
            $0.listeners = [.clearText(), .clearText(.production)]
        }) { live in
            let clients = [
                try await live.connect(), try await live.connect(), try await live.connect(listener: 1),
                try await live.connect(listener: 1),
            ]
            let providerToken = try TestKey.team.token()
            for client in clients {
                #expect(try await client.send(Push(providerToken, token: Push.freshToken)).status == 200)
            }
            var strays = 0
            for _ in 0..<50 {
                let token = Push.freshToken
                let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
                    for (number, client) in clients.enumerated() {
                        let pushes = (0..<4).map { stream in
                            Push(providerToken, token: token).with {
                                $0.topic = "com.example.app\((number + stream) % 2)"
                            }
                        }
                        group.addTask { try await client.send(pushes).count { $0.status == 200 } }
                    }
                    return try await group.reduce(0, +)
                }
                #expect(accepted > 0)
                let registration = try #require(live.registration(token))
                var query = PushQuery()
                query.tokens = [try Live.deviceToken(token)]
                query.deliveries = ["delivered"]
                let delivered = live.journal.pushes(query).pushes
                #expect(delivered.count == Int(registration.counters.delivered))
                strays += delivered.count { push in
                    push.request[.apnsTopic] != registration.topic || push.environment != registration.environment
                }
            }
            #expect(strays == 0)
        }
    }

    /// More apps than anybody remembers at once, whose names end alike.
    @Test func `topics of many apps are told apart`() async throws {
        try await withLive { live in
            let client = try await live.connectAuthenticated()
            let providerToken = try TestKey.team.token()
            let topics = (10..<70).map { "com.example.\($0).app" } + (0..<9).map { "com.example.app\($0)" }
            let tokens = topics.map { _ in Push.freshToken }
            for round in 0..<3 {
                for (number, (topic, token)) in zip(topics, tokens).enumerated() {
                    let push = Push(providerToken, token: token).with { $0.topic = topic }
                    #expect(try await client.send(push).status == 200)
                    let other = topics[(number + 1 + round) % topics.count]
                    let reply = try await client.send(push.with { $0.topic = other })
                    #expect(reply.reason == "DeviceTokenNotForTopic")
                }
            }
        }
    }

    /// Older ones make room; a token that was forgotten is as unknown as it was before.
    @Test func `keeps only the newest self-registered devices up to the limit`() async throws {
        try await withLive({ $0.deviceOptions.selfRegisteredLimit = 5 }) { live in
            let client = try await live.connect()
            let providerToken = try TestKey.team.token()
            let tokens = (0..<8).map { _ in Push.freshToken }
            for token in tokens { #expect(try await client.send(Push(providerToken, token: token)).status == 200) }
            let page = live.world.devices.devices(DeviceQuery())
            #expect(page.total == 5 && page.forgotten == 3)
            #expect(tokens.map { live.registration($0) != nil } == tokens.indices.map { $0 >= 3 })
            let again = Push(providerToken, token: tokens[0]).with { $0.topic = Self.other }
            #expect(try await client.send(again).status == 200)
            let kept = Push(providerToken, token: tokens[7]).with { $0.topic = Self.other }
            #expect(try await client.send(kept).reason == "DeviceTokenNotForTopic")
        }
    }
}
