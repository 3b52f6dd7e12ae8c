internal import NIOCore
internal import NIOPosix

/// The threads that answer the API's requests, except probes.
///
/// Swift's own threads serve sockets, signals and probes. They never run anything that may take long, so a health probe
/// or SIGTERM waits for no question.
final class AnswerThreads: TaskExecutor {
    /// The threads that all servers of a process share: one core is left to pushes and probes.
    static let shared = AnswerThreads()

    private let pool: NIOThreadPool

    /// Starts threads that run as long as the process.
    private init() {
        pool = ._makePerpetualStartedPool(
            numberOfThreads: max(1, System.coreCount - 1),
            threadNamePrefix: "api-answer-"
        )
    }

    /// Starts threads that run until `stop`.
    init(count: Int) {
        pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
    }

    /// Ends the threads; for those that are not shared.
    func stop() async throws { try await pool.shutdownGracefully() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Also after `stop`, on whichever thread: a task that never ran again would leak.
        pool.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
