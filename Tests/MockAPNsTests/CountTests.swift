import MockAPNs
import MockAPNsWorld
import NIOConcurrencyHelpers
import Testing

/// Metrics count what clients were answered.
struct CountTests {
    private static let clients = 4
    private static let rounds = 60
    private static let burst = 20

    @Test func `every answered push is counted, however many resets run beside`() async throws {
        try await withLive {
            $0.threads = 2
        } _: { live in
            let provider = try TestKey.team.token()
            let pushing = NIOLockedValueBox(Self.clients)
            let answered = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<Self.clients {
                    group.addTask {
                        defer { pushing.withLockedValue { $0 -= 1 } }
                        let client = try await live.connectAuthenticated()
                        var answered = 1
                        for _ in 0..<Self.rounds {
                            let pushes = (0..<Self.burst).map { _ in Push(provider, token: Push.freshToken) }
                            answered += try await client.send(pushes).count
                        }
                        return answered
                    }
                }
                group.addTask {
                    while pushing.withLockedValue({ $0 }) > 0 {
                        _ = live.world.reset([.pushes, .devices])
                        await Task.yield()
                    }
                    return 0
                }
                return try await group.reduce(0, +)
            }
            try await live.server.changeRuleset { $0 }
            let tally = live.server.namespaces.tally
            #expect(answered == Self.clients * (Self.rounds * Self.burst + 1))
            #expect(tally.pushes.reduce(0) { $0 + $1.count } == UInt64(answered))
            #expect(tally.duration.count == UInt64(answered) && tally.payload.count == UInt64(answered))
            // Connections outlive resets, and so do their counts.
            #expect(live.journal.connections.reduce(0) { $0 + $1.pushes } == UInt64(answered))
        }
    }
}
