import MockAPNs
import MockAPNsRules
import Testing

/// How many errors in a row a connection may make.
struct ErrorLimitTests {
    private static let bad = "not-hex"
    private static let dead = "dead0410"

    @Test func `the connection ends after the answer that reaches the limit`() async throws {
        try await withLive({ $0.rules.errorLimit = 5 }) { live in
            let token = try TestKey.team.token()
            let client = try await live.connect()
            // BadDeviceToken counts two, a 410 nothing, and an accepted push makes up for all before it.
            for deviceToken in [Self.bad, Self.bad, Push.token, Self.bad, Self.dead, Self.dead, Self.bad] {
                _ = try await client.send(Push(token, token: deviceToken))
            }
            let last = try await client.send(Push(token, token: Self.bad))
            #expect(last.status == 400)
            try await client.closed()
            #expect(try await client.onLoop { $0.goAways.map(\.debug) } == [""])
            try await live.settle { live.journal.connections.allSatisfy { $0.closedAt != nil } }
            #expect(live.journal.connections.map(\.closeCode) == ["too-many-errors"])
        }
    }

    @Test func `without a limit a connection goes on`() async throws {
        try await withLive { live in
            let token = try TestKey.team.token()
            let client = try await live.connect()
            for _ in 0..<50 { #expect(try await client.send(Push(token, token: Self.bad)).status == 400) }
            #expect(try await client.send(Push(token)).status == 200)
        }
    }
}
