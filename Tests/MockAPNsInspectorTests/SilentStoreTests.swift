import MockAPNs
import MockAPNsLog
import MockAPNsWorld
import Synchronization
import TestSupport
import Testing

@testable import MockAPNsInspector

/// The API of a server whose store does not answer.
struct SilentStoreTests {
    private let stores = MemoryStores()

    /// Lends the API of a server that has 3 of 10 pushes in memory, with one thread for answers.
    private func withKept(
        limits: BlockingThreads.Limits = BlockingThreads.Limits(), _ use: (Fixture, KeptStores) async throws -> Void
    ) async throws {
        let threads = AnswerThreads(count: 1)
        var settings = APISettings()
        settings.threads = threads
        let kept = KeptStores(stores, limits: limits)
        do {
            try await withFixture(settings: settings) { configuration in
                configuration.journal = Journal.Capacity(records: 3)
                configuration.keeping = Configuration.Keeping(in: kept) { FaultDraft.Match(text: $0) { _, _ in true } }
                configuration.keeping?.stopTimeout = .zero
            } _: { fixture in
                for _ in 0..<10 { fixture.publish(PushDraft()) }
                _ = await fixture.server.namespaces.standard.keeper?.isSafe()
                try await use(fixture, kept)
            }
        } catch {
            stores.silence.end()
            try await threads.stop()
            throw error
        }
        stores.silence.end()
        try await threads.stop()
    }

    /// What only the store has.
    static let reads = [
        "/api/v1/pushes/seq:1", "/api/v1/pushes?limit=10", "/api/v1/pushes?limit=10&order=asc", "/api/v1/info",
        "/api/v1/pushes/apns:00000000-0000-4000-8000-000000000001", "/api/v1/pushes/export",
    ]

    @Test func `waiting reads do not delay other responses, and end with the server`() async throws {
        try await withKept { fixture, kept in
            #expect(await fixture.get("/api/v1/pushes/seq:1").status == 200)
            stores.silence.begin()
            await withTaskGroup(of: (path: String, status: Int).self) { group in
                for number in 0..<36 {
                    let path = Self.reads[number % Self.reads.count]
                    group.addTask { (path, await fixture.get(path).status) }
                }
                await eventually { stores.silence.waitingCount >= 4 && kept.waitingReads >= 20 }
                // Also on the only thread for answers.
                for path in ["/livez", "/api/v1/seq", "/api/v1/pushes?limit=2", "/metrics"] {
                    #expect(await fixture.get(path).status == 200, "\(path)")
                }
                // What a stopping server does when its timeout is over.
                kept.interrupt()
                for await (path, status) in group { #expect(status == (path == "/api/v1/info" ? 200 : 503), "\(path)") }
            }
            #expect(stores.silence.callsInTasks == 0)
        }
    }

    @Test func `a server stops while its store is silent`() async throws {
        try await withKept { fixture, kept in
            stores.silence.begin()
            let read = Task { await fixture.get("/api/v1/pushes/seq:1") }
            await eventually { stores.silence.waitingCount >= 1 }
            // Returns only if nothing waits for the store.
            await fixture.server.closeConnections(grace: .zero)
            kept.interrupt()
            let answer = await read.value
            #expect(answer.status == 503)
            let reason = "Pushes that have left the memory cannot be read: the server is stopping."
            #expect(answer.text("detail") == reason)
            #expect(answer.text("type") == "urn:mock-apns:problem:cannot-read")
        }
    }

    /// What SIGTERM does: the stop alone ends reads and writes that wait, and the store never answers.
    @Test func `the stop of a server does not wait for a silent store`() async throws {
        var configuration = Configuration()
        configuration.journal = Journal.Capacity(records: 3)
        configuration.keeping = Configuration.Keeping(in: KeptStores(stores)) {
            FaultDraft.Match(text: $0) { _, _ in true }
        }
        configuration.keeping?.stopTimeout = .zero
        try await withServerPlace { [configuration] in
            let server = try await MockAPNsServer(configuration)
            let fixture = Fixture(of: server)
            for _ in 0..<10 { fixture.publish(PushDraft()) }
            _ = await server.namespaces.standard.keeper?.isSafe()
            stores.silence.begin()
            let read = Task { await fixture.get("/api/v1/pushes/seq:1").status }
            fixture.publish(PushDraft())
            // The read, and the write of the last push.
            await eventually { stores.silence.waitingCount >= 2 }
            let hasStopped = Atomic(false)
            let stop = Task {
                try await server.stop(grace: .zero)
                hasStopped.store(true, ordering: .relaxed)
            }
            await eventually { hasStopped.load(ordering: .relaxed) }
            // Lets the stop end also where it waited for the store.
            stores.silence.end()
            try await stop.value
            #expect(await read.value == 503)
        }
    }

    @Test func `a read that fails is not taken for a push that does not exist`() async throws {
        var limits = BlockingThreads.Limits()
        (limits.running, limits.waiting) = (1, 0)
        try await withKept(limits: limits) { fixture, _ in
            stores.silence.begin()
            let read = Task { await fixture.get("/api/v1/pushes/seq:1") }
            await eventually { stores.silence.waitingCount >= 1 }
            for path in Self.reads where path != "/api/v1/info" {
                let refused = await fixture.get(path)
                #expect(refused.status == 503, "\(path)")
                #expect(refused.headers.contains { $0 == ("Retry-After", "1") })
                #expect(refused.text("detail")?.contains("already waiting; retry later") == true)
            }
            let info = await fixture.get("/api/v1/info")
            #expect(info.status == 200 && String(decoding: info.bytes, as: UTF8.self).contains("retry later"))
            stores.silence.end()
            #expect(await read.value.status == 200)
        }
    }
}
