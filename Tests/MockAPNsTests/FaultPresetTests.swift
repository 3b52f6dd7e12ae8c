import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import NIOCore
import Testing

/// Every preset against a client that hears each frame.
struct FaultPresetTests {
    /// Lends a server with one preset from its start.
    private func withPreset(
        _ name: String, _ values: [String: FaultPreset.Value] = [:], _ use: (Live) async throws -> Void
    ) async throws {
        let preset = try #require(FaultPreset.named(name))
        let draft = try preset.draft(values)
        try await withLive({
            $0.faults = [draft]
            $0.transport.tickInterval = .milliseconds(1)
        }) { live in
            #expect(live.world.faults.all.map(\.draft.preset) == [name])
            try await use(live)
        }
    }

    private func push() throws -> Push { Push(try TestKey.team.token()) }

    private func failure(_ client: Client, _ push: Push) async throws -> ClientHandler.Failure? {
        guard case .failure(let error) = try await client.attempt([push])[0] else { return nil }
        return error as? ClientHandler.Failure
    }

    @Test(arguments: [
        ("too-many-requests", 429, "TooManyRequests"),
        ("too-many-provider-token-updates", 429, "TooManyProviderTokenUpdates"),
        ("expired-provider-token", 403, "ExpiredProviderToken"), ("unregistered", 410, "Unregistered"),
        ("bad-device-token", 400, "BadDeviceToken"), ("device-token-not-for-topic", 400, "DeviceTokenNotForTopic"),
    ]) func `a preset for a reason answers with its status and reason`(
        _ name: String, _ status: Int, _ reason: String
    ) async throws {
        try await withPreset(name, ["times": .count(2)]) { live in
            let client = try await live.connect()
            for _ in 0..<2 {
                let reply = try await client.send(push())
                #expect(reply.status == status && reply.reason == reason)
            }
            #expect(try await client.send(push()).status == 200)
        }
    }

