internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The threads that answer the API's requests, except probes.
///
/// Swift's own threads serve sockets, signals and probes. They never run anything that may take long, so a health probe
/// or SIGTERM does not wait for other requests.
final class AnswerThreads: TaskExecutor {
    /// For all servers of a process; leaves one core to pushes and probes.
    static let shared = AnswerThreads(
        count: max(1, System.coreCount - 1), helper: System.coreCount > 1 ? AnswerThreads(count: 1) : nil)

    private let pool: NIOThreadPool
    private let count: Int
    private let helper: AnswerThreads?
    /// The jobs that run or wait for a thread.
    private let jobs = Atomic<Int>(0)

    /// Starts threads that run until `stop`, which does not stop the helper.
    init(count: Int, helper: AnswerThreads? = nil) {
        (self.count, self.helper, pool) = (count, helper, NIOThreadPool(numberOfThreads: count))
        pool.start()
    }

    /// An extra thread on the core reserved for pushes; `nil` while other requests are waiting for a thread.
    ///
    /// Only for work of a few milliseconds, so that pushes and probes are not delayed.
    var idleHelper: AnswerThreads? { jobs.load(ordering: .relaxed) <= count ? helper : nil }

    func stop() async throws { try await pool.shutdownGracefully() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.add(1, ordering: .relaxed)
        // Also after `stop`, on whichever thread: a task that never ran again would leak.
        pool.submit { _ in
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.jobs.subtract(1, ordering: .relaxed)
        }
    }
}
