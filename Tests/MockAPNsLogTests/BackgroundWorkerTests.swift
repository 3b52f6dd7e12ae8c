import NIOConcurrencyHelpers
import Testing

@testable import MockAPNsLog

struct BackgroundWorkerTests {
    private let reports = NIOLockedValueBox<[StoreError?]>([])

    private func worker(_ pauses: ClosedRange<UInt64>) -> BackgroundWorker {
        BackgroundWorker(pauses: pauses) { [reports] _, error in reports.withLockedValue { $0.append(error) } }
    }

    private func fail() throws(StoreError) -> Bool { throw StoreError(.full, "no room") }

    @Test func `pauses grow to the longest one, and start again after a success`() {
        let worker = worker(1...5)
        let outcomes = (1...5).map { _ in worker.attempt(.tidying, fail) }
        #expect(outcomes == [1, 2, 4, 5, 5].map { .failed(pause: $0) })
        #expect(worker.attempt(.tidying) { true } == .hasMore)
        #expect(worker.failure != nil)
        #expect(worker.attempt(.tidying) { false } == .done)
        #expect(worker.failure == nil)
        #expect(worker.attempt(.tidying, fail) == .failed(pause: 1))
        #expect(reports.withLockedValue { $0.map(\.?.code) } == [.full, nil, .full])
    }

    @Test func `paused work is not done, and other work is`() {
        let worker = worker(.max / 4 ... .max / 2)
        _ = worker.attempt(.tidying, fail)
        #expect(
            worker.attempt(.tidying) {
                Issue.record("expected a pause")
                return false
            } == .paused)
        #expect(worker.attempt(.snapshot) { false } == .done)
        #expect(worker.failure?.code == .full)
    }

    @Test(arguments: BackgroundWork.allCases) func `messages say what happens next`(work: BackgroundWork) {
        #expect(!work.effect.isEmpty)
    }
}
