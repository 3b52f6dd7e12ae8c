import Dispatch
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import MockAPNsLog

/// The threads on which stores are called.
///
/// A `Silence` stands for a database that does not answer.
struct BlockingThreadsTests {
    private let silence = Silence()

    private func threads(running: Int, waiting: Int) -> BlockingThreads {
        var limits = BlockingThreads.Limits()
        (limits.running, limits.waiting) = (running, waiting)
        return BlockingThreads(limits)
    }

    @Test func `calls return what they return, and never run in a task`() async throws {
        let threads = BlockingThreads()
        #expect(try await threads.run { () throws(StoreError) in 7 } == 7)
        let failure = StoreError(.full, "no room")
        await #expect(throws: failure) { try await threads.run { () throws(StoreError) -> Int in throw failure } }
        for _ in 0..<20 { try await threads.run { [silence] () throws(StoreError) in try silence.pass() } }
        #expect(silence.callsInTasks == 0)
    }

    @Test func `more calls than may run wait, and more than may wait are refused`() async throws {
        let threads = threads(running: 2, waiting: 3)
        silence.begin()
        await withTaskGroup(of: Result<Int, StoreError>.self) { group in
            for number in 0..<2 { group.addTask { await call(number, on: threads) } }
            await eventually { silence.waitingCount >= 2 }
            for number in 2..<5 { group.addTask { await call(number, on: threads) } }
            await eventually { threads.waitingCount >= 3 }
            let problem = "3 requests for stored data are already waiting; retry later"
            #expect(await call(5, on: threads) == .failure(StoreError(.failed, problem)))
            #expect(silence.waitingCount == 2)
            silence.end()
            var numbers: [Int] = []
            for await result in group { numbers.append((try? result.get()) ?? -1) }
            #expect(numbers.sorted() == [0, 1, 2, 3, 4])
        }
        #expect(await call(6, on: threads) == .success(6))
    }

    @Test func `the end of the server ends every wait, also for calls that go on`() async throws {
        let threads = threads(running: 1, waiting: 10)
        silence.begin()
        await withTaskGroup(of: Result<Int, StoreError>.self) { group in
            for number in 0..<4 { group.addTask { await call(number, on: threads) } }
            await eventually { threads.waitingCount >= 3 && silence.waitingCount >= 1 }
            threads.stop()
            for await result in group { #expect(result == .failure(StoreError(.failed, "the server is stopping"))) }
            // The call itself still waits: nobody waits for it.
            #expect(silence.waitingCount == 1)
        }
        #expect(await call(9, on: threads) == .failure(StoreError(.failed, "the server is stopping")))
        silence.end()
    }

    private func call(_ number: Int, on threads: BlockingThreads) async -> Result<Int, StoreError> {
        do throws(StoreError) {
            return .success(
                try await threads.run { [silence] () throws(StoreError) in
                    try silence.pass()
                    return number
                })
        } catch { return .failure(error) }
    }
}

@Suite struct BackOffTests {
    @Test func `pauses double up to the longest, and a success starts over`() {
        var backOff = BackOff(first: 10, longest: 35)
        #expect(!backOff.isFailing && backOff.isDue(at: 0))
        var now: UInt64 = 100
        for pause: UInt64 in [10, 20, 35, 35] {
            backOff.failed(at: now)
            #expect(backOff.isFailing && !backOff.isDue(at: now + pause - 1) && backOff.isDue(at: now + pause))
            now += pause
        }
        backOff.succeeded()
        #expect(!backOff.isFailing && backOff.isDue(at: now))
        backOff.failed(at: now)
        #expect(backOff.isDue(at: now + 10))
    }
}
