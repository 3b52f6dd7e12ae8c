internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Catches signals and reports each one on a queue.
///
/// A process has one object of this type. No signal is lost once `init` has returned. A Dispatch source for signals cannot
/// promise that: it starts listening some time after `resume()` and misses earlier signals.
///
/// `@unchecked Sendable`: immutable; the source is only kept alive.
final class CaughtSignals: @unchecked Sendable {
    /// The pipe's end to which the handler writes the number of each signal.
    private static let written = Atomic<Int32>(-1)
    private let source: any DispatchSourceRead

    init(_ numbers: [Int32], report: @escaping @Sendable (Int32) -> Void) throws {
        let (reading, writing) = try Self.makePipe()
        Self.written.store(writing, ordering: .sequentiallyConsistent)
        let queue = DispatchQueue(label: "mock-apns.signals")
        source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: queue)
        source.setEventHandler {
            var number: UInt8 = 0
            while read(reading, &number, 1) == 1 { report(Int32(number)) }
        }
        source.resume()
        for number in numbers { signal(number, Self.handler) }
    }

    /// Uses only calls that POSIX allows in a signal handler: an atomic read and a write.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // A full pipe holds thousands of unread signals: losing one more changes nothing.
        _ = write(CaughtSignals.written.load(ordering: .relaxed), &byte, 1)
        errno = before
    }

    /// Makes a pipe that never blocks and that child processes do not inherit.
    static func makePipe(
        _ open: (UnsafeMutablePointer<Int32>) -> Int32 = { pipe($0) }
    ) throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard open(&ends) == 0 else {
            let reason = "\(SystemFacts.describe(errno: errno)); ulimit -n shows the limit"
            throw CommandFailure(.badConfiguration, "cannot open a pipe for signals: \(reason)")
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }

    /// Ignores a signal, and returns whether it was ignored before.
    @discardableResult static func ignore(_ number: Int32) -> Bool {
        let previous = signal(number, SIG_IGN)
        return unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// The signals that stop the process: gracefully on the first, at once on the second.
final class StopSignals: Sendable {
    private let signals: CaughtSignals
    private let requests = AsyncStream.makeStream(of: Void.self)

    init() throws {
        let isStopping = Atomic(false)
        signals = try CaughtSignals([SIGTERM, SIGINT]) { [requests] number in
            if isStopping.exchange(true, ordering: .relaxed) { _exit(128 + number) }
            requests.continuation.yield()
        }
        // Writing to a connection that the client has closed is an error of that write only.
        CaughtSignals.ignore(SIGPIPE)
    }

    /// Requests a graceful stop, as the first signal does.
    func ask() { requests.continuation.yield() }

    /// Runs operations until one of them ends or the first signal comes, and then cancels the others.
    static func run(_ operations: (@Sendable () async throws -> Void)...) async throws {
        let signals = try StopSignals()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await signals.wait() }
            for operation in operations { group.addTask { try await operation() } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    func wait() async { for await _ in requests.stream { return } }
}
