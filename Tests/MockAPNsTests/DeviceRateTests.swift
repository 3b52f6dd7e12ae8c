import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Testing

/// How many pushes in a row a device token takes, and how many broadcasts a channel.
struct DeviceRateTests {
    /// One count for all event loops, whatever loop a connection came to.
    @Test func `the rate holds over all connections`() async throws {
        try await withLive({
            $0.threads = 4
            $0.rules.deviceRate = RuleOptions.Rate(count: 3, interval: 10_000_000)
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

    /// Each channel has its own count, which reads and pushes to devices do not add to.
    @Test func `the rate of a channel holds over all connections`() async throws {
        try await withLive({
            $0.threads = 4
            $0.rules.channelRate = RuleOptions.Rate(count: 1, interval: 1_000_000)
        }) { live in
            live.setClock(Live.now)
            let app = ChannelApp(bundleID: "com.example.app", environment: .sandbox)
            let channel = try #require(live.world.channels.add(app, .none)).id
            let other = try #require(live.world.channels.add(app, .none)).id
            var replies: [String?] = []
            for _ in 0..<4 {
                let client = try await live.connect()
                replies.append(try await client.send(.broadcast(channel)).reason)
                #expect(try await client.send(.channel("GET", channel)).status == 200)
            }
            #expect(replies == [nil] + Array(repeating: "TooManyRequests", count: 3))
            let client = try await live.connect()
            #expect(try await client.send(.broadcast(other)).status == 200)
            live.setClock(Live.now + 1)
            #expect(try await client.send(.broadcast(channel)).status == 200)
            #expect(try await client.send(.broadcast(channel)).status == 429)
            _ = live.world.changeOptions { $0.rules.channelRate = nil }
            #expect(try await client.send(.broadcast(channel)).status == 200)
        }
    }
}
