import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import TestSupport
import Testing

/// However a connection ends while clients push as fast as they can, they read an answer to each accepted push.
///
/// `Tests/Interop/lost_answers.py` does the same for longer, with the whole program.
@Suite(.serialized) struct LostAnswerTests {
    /// How connections end.
    enum Ending: String, CaseIterable { case drain, now, reset, namespace, stop, errorLimit }

    private static let connections = 4
    private static let pushes = 300

    @Test(arguments: Ending.allCases) func `no answer is lost`(when ending: Ending) async throws {
        try await withServerPlace {
            let server = try await MockAPNsServer(
                .clearText {
                    $0.threads = 2
                    $0.transport.lingerTimeout = .hours(1)  // a slow client is not cut off
                    if ending == .errorLimit { $0.rules.errorLimit = 10 }
                })
            let live = Live(server: server)
            live.setClock(Live.now)
            do { try await push(to: live, until: ending) } catch {
                try await server.stop()
                throw error
            }
            if ending != .stop { try await server.stop() }
        }
    }

    private func push(to live: Live, until ending: Ending) async throws {
        let namespace = ending == .namespace ? try await live.namespace("t") : nil
        let world = namespace?.world ?? live.world
        let port = try namespace.map { try #require($0.listeners.first).address.port } ?? live.port
        if ending == .drain || ending == .now {
            var trigger = FaultTrigger()
            trigger.afterRequests = Self.pushes / 2
            let frame = FaultAction.GoAway(close: ending == .drain ? .drain : .now)
            _ = try world.faults.add(FaultDraft(when: trigger, action: .goAway(frame)))
        }
        let token = try TestKey.team.token()
        var clients: [BlockingClient] = []
        for _ in 0..<Self.connections {
            let push = Push(token, token: Push.freshToken)
            clients.append(try await onOwnThread { try BlockingClient(port: port, push) })
        }
        let (answered, above, orderly) = try await withThrowingTaskGroup(of: (Int, Int, Int).self) { group in
            for client in clients {
                let pushes = pushes(token, areRefused: ending == .errorLimit)
                group.addTask {
                    try await onOwnThread {
                        let isOrderly = client.sendAll(pushes)
                        let answered = client.statuses.filter { $0.value == "200" }.keys
                        let above = answered.filter { $0 > client.last }.count
                        return (answered.count, above, isOrderly ? 1 : 0)
                    }
                }
            }
            group.addTask {
                try await live.settle { world.journal.counters.received >= 100 }
                switch ending {
                case .drain, .now, .errorLimit: break
                case .reset: await live.server.closeConnections(grace: .hours(1))
                case .namespace: _ = await live.server.namespaces.remove("t")
                case .stop: try await live.server.stop(grace: .hours(1))
                }
                return (0, 0, 0)
            }
            return try await group.reduce((0, 0, 0)) { ($0.0 + $1.0, $0.1 + $1.1, $0.2 + $1.2) }
        }
        #expect(answered == Int(world.journal.counters.accepted))
        #expect(above == 0)
        #expect(orderly == Self.connections)
    }

    private func pushes(_ token: String, areRefused: Bool) -> [Push] {
        let filler = (name: "x-filler", value: String(repeating: "x", count: 1_000))
        return (0..<Self.pushes).map { number in
            Push(token, token: areRefused && number > 100 ? "not-hex" : Push.freshToken, filler)
        }
    }
}
