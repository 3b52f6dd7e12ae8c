import MockAPNs
import MockAPNsWorld
import Synchronization
import TestSupport
import Testing

@testable import MockAPNsVerifying

/// Searches through pushes that are not wanted any more, or are too many.
struct ScanTests {
    private func limits(_ change: (inout SearchLimits) -> Void) -> SearchLimits {
        var limits = SearchLimits()
        change(&limits)
        return limits
    }

    @Test(arguments: [StopSignal.Cause.clientGone, .shutdown, .namespaceGone])
    func `a search ends with its client, the server and the namespace`(cause: StopSignal.Cause) async throws {
        try await withVerified { pushes in
            pushes.namespace.world.publish(Array(repeating: PushDraft(), count: 10))
            let stop = StopSignal()
            let presence = ClientPresence(begin: { _ in stop }, end: { _ in })
            let limits = limits { limits in
                limits.slice = .zero
                limits.timeout = .zero
            }
            let scan = Scan(ScanQueue(limits), for: presence)
            var count = 0
            await #expect(throws: SearchFailure.self) {
                _ = try await scan.visit(pushes.journal, PushQuery()) { _, _, _ in
                    count += 1
                    if count == 3 { stop.ask(cause) }
                }
            }
            #expect(count == 3)
        }
    }

    /// Runs a search when it is its turn.
    private func inTurn<Result>(_ queue: ScanQueue, _ search: () async -> Result) async throws(SearchFailure) -> Result
    {
        let scan = Scan(queue)
        try await scan.begin()
        defer { scan.end() }
        return await search()
    }

    @Test func `a few search at the same time, some wait, and more are refused`() async throws {
        let queue = ScanQueue(
            limits { limits in
                limits.running = 1
                limits.waiting = 1
            })
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (entries, entered) = AsyncStream.makeStream(of: Void.self)
        async let first = inTurn(queue) {
            entered.yield()
            for await _ in gate { break }
            return 1
        }
        for await _ in entries { break }
        let isOpen = Atomic(false)
        let hasBegun = Atomic(false)
        async let second = inTurn(queue) {
            let isItsTurn = isOpen.load(ordering: .relaxed)
            #expect(isItsTurn, "two search at the same time")
            hasBegun.store(true, ordering: .relaxed)
            return 2
        }
        await eventually { queue.waitingCount >= 1 || hasBegun.load(ordering: .relaxed) }
        // A third that is not refused waits for the first, which must go on then: the test fails, and ends.
        let rescue = Task {
            await eventually { queue.waitingCount >= 2 }
            try Task.checkCancellation()
            open.yield()
        }
        let refusal = await #expect(throws: SearchFailure.self) { _ = try await inTurn(queue) { 3 } }
        rescue.cancel()
        #expect(refusal == .tooBusy(waiting: 1))
        isOpen.store(true, ordering: .relaxed)
        open.yield()
        #expect(try await first == 1)
        #expect(try await second == 2)
        #expect(try await inTurn(queue) { 3 } == 3)
    }
}
