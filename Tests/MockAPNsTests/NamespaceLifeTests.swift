import MockAPNsRules
import MockAPNsWorld
import Synchronization
import TestSupport
import Testing

@testable import MockAPNs

/// How namespaces end, and how they begin.
struct NamespaceLifeTests {
    /// What providers and whoever removes a namespace tell each other.
    private final class Progress: Sendable {
        let answered = Atomic<Int>(0)
        let isRemoved = Atomic<Bool>(false)
    }

    /// Knows a world without keeping it.
    private struct Trace {
        weak var world: World?
        weak var namespace: Namespace?
    }

    private func makeAndUse(_ live: Live, _ shared: Client) async throws -> (Trace, Client, Push) {
        let space = try await live.namespace("a")
        let token = Push.freshToken
        try live.register(token, in: space.world)
        let push = Push(try TestKey.team.token(), token: token)
        let own = try await live.connect(to: space)
        #expect(try await own.send(push).status == 200)
        #expect(try await shared.send(push).status == 200)
        #expect(live.pushes(space.world).count == 2)
        return (Trace(world: space.world, namespace: space), own, push)
    }

    @Test func `a removed namespace leaves nothing behind`() async throws {
        try await withLive { live in
            let shared = try await live.connectAuthenticated()
            let (trace, own, push) = try await makeAndUse(live, shared)
            #expect(await live.server.namespaces.remove("a"))
            #expect(try await own.goAway.debug == #"{"reason":"Shutdown"}"#)
            try await own.closed()
            #expect(!(await live.server.namespaces.remove("a")) && live.server.namespaces["a"] == nil)
            try await live.settle { trace.world == nil && trace.namespace == nil }
            // The connection of all goes on, and the token is nobody's.
            #expect(try await shared.send(push).status == 200)
            #expect(live.pushes(live.world).count == 2)
            // The name is free again.
            let again = try await live.namespace("a")
            #expect(again.world.journal.counters.received == 0)
        }
    }

    @Test func `the default namespace cannot be removed`() async throws {
        try await withLive { live in
            #expect(!(await live.server.namespaces.remove("default")))
            #expect(live.server.namespaces.all.map(\.name) == ["default"])
            #expect(live.server.namespaces["default"]?.world === live.world)
        }
    }

