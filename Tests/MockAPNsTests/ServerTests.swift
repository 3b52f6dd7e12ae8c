import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import NIOCore
import NIOPosix
import TestSupport
import Testing

/// Servers as wholes: starting, stopping, side by side.
struct ServerTests {
    /// A request that has not ended when its connection must may be sent again.
    private static let refused = ClientHandler.Failure.reset(HTTP2Code.refusedStream.rawValue)

    @Test func `a server listens on the addresses of its configuration`() async throws {
        try await withLive({
            $0.listeners = [.clearText(.production), .clearText(), .init(host: "127.0.0.1", port: 0)]
        }) { live in
            let listeners = live.server.listeners
            #expect(listeners.map(\.address.environment) == [.production, .sandbox, .sandbox])
            #expect(Set(listeners.map(\.address.port)).count == 3)
            #expect(listeners.allSatisfy { $0.address.port > 0 })
            #expect(listeners[0].url == "http://127.0.0.1:\(listeners[0].address.port)")
            #expect(listeners[2].url == "https://127.0.0.1:\(listeners[2].address.port)")
            for (position, environment) in [Environment.production, .sandbox].enumerated() {
                let client = try await live.connect(listener: position)
                let reply = try await client.send(Push(TestKey.team.token(), token: Push.freshToken))
                #expect(reply.status == 200)
                #expect(live.record(of: reply)?.environment == environment)
                #expect(live.record(of: reply)?.connection?.environment == environment)
            }
        }
    }

    @Test func `a TLS connection is described`() async throws {
        try await withLive({ $0.listeners = [ListenAddress(host: "127.0.0.1", port: 0)] }) { live in
            let run = try await Curl.post(
                Push(TestKey.team.token()), to: "https://api.push.apple.com:\(live.port)",
                trusting: live.server.certificateAuthorityPEM, "--resolve", "api.push.apple.com:\(live.port):127.0.0.1")
            #expect(run.head.first == "HTTP/2 200 ")
            try await live.settle { live.openConnections.isEmpty }
            let connection = try #require(live.journal.connections.first)
            #expect(connection.tlsVersion == "TLSv1.3")
            #expect(connection.applicationProtocol == "h2")
            #expect(connection.serverName == "api.push.apple.com")
            #expect(connection.closeCode == "closed-by-peer")
        }
    }

    @Test func `a client that does not trust the server is recorded`() async throws {
        try await withLive({ $0.listeners = [ListenAddress(host: "127.0.0.1", port: 0)] }) { live in
            let run = try await Curl.post(Push(nil), to: live.server.listeners[0].url, trusting: nil)
            #expect(run.exitCode == 60)
            try await live.settle { live.journal.connections.first?.closedAt != nil }
            #expect(live.journal.connections.count == 1)
            #expect(live.journal.connections[0].closeCode == "tls-failure")
            #expect(live.journal.counters.received == 0)
        }
    }

    @Test func `two servers are independent`() async throws {
        try await withLive { one in
            try await withLive({ $0.keys = [TestKey.stranger.configured] }) { other in
                let (first, second) = (try await one.connect(), try await other.connect())
                other.setClock(Live.now + 3_000)
                #expect(try await first.send(Push(TestKey.team.token())).status == 200)
                #expect(try await second.send(Push(TestKey.team.token())).reason == "InvalidProviderToken")
                #expect(try await first.send(Push(TestKey.stranger.token())).reason == "InvalidProviderToken")
                let future = try TestKey.stranger.token(at: Live.now + 6_000)
                #expect(try await second.send(Push(future)).status == 200)
                try await other.server.changeRuleset { Ruleset(options: $0.options) }
                #expect(try await second.send(Push(future)).status == 403)
                #expect(try await first.send(Push(TestKey.team.token())).status == 200)
                #expect(one.journal.counters.received == 3 && one.journal.counters.accepted == 2)
                #expect(other.journal.counters.received == 3 && other.journal.counters.accepted == 1)
            }
            // The other one has stopped, and nobody else noticed.
            let reply = try await one.connect().send(Push(TestKey.team.token()))
            #expect(reply.status == 200)
        }
    }

    @Test func `the same seed gives the same IDs`() async throws {
        func ids(seed: UInt64) async throws -> [String] {
            try await withLive({ $0.seed = seed }) { live in
                #expect(live.server.seed == seed)
                let client = try await live.connect()
                let push = Push(try TestKey.team.token())
                var replies = [try await client.send(push), try await client.send(push.with { $0.topic = nil })]
                replies += try await client.send(Array(repeating: push, count: 50))
                replies.append(try await live.connect().send(Push(nil)))
                return replies.flatMap { $0.headers.map(\.value) }
            }
        }
        let first = try await ids(seed: 42)
        // Two for each of 51 accepted pushes, one for each refused one.
        #expect(first.count == 104)
        #expect(try await ids(seed: 42) == first)
        #expect(Set(try await ids(seed: 43)).isDisjoint(with: first))
    }

