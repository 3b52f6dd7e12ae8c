import MockAPNs
import MockAPNsRules
import Testing

/// How many pushes in a row a device token takes.
@Suite(.timeLimit(.minutes(5))) struct DeviceRateTests {
    /// One count for all event loops, whatever loop a connection came to.
    @Test func `the rate holds over all connections`() async throws {
        try await withLive({
            $0.threads = 4
            $0.rules.deviceRate = RuleOptions.DeviceRate(count: 3, interval: 10_000_000)
        }) { live in
            live.setClock(1_800_000_000)
            let token = try TestKey.team.token(at: 1_800_000_000)
            var statuses: [Int] = []
            for _ in 0..<8 {
                let client = try await live.connect()
                statuses.append(Int(try await client.send(Push(token)).status))
            }
            #expect(statuses == [200, 200, 200, 429, 429, 429, 429, 429])
            live.setClock(1_800_000_010)
            let later = try await live.connect()
            #expect(try await later.send(Push(token)).status == 200)
        }
    }
}