    @Test func `a namespace can be removed while pushes arrive`() async throws {
        try await withLive {
            $0.threads = 2
        } _: { live in
            let provider = try TestKey.team.token()
            for round in 0..<5 {
                let space = try await live.namespace("t-\(round)")
                let token = Push.freshToken
                try live.register(token, in: space.world)
                let progress = Progress()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            let client = try await live.connectAuthenticated()
                            while !progress.isRemoved.load(ordering: .acquiring) {
                                let replies = try await client.send((0..<5).map { _ in Push(provider, token: token) })
                                // In between it is known to nobody, and then to the standard one; while it ends, 503.
                                #expect(replies.allSatisfy { [200, 503].contains($0.status) })
                                progress.answered.wrappingAdd(1, ordering: .relaxed)
                            }
                        }
                    }
                    group.addTask {
                        // It may be gone already.
                        guard let client = try? await live.connect(to: space) else { return }
                        while !progress.isRemoved.load(ordering: .acquiring) {
                            guard (try? await client.send(Push(provider, token: token))) != nil else { return }
                        }
                    }
                    group.addTask {
                        await eventually { progress.answered.load(ordering: .relaxed) >= 10 }
                        #expect(await live.server.namespaces.remove("t-\(round)"))
                        progress.isRemoved.store(true, ordering: .releasing)
                    }
                    try await group.waitForAll()
                }
            }
            #expect(live.server.namespaces.all.count == 1)
        }
    }

    @Test func `a namespace idle beyond its time to live is removed, by the system's clock`() async throws {
        let start = ContinuousClock.now
        let elapsed = Atomic<Int64>(0)
        let advance: @Sendable (Int64) -> Void = { elapsed.wrappingAdd($0, ordering: .relaxed) }
        // The server ticks as well; it does the same.
        let clock: @Sendable () -> ContinuousClock.Instant = { start + .seconds(elapsed.load(ordering: .relaxed)) }
        try await withLive {
            $0.monotonicNow = clock
        } _: { live in
            let namespaces = live.server.namespaces
            let space = try await live.namespace("a") { $0.ttl = .seconds(600) }
            _ = try await live.namespace("b")
            func names() -> [String] {
                namespaces.tick()
                return namespaces.all.map(\.name)
            }
            advance(599)
            #expect(names() == ["default", "a", "b"])
            #expect(space.idleTime == .seconds(599))
            // A push counts, and so does one that is refused.
            #expect(try await live.connect(to: space).send(Push(nil)).status == 403)
            #expect(space.idleTime == .zero)
            advance(599)
            #expect(names() == ["default", "a", "b"])
            // A call counts as long as it lasts.
            #expect(space.beginCall())
            advance(6_000)
            #expect(names() == ["default", "a", "b"])
            #expect(space.idleTime == .zero)
            space.endCall()
            advance(599)
            #expect(names() == ["default", "a", "b"])
            try await space.setTTL(.seconds(60))
            advance(59)
            #expect(names() == ["default", "a", "b"])
            // Its own clock has nothing to do with it.
            _ = space.world.advanceClock(by: 3_600_000_000)
            #expect(names() == ["default", "a", "b"])
            advance(1)
            #expect(names() == ["default", "b"])
            #expect(space.isRemoved && !space.beginCall())
            advance(1_000_000)
            #expect(names() == ["default", "b"])
        }
    }

    @Test func `a stopping server removes its namespaces and creates no more`() async throws {
        let server = try await MockAPNsServer(.clearText())
        let live = Live(server: server)
        let space = try await live.namespace("a")
        let client = try await live.connect(to: space)
        #expect(try await client.send(Push(try TestKey.team.token())).status == 200)
        let removed = Atomic<Int>(0)
        server.namespaces.onRemoval { _ in removed.wrappingAdd(1, ordering: .relaxed) }
        try await server.stop(grace: .hours(1))
        try await client.closed()
        #expect(space.isRemoved && removed.load(ordering: .relaxed) == 1)
        #expect(server.namespaces.tally.pushes.map(\.count) == [1])
        await #expect(throws: NamespaceError.self) { try await server.namespaces.add(.init(name: "b")) }
    }

    @Test func `of requests at the same time, only one creates a namespace of a name`() async throws {
        try await withLive { live in
            let made = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        do {
                            _ = try await live.server.namespaces.add(.init(name: "same"))
                            return true
                        } catch {
                            #expect((error as? NamespaceError)?.code == .nameTaken)
                            return false
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(made == 1 && live.server.namespaces.all.count == 2)
            for name in ["default", "", "a/b", "a b", "..", String(repeating: "a", count: 65), "ä"] {
                await #expect(throws: NamespaceError.self, "\(name)") {
                    try await live.server.namespaces.add(.init(name: name))
                }
            }
        }
    }

    @Test func `ids of a namespace depend on the seed and its name`() async throws {
        func ids(_ names: [String]) async throws -> [String?] {
            try await withLive {
                $0.seed = 7
            } _: { live in
                var ids: [String?] = []
                for name in names {
                    let client = try await live.connect(to: try await live.namespace(name))
                    ids.append(try await client.send(Push(try TestKey.team.token())).id)
                }
                return ids
            }
        }
        let first = try await ids(["a", "b"])
        #expect(try await ids(["b", "a"]) == [first[1], first[0]])
        #expect(first[0] != first[1] && first[0] != nil)
    }

    @Test func `the port of a namespace has the environment asked for`() async throws {
        try await withLive { live in
            let space = try await live.namespace("a") { $0.environment = .production }
            let production = Push(try TestKey.production.token())
            #expect(try await live.connect(to: space).send(production).status == 200)
            #expect(try await live.connect().send(production).reason == "BadEnvironmentKeyInToken")
        }
    }
}
