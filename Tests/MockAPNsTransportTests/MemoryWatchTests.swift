import Synchronization
import Testing

@testable import MockAPNsTransport

/// When freed memory is given back to the system.
@Suite struct MemoryWatchTests {
    /// A process whose memory a test decides about, in MiB.
    private final class Heap: Sendable {
        private let state = Mutex((resident: 30, free: 2, calls: 0))

        /// What the watch sees from now on.
        func set(resident: Int, free: Int) { state.withLock { $0 = (resident, free, $0.calls) } }

        /// How often memory was given back.
        var calls: Int { state.withLock { $0.calls } }

        func makeWatch() -> MemoryWatch {
            MemoryWatch(
                resident: { self.state.withLock { $0.resident << 20 } },
                free: { self.state.withLock { $0.free << 20 } }, giveBack: { self.state.withLock { $0.calls += 1 } })
        }
    }

    @Test func `returns free memory to the system after each peak`() {
        let heap = Heap()
        let watch = heap.makeWatch()
        heap.set(resident: 400, free: 2)
        watch.check()
        #expect(heap.calls == 0)
        heap.set(resident: 400, free: 370)
        watch.check()
        #expect(heap.calls == 1)
        // What was given back counts as free until it is used again.
        heap.set(resident: 32, free: 370)
        watch.check()
        heap.set(resident: 400, free: 2)
        watch.check()
        #expect(heap.calls == 1)
        heap.set(resident: 400, free: 370)
        watch.check()
        #expect(heap.calls == 2)
    }

    /// Connections end one after the other, so that a part of the memory is given back while the rest is in use.
    @Test func `goes on until the peak is over`() {
        let heap = Heap()
        let watch = heap.makeWatch()
        heap.set(resident: 190, free: 60)
        watch.check()
        heap.set(resident: 132, free: 150)
        watch.check()
        #expect(heap.calls == 2)
        heap.set(resident: 42, free: 151)
        watch.check()
        #expect(heap.calls == 2)
    }

    /// Memory in pages that are partly used cannot be given back, so trying again and again is a waste.
    @Test func `does not repeat an attempt that has returned nothing`() {
        let heap = Heap()
        let watch = heap.makeWatch()
        heap.set(resident: 100, free: 60)
        for _ in 0..<10 { watch.check() }
        #expect(heap.calls == 1)
    }

    @Test func `ignores small amounts of free memory`() {
        let heap = Heap()
        let watch = heap.makeWatch()
        heap.set(resident: 34, free: 3)
        watch.check()
        #expect(heap.calls == 0)
    }

    @Test func `reads the memory of its own process`() {
        #expect(FreeMemory.resident > 1 << 20)
        FreeMemory.giveBack()
        MemoryWatch().check()
    }
}
