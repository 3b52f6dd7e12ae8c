internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The thread of the process for work that may wait until no other thread needs the processor.
final class BackgroundThread: TaskExecutor {
    static let shared = BackgroundThread()

    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private init() {
        group.next().execute {
            // A failure costs speed only.
            #if os(Linux)
            // Of this thread alone (0 is PRIO_PROCESS): its share is a seventieth of that of another thread.
            _ = setpriority(0, 0, 19)
            #elseif canImport(Darwin)
            _ = pthread_set_qos_class_self_np(QOS_CLASS_BACKGROUND, 0)
            #endif
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        group.next().execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