    /// Whoever changes the rules last wins on every loop, even when many do at once.
    @Test func `changes of rules reach every loop in order`() async throws {
        let second: Int64 = 1_000_000
        try await withLive({ configuration in
            configuration.threads = 2
            configuration.rules.tokenLifetime = 0
            configuration.rules.tokenUpdateInterval = 0
        }) { live in
            let clients = [try await live.connect(), try await live.connect()]
            for round in 1...20 as ClosedRange<Int64> {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<20 {
                        group.addTask {
                            try await live.server.changeRuleset { ruleset in
                                var options = ruleset.options
                                options.tokenLifetime += second
                                return Ruleset(options: options, keys: ruleset.keys)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                for client in clients {
                    #expect(try await client.send(Push(TestKey.team.token(at: Live.now - 20 * round))).status == 200)
                }
            }
        }
    }

    @Test func `no connection outlives its client`() async throws {
        try await withLive({ $0.threads = 2 }) { live in
            for round in 0..<200 {
                let client = try await live.connect()
                if round % 4 == 0 { try await client.ping() }
                if round % 4 == 1 { #expect(try await client.send(Push(TestKey.team.token())).status == 200) }
                if round % 4 == 2 { _ = try await client.begin(Push(nil)) }
                try await client.close()
            }
            try await live.settle { live.journal.connections.count == 200 && live.openConnections.isEmpty }
            let connections = live.journal.connections
            #expect(connections.map(\.id) == Array(1...200))
            #expect(connections.allSatisfy { ["closed-by-peer", "io-error"].contains($0.closeCode) })
            #expect(live.journal.counters.received == 50)
        }
    }

    /// Those that are there end; the server goes on, and what it knows stays.
    @Test func `connections can be closed`() async throws {
        try await withLive({ $0.threads = 2 }) { live in
            let clients = [try await live.connect(), try await live.connectAuthenticated(), try await live.connect()]
            for client in clients { try await client.ping() }
            await live.server.closeConnections()
            #expect(live.openConnections.isEmpty)
            for client in clients {
                try await client.closed()
                let goAways = try await client.onLoop { $0.goAways.map(\.debug) }
                #expect(goAways == [#"{"reason":"Shutdown"}"#])
            }
            #expect(live.journal.connections.map(\.closeCode) == ["shutdown", "shutdown", "shutdown"])
            let reply = try await live.connect().send(Push(TestKey.team.token()))
            #expect(reply.status == 200)
            #expect(live.registration(Push.token)?.counters.delivered == 2)
            #expect(live.openConnections.count == 1)
        }
    }

    /// A stream that never ends does not hold them up for longer than they are told to wait.
    @Test func `a busy connection is closed after its grace`() async throws {
        try await withLive { live in
            let client = try await live.connectAuthenticated()
            let (_, unanswered) = try await client.begin(Push(TestKey.team.token()))
            try await client.ping()
            await live.server.closeConnections(grace: .milliseconds(50))
            await #expect(throws: Self.refused) { try await unanswered.get() }
            #expect(live.openConnections.isEmpty)
            #expect(try await live.connect().send(Push(TestKey.team.token())).status == 200)
        }
    }

    @Test func `stopping ends every kind of connection`() async throws {
        let configuration = Configuration.clearText { configuration in
            configuration.listeners = [.clearText(), ListenAddress(host: "127.0.0.1", port: 0)]
        }
        let live = Live(server: try await MockAPNsServer(configuration))
        live.setClock(Live.now)
        let tlsPort = live.server.listeners[1].address.port

        let handshaking = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
            host: "127.0.0.1", port: tlsPort
        ).get()
        // Connections are taken in the order of arrival: once this one has been served, that one is there.
        let run = try await Curl.post(
            Push(nil), to: "https://127.0.0.1:\(tlsPort)", trusting: live.server.certificateAuthorityPEM)
        #expect(run.head.first == "HTTP/2 403 ")
        let (idle, used, busy) = (
            try await live.connect(), try await live.connectAuthenticated(), try await live.connectAuthenticated()
        )
        try await idle.ping()
        let (_, unanswered) = try await busy.begin(Push(TestKey.team.token()))
        try await busy.ping()

        // The busy one would never end; only the grace ends it.
        try await live.server.stop(grace: .milliseconds(200))
        for client in [idle, used, busy] { try await client.closed() }
        try await handshaking.closeFuture.get()
        await #expect(throws: Self.refused) { try await unanswered.get() }
        #expect(live.openConnections.isEmpty)
        // The handshaking one, curl's, and the three.
        let codes = live.journal.connections.map(\.closeCode)
        #expect(codes == ["shutdown", "closed-by-peer", "shutdown", "shutdown", "shutdown"])
        for client in [idle, used, busy] {
            let goAway = try await client.onLoop { $0.goAways }
            #expect(goAway.map(\.debug) == [#"{"reason":"Shutdown"}"#])
        }
        try await expectNoAnswer(of: live)
    }

    /// Expects that a server that has stopped takes no connection; another test's may have been given its port since.
    private func expectNoAnswer(of live: Live) async throws {
        let before = live.journal.connections.count
        if let client = try? await live.connect() { try? await client.ping() }
        #expect(live.journal.connections.count == before)
    }

    @Test func `a server without connections stops at once`() async throws {
        // A grace that the test's time limit would not survive.
        try await MockAPNsServer(.clearText { $0.threads = 2 }).stop(grace: .hours(1))
    }

    @Test func `an error of the body stops the server and is thrown`() async throws {
        struct Failure: Error {}
        var stopped: Live?
        await #expect(throws: Failure.self) {
            try await withMockAPNs(.clearText()) { server in
                stopped = Live(server: server)
                throw Failure()
            }
        }
        try await expectNoAnswer(of: #require(stopped))
    }
}
