import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNs

/// The limit on token updates, whatever loop a connection came to.
struct TokenUpdateScopeTests {
    @Test(arguments: [RuleOptions.TokenUpdateScope.key, .team, .address])
    func `the limit on token updates counts for all event loops together`(
        scope: RuleOptions.TokenUpdateScope
    ) async throws {
        try await withLive({
            $0.threads = 8
            $0.rules.tokenUpdateScope = scope
        }) { live in
            live.setClock(Live.now)
            let (old, new) = (try TestKey.team.token(), try TestKey.team.token(at: Live.now + 1))
            var clients: [Client] = []
            for _ in 0..<16 { clients.append(try await live.connect()) }
            func statuses(_ token: String) async throws -> [Int] {
                var statuses: [Int] = []
                for client in clients { statuses.append(Int(try await client.send(Push(token)).status)) }
                return statuses
            }
            #expect(try await statuses(old) == Array(repeating: 200, count: 16))
            // Before, each of the eight loops accepted the first token that it saw.
            #expect(try await statuses(new) == Array(repeating: 429, count: 16))
            #expect(try await statuses(old) == Array(repeating: 200, count: 16))
            live.setClock(Live.now + 1_200)
            #expect(try await clients[15].send(Push(new)).status == 200)
            #expect(try await statuses(new) == Array(repeating: 200, count: 16))
            #expect(try await statuses(old) == Array(repeating: 200, count: 16))
            let third = try TestKey.team.token(at: Live.now + 2)
            #expect(try await statuses(third) == Array(repeating: 429, count: 16))
            _ = live.world.reset([.settings])
            #expect(try await clients[0].send(Push(third)).status == 200)
        }
    }

    /// Only a token that no loop knows takes the world's lock.
    @Test func `a known token does not take the world's lock`() async throws {
        try await withLive({ $0.rules.tokenUpdateScope = .key }) { live in
            let client = try await live.connectAuthenticated()
            let push = Push(try TestKey.team.token())
            #expect(try await client.send(push).status == 200)
            let before = live.world.ruleset.tokenUpdates
            for _ in 0..<10 { #expect(try await client.send(push).status == 200) }
            #expect(live.world.ruleset.tokenUpdates == before)
        }
    }
}