    @Test func `shutdown-keep-open sends 503 and GOAWAY and goes on serving`() async throws {
        try await withPreset("shutdown-keep-open", ["times": .count(1)]) { live in
            let client = try await live.connect()
            let reply = try await client.send(push())
            #expect(reply.status == 503 && reply.reason == "Shutdown")
            #expect(
                try await client.goAway
                    == ClientHandler.GoAway(lastStream: .max, code: 0, debug: #"{"reason":"Shutdown"}"#))
            // It goes on answering, so there is no stream that it could call the last.
            #expect(try await client.send(push()).status == 200)
        }
    }

    @Test func `goaway-then-refuse refuses streams after GOAWAY`() async throws {
        try await withPreset("goaway-then-refuse", ["after": .count(1)]) { live in
            let client = try await live.connect()
            #expect(try await client.send(push()).status == 200)
            #expect(try await client.send(push()).status == 200)
            #expect(try await client.goAway.lastStream == 3)
            for _ in 0..<3 { #expect(try await failure(client, push()) == .reset(HTTP2Code.refusedStream.rawValue)) }
            #expect(live.journal.pushes(PushQuery()).pushes.first?.faults == [FaultID(number: 1)])
            #expect(try await live.connect().send(push()).status == 200)
            // Without its fault, the connection works again.
            _ = live.world.faults.removeAll()
            #expect(try await client.send(push()).status == 200)
        }
    }

    @Test func `goaway-before-settings ends the connection before SETTINGS`() async throws {
        try await withPreset("goaway-before-settings", ["times": .count(1)]) { live in
            let client = try await live.connect()
            #expect(try await client.goAway == ClientHandler.GoAway(lastStream: 0, code: 0, debug: ""))
            try await client.closed()
            #expect(try await client.onLoop { $0.settings.isEmpty })
            #expect(live.world.tally.goAways.reduce(0, +) == 1)
            #expect(try await live.connect().send(push()).status == 200)
        }
    }

    @Test func `goaway-silent stops answering after GOAWAY`() async throws {
        try await withPreset("goaway-silent-after-5000", ["n": .count(3)]) { live in
            let client = try await live.connectAuthenticated()
            #expect(try await client.send([push(), push()]).map(\.status) == [200, 200])
            #expect(try await client.goAway.lastStream == 5)
            let replies = try await client.onLoop { [push = try push()] in $0.send([push]) }
            let other = try await live.connectAuthenticated()
            #expect(live.journal.counters.received == 4)
            try await client.close()
            try await other.close()
            await #expect(throws: ClientHandler.Failure.closed) { try await replies[0].get() }
        }
    }

    @Test func `idle-rst resets an idle connection`() async throws {
        try await withPreset("idle-rst", ["idle": .duration(2_000), "times": .count(1)]) { live in
            // The reset may come before the client has seen that it is connected.
            if let client = try? await live.connect() { try await client.closed() }
            try await live.settle { live.world.faults.all[0].fired == 1 }
            #expect(try await live.connect().send(push()).status == 200)
        }
    }

    @Test func `idle-blackhole stops answering on an idle connection`() async throws {
        try await withPreset("idle-blackhole", ["idle": .duration(1_000), "times": .count(1)]) { live in
            let client = try await live.connect()
            try await live.settle { live.world.faults.all[0].fired == 1 }
            let replies = try await client.onLoop { [push = try push()] in $0.send([push]) }
            // Another connection goes on, and has nothing of what the first one says.
            #expect(try await live.connect().send(push()).status == 200)
            #expect(live.journal.counters.received == 1)
            try await client.close()
            await #expect(throws: ClientHandler.Failure.closed) { try await replies[0].get() }
        }
    }

    @Test func `internal-error-after-idle answers 500 only after the pause`() async throws {
        try await withPreset("internal-error-after-idle", ["idle": .duration(1)]) { live in
            let client = try await live.connect()
            let replies = try await client.send([push()])
            #expect(replies[0].status == 500 && replies[0].reason == "InternalServerError")
        }
        // Nobody pauses for an hour.
        try await withPreset("internal-error-after-idle", ["idle": .duration(3_600_000_000)]) { live in
            let client = try await live.connect()
            #expect(try await client.send(push()).status == 200)
        }
    }

    @Test func `one-stream keeps a connection at one stream`() async throws {
        try await withPreset("one-stream") { live in
            let client = try await live.connectAuthenticated()
            #expect(try await client.streamLimits == [1])
        }
    }

    @Test func `slow-1s delays answers by the given time`() async throws {
        try await withPreset("slow-1s", ["delay": .duration(2_000), "jitter": .duration(1_000)]) { live in
            let client = try await live.connect()
            #expect(try await client.send(push()).status == 200)
            #expect(live.world.faults.all[0].draws.map(\.use) == [.delay])
        }
    }

    @Test func `lossy-5pct accepts pushes and loses the given share`() async throws {
        try await withPreset("lossy-5pct", ["probability": .fraction(0.5)]) { live in
            let client = try await live.connectAuthenticated()
            let replies = try await client.send((0..<60).map { _ in try push() })
            #expect(replies.allSatisfy { $0.status == 200 })
            let lost = live.journal.pushes(.init()).pushes.count { $0.delivery?.state == nil }
            #expect((5...45).contains(lost))
        }
        try await withPreset("lossy-5pct", ["probability": .fraction(0)]) { live in
            _ = try await live.connectAuthenticated().send((0..<60).map { _ in try push() })
            #expect(live.world.faults.all[0].fired == 0)
        }
    }

    @Test func `every preset is tested here`() {
        let tested = [
            "shutdown-keep-open", "goaway-then-refuse", "goaway-before-settings", "goaway-silent-after-5000",
            "idle-rst", "idle-blackhole", "internal-error-after-idle", "too-many-requests",
            "too-many-provider-token-updates", "expired-provider-token", "unregistered", "bad-device-token",
            "device-token-not-for-topic", "one-stream", "slow-1s", "lossy-5pct",
        ]
        #expect(FaultPreset.all.map(\.name) == tested)
    }

    @Test func `every preset is possible`() throws {
        #expect(Set(FaultPreset.all.map(\.name)).count == FaultPreset.all.count)
        for preset in FaultPreset.all {
            let draft = try preset.draft()
            #expect(draft.preset == preset.name && draft.isEnabled)
            #expect(draft.when.times == nil)
            #expect(preset.meaning.hasSuffix(".") && !preset.source.isEmpty)
            #expect(preset.parameters.suffix(3).map(\.name) == ["skip", "times", "probability"])
        }
    }

    @Test func `parameters take effect`() throws {
        func draft(_ name: String, _ values: [String: FaultPreset.Value]) throws -> FaultDraft {
            try #require(FaultPreset.named(name)).draft(values)
        }
        let answer = try draft("unregistered", ["times": .count(2), "skip": .count(1), "probability": .fraction(0.5)])
        #expect(answer.when.times == 2 && answer.when.skip == 1 && answer.when.probability == 0.5)
        #expect(try draft("goaway-then-refuse", ["after": .count(9)]).when.afterRequests == 9)
        #expect(try draft("goaway-silent-after-5000", [:]).when.afterRequests == 4_999)
        #expect(try draft("goaway-silent-after-5000", ["n": .count(3)]).when.afterRequests == 2)
        for name in ["idle-rst", "idle-blackhole", "internal-error-after-idle"] {
            #expect(try draft(name, [:]).when.afterIdle == 60_000_000)
            #expect(try draft(name, ["idle": .duration(5)]).when.afterIdle == 5)
        }
        var settings = FaultAction.SettingsFrame()
        settings.maxConcurrentStreams = 3
        #expect(try draft("one-stream", ["streams": .count(3)]).action == .settings(settings))
        #expect(
            try draft("slow-1s", ["delay": .duration(2), "jitter": .duration(1)]).action
                == .delay(FaultAction.Delay(2, jitter: 1)))
        #expect(try draft("slow-1s", [:]).action == .delay(FaultAction.Delay(1_000_000)))
        #expect(try draft("lossy-5pct", [:]).when.probability == 0.05)
        #expect(try draft("lossy-5pct", ["probability": .fraction(0)]).when.probability == 0)
        #expect(throws: FaultError.self) { try draft("idle-rst", ["idle": .duration(0)]) }
    }
}
