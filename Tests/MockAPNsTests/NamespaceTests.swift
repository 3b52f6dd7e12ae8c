import MockAPNsRules
import MockAPNsWorld
import Synchronization
import TestSupport
import Testing

@testable import MockAPNs

/// Worlds of their own on one server.
struct NamespaceTests {
    // MARK: Where a push goes

    @Test func `a namespace's own port decides, not the device token`() async throws {
        try await withLive { live in
            let (first, second) = (try await live.namespace("a"), try await live.namespace("b"))
            let token = Push.freshToken
            try live.register(token, in: second.world)
            let push = Push(try TestKey.team.token(), token: token)
            #expect(try await live.connect(to: first).send(push).status == 200)
            #expect(live.pushes(first.world).map(\.routing) == [.listener])
            #expect(live.pushes(second.world).isEmpty && live.pushes(live.world).isEmpty)
            #expect(try await live.connect().send(push).status == 200)
            // By now both know it, but one of them only from the push.
            #expect(live.pushes(second.world).map(\.routing) == [.token])
            #expect(live.pushes(first.world).count == 1 && live.pushes(live.world).isEmpty)
        }
    }

    /// Who knows a device token, and how, and who gets a push to it on the connection of all.
    struct Owner: Sendable, CustomTestStringConvertible {
        enum Knowledge: Sendable {
            case nothing
            case fromPush
            case described
        }

        let standard: Knowledge
        let a: Knowledge
        let b: Knowledge
        let owner: String

        var testDescription: String { "\(standard) \(a) \(b): \(owner)" }

        init(_ standard: Knowledge, _ a: Knowledge, _ b: Knowledge, _ owner: String) {
            (self.standard, self.a, self.b, self.owner) = (standard, a, b, owner)
        }
    }

    static let owners = [
        Owner(.nothing, .nothing, .nothing, "default"), Owner(.nothing, .described, .nothing, "a"),
        Owner(.nothing, .fromPush, .nothing, "a"), Owner(.nothing, .nothing, .described, "b"),
        Owner(.described, .nothing, .nothing, "default"), Owner(.described, .described, .nothing, "default"),
        Owner(.described, .fromPush, .nothing, "default"), Owner(.nothing, .described, .described, "default"),
        Owner(.nothing, .fromPush, .fromPush, "default"), Owner(.nothing, .described, .fromPush, "a"),
        Owner(.fromPush, .nothing, .nothing, "default"), Owner(.fromPush, .described, .nothing, "a"),
        Owner(.fromPush, .fromPush, .nothing, "default"), Owner(.fromPush, .described, .fromPush, "a"),
        Owner(.fromPush, .described, .described, "default"),
    ]

