import MockAPNsRules
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Testing

@testable import MockAPNs
@testable import MockAPNsLog

/// Servers that share their worlds, and a database of which something fails.
struct TurnFailureTests {
    private let database = MemoryDatabase()

    @Test func `a list of namespaces that cannot be applied is applied later`() async throws {
        try await database.withReplicas { first, second in
            let failure = StoreError(.failed, "no list")
            database.state.withLockedValue { $0.listFailure = failure }
            try await first.inTurn { _ = try await first.server.namespaces.add(Namespaces.Draft(name: "team")) }
            // It knows that something is missing as soon as it knows that the list has changed.
            await eventually { second.server.replica?.turns.listFailure != nil }
            #expect(second.server.replica?.turns.listFailure == failure)
            #expect(second.server.namespaces["team"] == nil)
            // Pushes and changes go on.
            #expect(second.keeper.trouble == nil)
            #expect(try await second.connect().send(Push(TestKey.team.token())).status == 200)
            database.state.withLockedValue { $0.listFailure = nil }
            await eventually { second.server.replica?.turns.listFailure == nil }
            #expect(second.server.namespaces["team"] != nil)
            try await Live.expectSame(first, second)
        }
    }

    @Test func `a namespace that cannot be opened hides no other, and is opened later`() async throws {
        let told = NIOLockedValueBox<[String]>([])
        try await database.withReplica { first in
            try await database.withReplica {
                $0.keeping?.onTrouble = { text in told.withLockedValue { $0.append(text) } }
            } _: { second in
                database.state.withLockedValue { $0.damaged = ["a"] }
                try await first.inTurn {
                    for name in ["a", "b"] { _ = try await first.server.namespaces.add(Namespaces.Draft(name: name)) }
                }
                await eventually { second.server.namespaces["b"] != nil }
                await eventually { second.server.replica?.turns.listFailure != nil }
                #expect(second.server.namespaces["a"] == nil)
                let text = "namespace a: cannot open it"
                #expect(second.server.replica?.turns.listFailure?.description == text)
                database.state.withLockedValue { $0.damaged = [] }
                await eventually { second.server.namespaces["a"] != nil }
                await eventually { second.server.replica?.turns.listFailure == nil }
                try await Live.expectSame(first, second)
                let place = "shared memory"
                #expect(
                    told.withLockedValue(\.self) == [
                        "\(place): \(text). Namespaces of other servers are missing here.",
                        "\(place): the namespaces are complete again",
                    ])
            }
        }
    }

    @Test func `a server that is far behind catches up before its turn`() async throws {
        try await withServerBehind { first in
            try await first.inTurn { for number in 0..<300 { _ = first.world.mark("\(number)") } }
        } then: { second in
            #expect(second.server.replica?.turns.statistics.followed ?? 0 >= 300)
            #expect(database.state.withLockedValue { $0.mostReadInTurn } <= 128)
        }
    }

    @Test func `a turn is renewed while many pushes are applied`() async throws {
        try await withServerBehind { first in
            let token = try TestKey.team.token()
            let client = try await first.connectAuthenticated()
            _ = try await client.send((0..<600).map { _ in Push(token, token: Push.freshToken) })
        } then: { _ in
            #expect(database.state.withLockedValue { $0.renewals } > 0)
        }
    }

    /// Makes a server miss changes of another, and calls `check` after its next turn.
    @Test func `a server that waits for its turn applies meanwhile what the others have written`() async throws {
        try await withServerBehind { first in
            try await first.inTurn { for number in 0..<50 { _ = first.world.mark("\(number)") } }
        } whileItWaits: { second in
            await eventually { second.server.replica?.turns.statistics.followed ?? 0 >= 50 }
            #expect(database.state.withLockedValue { $0.holder } == Self.outsider)
        } then: { _ in
        }
    }

    /// The number of a replica that is no server.
    private static let outsider: UInt64 = 99

    /// `whileItWaits` is called while the outsider has the turn.
    private func withServerBehind(
        _ change: (Live) async throws -> Void, whileItWaits: ((Live) async -> Void)? = nil,
        then check: (Live) async throws -> Void
    ) async throws {
        try await database.withReplica { first in
            try await database.withReplica {
                $0.keeping?.sharing?.options.timeout = 1_000_000_000 * UInt64(LastResort.seconds)
            } _: { second in
                // Not during a turn, so that it knows what it has written.
                await eventually {
                    database.state.withLockedValue { state in
                        if state.holder != 2 { state.cutOff = [2] }
                        return !state.cutOff.isEmpty
                    }
                }
                try await change(first)
                if whileItWaits != nil {
                    await eventually {
                        database.state.withLockedValue { state in
                            state.holder = state.holder ?? Self.outsider
                            return state.holder == Self.outsider
                        }
                    }
                }
                async let turn: Void = second.inTurn { second.setClock(Live.now + 1) }
                await eventually {
                    second.server.replica?.turns.state.withLockedValue { !$0.waitingCallers.isEmpty } == true
                }
                database.state.withLockedValue { state in
                    state.cutOff = []
                    state.renewals = 0
                }
                if let whileItWaits {
                    await whileItWaits(second)
                    database.state.withLockedValue { $0.holder = nil }
                }
                try await turn
                try await check(second)
                try await Live.expectSame(first, second)
            }
        }
    }

    @Test func `background work that fails refuses nothing, and is done later`() async throws {
        let told = NIOLockedValueBox<[String]>([])
        try await database.withReplica {
            $0.keeping?.sharing?.options.snapshotInterval = 1
            $0.keeping?.sharing?.options.backgroundPauses = 1_000_000...1_000_000
            $0.keeping?.onTrouble = { text in told.withLockedValue { $0.append(text) } }
        } _: { live in
            let before = database.state.withLockedValue { $0.snapshots }
            database.state.withLockedValue { $0.choreFailure = StoreError(.damaged, "a damaged page") }
            let client = try await live.connectAuthenticated()
            while told.withLockedValue(\.isEmpty) {
                #expect(try await client.send(Push(TestKey.team.token())).status == 200)
            }
            #expect(told.withLockedValue { $0.allSatisfy { $0.contains("a damaged page") } })
            #expect(live.keeper.backgroundFailure?.description == "a damaged page")
            #expect(live.keeper.trouble == nil)
            // A snapshot that was not written is still due.
            database.state.withLockedValue { $0.choreFailure = nil }
            await eventually { database.state.withLockedValue({ $0.snapshots }) != before }
        }
    }

    @Test func `a server stops while the database is silent`() async throws {
        try await withServerPlace {
            let server = try await MockAPNsServer(database.configuration { $0.keeping?.stopTimeout = .zero })
            let live = Live(server: server)
            let client = try await live.connectAuthenticated()
            database.stores.silence.begin()
            let push = Task { try await client.attempt([Push(try TestKey.team.token())]) }
            let read = Task { await live.keeper.catchUp() }
            let added = Task { try await server.namespaces.add(Namespaces.Draft(name: "late")) }
            // The turns, and the new namespace.
            await eventually { database.stores.silence.waitingCount >= 2 }
            try await server.stop(grace: .zero)
            #expect(await !read.value)
            await #expect(throws: NamespaceError.self) { try await added.value }
            _ = try await push.value
        }
        #expect(database.stores.silence.callsInTasks == 0)
    }
}
