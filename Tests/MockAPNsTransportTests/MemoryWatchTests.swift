import Synchronization
import Testing

@testable import MockAPNsTransport

/// When freed memory is given back to the system.
@Suite struct MemoryWatchTests {
    /// A process whose memory a test decides about, in MiB.
    private final class Heap: Sendable {
        let state = Mutex((resident: 30, free: 0, left: 30, calls: 0))

        func set(resident: Int, free: Int, left: Int) {
            state.withLock { $0 = (resident, free, left, $0.calls) }
        }

        var calls: Int { state.withLock { $0.calls } }

        func makeWatch() -> MemoryWatch {
            MemoryWatch(
                resident: { self.state.withLock { $0.resident << 20 } },
                free: { self.state.withLock { $0.free << 20 } },
                giveBack: {
                    self.state.withLock {
                        $0.resident = $0.left
                        $0.calls += 1
                    }
                }
            )
        }
    }

    @Test func givesBackAfterAPeakAndNotBefore() {
        let heap = Heap()
        let watch = heap.makeWatch()
        watch.check()
        heap.set(resident: 400, free: 20, left: 400)
        watch.check()
        #expect(heap.calls == 0)
        heap.set(resident: 400, free: 370, left: 32)
        watch.check()
        watch.check()
        #expect(heap.calls == 1)
        heap.set(resident: 300, free: 250, left: 32)
        watch.check()
        #expect(heap.calls == 2)
    }

    /// Free memory in pages that are partly used cannot be given back, so trying again and again is a waste.
    @Test func doesNotTryInVain() {
        let heap = Heap()
        let watch = heap.makeWatch()
        heap.set(resident: 100, free: 60, left: 95)
        for _ in 0..<10 { watch.check() }
        #expect(heap.calls == 1)
        heap.set(resident: 110, free: 60, left: 95)
        watch.check()
        #expect(heap.calls == 1)
        heap.set(resident: 120, free: 60, left: 95)
        watch.check()
        #expect(heap.calls == 2)
    }

    @Test func leavesSmallGrowthAlone() {
        let heap = Heap()
        let watch = heap.makeWatch()
        heap.set(resident: 38, free: 30, left: 30)
        watch.check()
        #expect(heap.calls == 0)
    }

    @Test func seesItsOwnProcess() {
        #expect(FreeMemory.resident > 1 << 20)
        FreeMemory.giveBack()
        MemoryWatch().check()
    }
}