    @Test(arguments: owners) func `on a shared port, a push goes to the namespace that knows its device token`(
        _ row: Owner
    ) async throws {
        try await withLive { live in
            let push = Push(try TestKey.team.token(), token: Push.freshToken)
            let token = String(push.path.dropFirst("/3/device/".count))
            // Before there are others, so that this one is not theirs.
            if row.standard == .fromPush { #expect(try await live.connect().send(push).status == 200) }
            if row.standard == .described { try live.register(token, in: live.world) }
            let spaces = [try await live.namespace("a"), try await live.namespace("b")]
            for (space, knowledge) in zip(spaces, [row.a, row.b]) {
                if knowledge == .fromPush { #expect(try await live.connect(to: space).send(push).status == 200) }
                if knowledge == .described { try live.register(token, in: space.world) }
            }
            let before = live.server.namespaces.all.map { live.pushes($0.world).count }
            #expect(try await live.connect().send(push).status == 200)
            let after = live.server.namespaces.all.map { live.pushes($0.world).count }
            let grown = zip(live.server.namespaces.all, zip(before, after)).filter { $1.0 != $1.1 }
            #expect(grown.map(\.0.name) == [row.owner])
            let routing = live.pushes(grown[0].0.world).last?.routing
            #expect(routing == (row.owner == "default" ? .standard : .token))
        }
    }

    @Test func `pushes of one read go to different namespaces, visible before their answers`() async throws {
        try await withLive { live in
            let spaces = [
                try await live.namespace("a", hasListener: false), try await live.namespace("b", hasListener: false),
            ]
            let owned = [Push.freshToken, Push.freshToken]
            for (token, space) in zip(owned, spaces) { try live.register(token, in: space.world) }
            let client = try await live.connectAuthenticated()
            let targets = [owned[0], owned[1], Push.freshToken, owned[0], owned[1], owned[1]]
            let provider = try TestKey.team.token()
            let replies = try await client.send(targets.map { Push(provider, token: $0) })
            #expect(replies.allSatisfy { $0.status == 200 })
            #expect(live.tokens(spaces[0].world) == [owned[0], owned[0]])
            #expect(live.tokens(spaces[1].world) == [owned[1], owned[1], owned[1]])
            #expect(live.tokens(live.world) == [Push.token, targets[2]])
            // Numbers are the world's own; the connection is the one that all came on.
            #expect(live.pushes(spaces[0].world).first?.seq == 1)
            #expect(live.pushes(spaces[1].world).map(\.requestOnConnection) == [3, 6, 7])
            let connections = [live.world, spaces[0].world].map { $0.journal.connections.map(\.id) }
            #expect(connections[0] == connections[1] && connections[0].count == 1)
            #expect(live.pushes(spaces[0].world).allSatisfy { $0.connection != nil })

            // Refused ones go there as well, and what a provider does wrong in one is not seen in another.
            let empty = Push(provider, token: owned[0], body: "")
            #expect(try await client.send(empty).reason == "PayloadEmpty")
            #expect(live.pushes(spaces[0].world).last?.verdict.reason == .payloadEmpty)
            #expect(live.world.journal.counters.rejected == 0)
            try await client.close()
            try await live.settle { spaces[0].world.journal.connections[0].closedAt != nil }
            #expect(spaces[1].world.journal.connections[0].closedAt != nil)
        }
    }

    /// With a client that looks as soon as the last byte is there.
    @Test func `what another world gets is visible before it is answered`() async throws {
        try await withLive { live in
            let space = try await live.namespace("a", hasListener: false)
            let token = Push.freshToken
            try live.register(token, in: space.world)
            let push = Push(try TestKey.team.token(), token: token)
            try await onOwnThread {
                let client = try BlockingClient(port: live.port)
                for count in 1...50 {
                    #expect(try client.send(push) { space.world.journal.counters.received } == UInt64(count))
                }
            }
        }
    }

    /// A worker that is asked about a token takes the rules in force; so one that still has old ones was not asked.
    @Test func `a push asks no other namespace for its device token`() async throws {
        try await withLive { live in
            var spaces: [Namespace] = []
            for number in 1...20 { spaces.append(try await live.namespace("n\(number)", hasListener: false)) }
            let token = Push.freshToken
            try live.register(token, in: spaces[7].world)
            for space in spaces { _ = space.world.changeRuleset { $0.with(options: $0.options) } }
            let push = Push(try TestKey.team.token(), token: token)
            #expect(try await live.connect().send(push).status == 200)
            var asked: [String] = []
            for space in spaces {
                let rules = space.world.ruleset
                let worker = try #require(space.workers.first)
                if try await worker.eventLoop.submit({ worker.value.ruleset === rules }).get() {
                    asked.append(space.name)
                }
            }
            #expect(asked == ["n8"])
            #expect(live.pushes(spaces[7].world).count == 1)
        }
    }

    // MARK: What is its own

    @Test func `each namespace has its own keys, settings and clock`() async throws {
        try await withLive { live in
            let space = try await live.namespace("a")
            let token = Push.freshToken
            try live.register(token, in: space.world)
            let shared = try await live.connectAuthenticated()
            let own = try await live.connect(to: space)
            let provider = try TestKey.team.token()
            let (mine, others) = (Push(provider, token: token), Push(provider, token: Push.freshToken))
            #expect(try await shared.send([mine, others]).map(\.status) == [200, 200])
            #expect(try await own.send(mine).status == 200)
            #expect(KeyRing(of: space.world).remove("TEAMKEY001"))
            #expect(try await shared.send([mine, others]).map(\.status) == [403, 200])
            #expect(try await own.send(mine).status == 403)
            _ = space.world.changeOptions { $0.rules.authentication = .any }
            #expect(try await shared.send([mine, others]).map(\.status) == [200, 200])
            _ = live.world.changeOptions { $0.rules.unknownTokens = .reject }
            let unknown = Push(provider, token: Push.freshToken)
            #expect(try await shared.send(unknown).reason == "BadDeviceToken")
            #expect(try await own.send(unknown).status == 200)
            _ = live.world.reset()
            #expect(live.pushes(space.world).count == 6 && space.world.options.rules.authentication == .any)
            _ = space.world.reset()
            #expect(KeyRing(of: space.world)["TEAMKEY001"]?.isFromStart == true)
            #expect(space.world.clock.mode == .running(offset: 0))
        }
    }

    @Test func `a namespace can begin with the current settings of another`() async throws {
        let device = DeviceDraft(label: "alice", registrations: [.init(token: nil, topic: "com.a")])
        try await withLive { configuration in
            configuration.devices = [device]
            configuration.deviceOptions.uninstallDetection = .delayed
        } _: { live in
            #expect(KeyRing(of: live.world).remove("TEAMKEY001"))
            _ = live.world.changeOptions { $0.rules.errorLimit = 9 }
            let heir = try await live.namespace("heir")
            #expect(KeyRing(of: heir.world).all.map(\.key) == KeyRing(of: live.world).all.map(\.key))
            #expect(heir.world.options.rules.errorLimit == 9)
            #expect(heir.world.options.devices.uninstallDetection == .delayed)
            func apps(_ world: World) -> [DeviceToken] {
                world.devices.devices(DeviceQuery()).devices.flatMap(\.registrations).map(\.token)
            }
            #expect(apps(heir.world) == apps(live.world) && apps(heir.world).count == 1)
            // Now is now: what changes later is each one's own.
            _ = live.world.reset()
            _ = heir.world.reset()
            #expect(KeyRing(of: heir.world)["TEAMKEY001"] == nil && heir.world.options.rules.errorLimit == 9)

            let empty = try await live.namespace("empty") { $0.source = nil }
            #expect(KeyRing(of: empty.world).all.isEmpty && apps(empty.world).isEmpty)
            #expect(empty.world.options.rules.errorLimit == 0)
            let grandchild = try await live.namespace("grandchild") { $0.source = heir }
            #expect(KeyRing(of: grandchild.world)["TEAMKEY001"] == nil)
        }
    }

    @Test func `a namespace begins with the faults of the start and counts them by itself`() async throws {
        let first = try FaultDraft(name: "first", action: .respond(.init(.serviceUnavailable)))
        try await withLive {
            $0.faults = [first]
        } _: { live in
            let later = try live.world.faults.add(FaultDraft(name: "later", action: .lose))
            let heir = try await live.namespace("heir")
            #expect(heir.world.faults.all.map(\.draft.name) == ["first"])
            let client = try await live.connect(to: heir)
            #expect(try await client.send(Push(try TestKey.team.token())).status == 503)
            #expect(heir.world.faults.all.map(\.fired) == [1])
            #expect(live.world.faults.all.map(\.fired) == [0, 0])
            // What is taken away in one stays in the other, and a reset brings it back.
            #expect(heir.world.faults.removeAll() == 1)
            #expect(live.world.faults.all.map(\.draft.name) == ["first", "later"])
            #expect(live.world.faults.all.last?.id == later.id)
            _ = heir.world.reset()
            #expect(heir.world.faults.all.map(\.draft.name) == ["first"])
            let empty = try await live.namespace("empty") { $0.source = nil }
            #expect(empty.world.faults.all.isEmpty)
        }
    }

    @Test func `fifty namespaces count their own pushes under load`() async throws {
        try await withLive {
            $0.threads = 2
        } _: { live in
            var spaces: [(space: Namespace, token: String)] = []
            for number in 0..<50 {
                let space = try await live.namespace("t-\(number)", hasListener: number % 2 == 0)
                spaces.append((space, Push.freshToken))
                try live.register(spaces[number].token, in: space.world)
            }
            #expect(Set(live.server.namespaces.all.compactMap(\.listeners.first?.url)).count == 26)
            let provider = try TestKey.team.token()
            // Namespace n gets n + 1 pushes by its token; those with a port 3 more over it; the others 100.
            let targets =
                spaces.enumerated().flatMap { number, entry in Array(repeating: entry.token, count: number + 1) }
                + (0..<100).map { _ in Push.freshToken }
            let shuffled = targets.shuffled()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in 0..<4 {
                    group.addTask {
                        let client = try await live.connect()
                        let mine = shuffled.enumerated().filter { $0.offset % 4 == part }.map(\.element)
                        #expect(try await client.send(Push(provider, token: mine[0])).status == 200)
                        for start in stride(from: 1, to: mine.count, by: 20) {
                            let batch = mine[start..<min(start + 20, mine.count)]
                            let replies = try await client.send(batch.map { Push(provider, token: $0) })
                            #expect(replies.allSatisfy { $0.status == 200 })
                        }
                    }
                }
                for (space, token) in spaces where !space.listeners.isEmpty {
                    group.addTask {
                        let client = try await live.connect(to: space)
                        for _ in 0..<3 { #expect(try await client.send(Push(provider, token: token)).status == 200) }
                    }
                }
                try await group.waitForAll()
            }
            for (number, (space, token)) in spaces.enumerated() {
                let seen = live.pushes(space.world)
                #expect(live.tokens(space.world).allSatisfy { $0 == token }, "\(space.name)")
                #expect(seen.count { $0.routing == .token } == number + 1, "\(space.name)")
                #expect(seen.count { $0.routing == .listener } == (space.listeners.isEmpty ? 0 : 3))
                #expect(
                    space.world.devices.registration(try Live.deviceToken(token))?.registration.counters.delivered
                        == UInt32(seen.count))
            }
            #expect(live.pushes(live.world).count == 100 && live.world.journal.counters.rejected == 0)
        }
    }
}
