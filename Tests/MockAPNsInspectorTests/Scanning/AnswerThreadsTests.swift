import Foundation
import MockAPNs
import MockAPNsAPI
import MockAPNsVerifying
import Synchronization
import TestSupport
import Testing

@testable import MockAPNsInspector

/// Probes and the end of the server, while the API is busy with questions.
struct AnswerThreadsTests {
    /// A route that holds a thread until the test lets it go.
    ///
    /// Not for good: on Swift's own threads it would hold the test too, which then could not tell.
    private final class Holding: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let count = Mutex(0)

        var entries: Int { count.withLock { $0 } }

        var route: Route {
            Route("GET", "/test/held") { [self] _ in
                count.withLock { $0 += 1 }
                _ = gate.wait(timeout: .now() + Double(LastResort.seconds))
                return .done
            }
        }

        func letGo(_ count: Int) { for _ in 0..<count { gate.signal() } }
    }

    /// A route that searches until it is stopped.
    private final class Searching: Sendable {
        private let begun = Mutex(false)
        private let ended = Mutex(false)

        var hasBegun: Bool { begun.withLock { $0 } }
        var hasEnded: Bool { ended.withLock { $0 } }

        var route: Route {
            Route("GET", "/test/search") { [self] call async throws(Problem) in
                begun.withLock { $0 = true }
                defer { ended.withLock { $0 = true } }
                return try await call.search { (scan) async throws(SearchFailure) in
                    while true { try await scan.pause() }
                }
            }.work(.search)
        }
    }

    @Test func `probes are answered while all answer threads are busy`() async throws {
        let threads = AnswerThreads(count: 1)
        let holding = Holding()
        try await withInspector(routes: DebugAPI.allRoutes + [holding.route], threads: threads) { _, inspector, port in
            inspector.readiness.markBound()
            async let first = HTTPClient.ask("/test/held", port: port)
            async let second = HTTPClient.ask("/test/held", port: port)
            await eventually { holding.entries >= 1 }
            for _ in 1...5 {
                for path in ["/livez", "/readyz"] {
                    let answer = try await HTTPClient.ask(path, port: port)
                    #expect(answer.status == 200)
                }
            }
            #expect(holding.entries == 1)
            holding.letGo(2)
            let answers = try await [first, second]
            #expect(answers.map(\.status) == [204, 204])
        }
        try await threads.stop()
    }

    @Test func `a long search does not delay other responses`() async throws {
        let threads = AnswerThreads(count: 1)
        let searching = Searching()
        try await withInspector(routes: DebugAPI.allRoutes + [searching.route], threads: threads) { _, _, port in
            let client = try await HeldConnection.open(port: port)
            try await client.send("GET /test/search HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await eventually { searching.hasBegun }
            #expect(try await HTTPClient.ask("/api/v1/pushes", port: port).status == 200)
            client.depart(.halfClose)
            await eventually { searching.hasEnded }
        }
        try await threads.stop()
    }

    @Test func `the server's stop ends a search`() async throws {
        let threads = AnswerThreads(count: 1)
        let searching = Searching()
        try await withInspector(routes: [searching.route], threads: threads) { _, inspector, port in
            async let answer = HTTPClient.ask("/test/search", port: port)
            await eventually { searching.hasBegun }
            try await inspector.stop(grace: .seconds(3_600))
            #expect(try await answer.status == 503)
        }
        try await threads.stop()
    }

    @Test func `the helper thread is used only while no request waits`() async throws {
        let helper = AnswerThreads(count: 1)
        let threads = AnswerThreads(count: 1, helper: helper)
        let gate = DispatchSemaphore(value: 0)
        let running = Mutex(false)
        async let held: Void = withTaskExecutorPreference(threads) {
            running.withLock { $0 = true }
            _ = gate.wait(timeout: .now() + Double(LastResort.seconds))
        }
        await eventually { running.withLock({ $0 }) }
        #expect(threads.idleHelper === helper)
        async let waiting: Void = withTaskExecutorPreference(threads) {}
        await eventually { threads.idleHelper == nil }
        gate.signal()
        _ = await (held, waiting)
        try await threads.stop()
        try await helper.stop()
    }
}
