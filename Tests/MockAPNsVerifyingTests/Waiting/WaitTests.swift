import MockAPNs
import TestSupport
import Testing

@testable import MockAPNsVerifying

struct WaitTests {
    /// Searches in turn, and waits until the journal has a push.
    private func wait(
        in pushes: VerifiedNamespace, for presence: ClientPresence = ClientPresence()
    ) async throws(SearchFailure) -> Bool {
        let scan = Scan(for: presence)
        try await scan.begin()
        defer { scan.end() }
        return try await scan.wait(on: pushes.watch, atMost: 3_600_000_000) { pushes.journal.extent.lastSeq > 0 }
    }

    @Test func `a wait ends with its push`() async throws {
        try await withVerified { pushes in
            async let isSatisfied = wait(in: pushes)
            await eventually { pushes.waits.count >= 1 }
            pushes.namespace.world.publish([PushDraft()])
            let result = try await isSatisfied
            #expect(result)
            #expect(pushes.waits.count == 0)
        }
    }

    static let causes: [(StopSignal.Cause, SearchFailure?)] = [
        (.clientGone, nil), (.shutdown, .stopped(.shutdown)), (.namespaceGone, .stopped(.namespaceGone)),
    ]

    @Test(arguments: causes) func `a wait ends with its client, the server and the namespace`(
        cause: StopSignal.Cause, failure: SearchFailure?
    ) async throws {
        try await withVerified { pushes in
            let stop = StopSignal()
            let presence = ClientPresence(begin: { _ in stop }, end: { _ in })
            async let result = wait(in: pushes, for: presence)
            await eventually { pushes.waits.count >= 1 }
            stop.ask(cause)
            var thrown: SearchFailure?
            do {
                let isSatisfied = try await result
                #expect(!isSatisfied)
            } catch { thrown = error as? SearchFailure }
            #expect(thrown == failure)
        }
    }
}
