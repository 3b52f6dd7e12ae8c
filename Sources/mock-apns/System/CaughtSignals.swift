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
/// promise that: it starts listening some time after `resume()`, and misses what arrives before.
///
/// `@unchecked Sendable`: nothing of it changes; the source is only kept.
final class CaughtSignals: @unchecked Sendable {
    /// Where the handler writes the number of each signal.
    private static let written = Atomic<Int32>(-1)
    private let source: any DispatchSourceRead

    /// Starts to catch signals.
    ///
    /// - Parameters:
    ///   - numbers: the signals.
    ///   - each: called with the number of each signal, on a queue that is only for this.
    /// - Throws: `CommandFailure` when the process cannot open a pipe.
    init(_ numbers: [Int32], each: @escaping @Sendable (Int32) -> Void) throws {
        let (reading, writing) = try Self.makePipe()
        Self.written.store(writing, ordering: .sequentiallyConsistent)
        source = DispatchSource.makeReadSource(
            fileDescriptor: reading,
            queue: DispatchQueue(label: "mock-apns.signals")
        )
        source.setEventHandler {
            var number: UInt8 = 0
            while read(reading, &number, 1) == 1 { each(Int32(number)) }
        }
        source.resume()
        for number in numbers { signal(number, Self.handler) }
    }

    /// Does only what POSIX allows in a signal handler: an atomic read and a write.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // A full pipe holds thousands of unread signals: losing one more changes nothing.
        _ = write(CaughtSignals.written.load(ordering: .relaxed), &byte, 1)
        errno = before
    }

    /// Makes a pipe that never blocks and that child processes do not inherit; `open` opens it, as the system's `pipe` does.
    static func makePipe(
        _ open: (UnsafeMutablePointer<Int32>) -> Int32 = { pipe($0) }
    ) throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard open(&ends) == 0 else {
            throw CommandFailure(
                .badConfiguration,
                "cannot open a pipe for signals: \(SystemFacts.describe(errno: errno)); ulimit -n shows the limit"
            )
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }

    /// Ignores a signal.
    ///
    /// - Returns: whether it was ignored already.
    @discardableResult static func ignore(_ number: Int32) -> Bool {
        let previous = signal(number, SIG_IGN)
        return unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
