internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The signals that this process takes, told one by one in the order in which they came.
///
/// From the end of `init` on none is lost. Dispatch's own sources for signals are not used: they begin to listen some
/// time after they were told to, and a signal that comes earlier is gone. A process has one object of this type.
///
/// `@unchecked Sendable`: nothing of it changes; the source is only kept.
final class CaughtSignals: @unchecked Sendable {
    /// Where the handler writes the number of each signal.
    private static let written = Atomic<Int32>(-1)
    private let source: any DispatchSourceRead

    /// Takes signals.
    ///
    /// - Parameters:
    ///   - numbers: the signals.
    ///   - each: gets the number of each that comes, on a queue of its own.
    init(_ numbers: [Int32], each: @escaping @Sendable (Int32) -> Void) {
        var ends: [Int32] = [-1, -1]
        let made = ends.withUnsafeMutableBufferPointer { Self.makePipe($0.baseAddress!) }
        precondition(made, "no descriptors are left for a pipe: \(SystemFacts.describe(errno: errno))")
        let reading = ends[0]
        Self.written.store(ends[1], ordering: .sequentiallyConsistent)
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

    /// Only what POSIX allows in a handler: an atomic read, and a write.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // A full pipe holds thousands of signals that nobody has looked at: one more says nothing new.
        _ = write(CaughtSignals.written.load(ordering: .relaxed), &byte, 1)
        errno = before
    }

    /// Makes a pipe whose ends never block, and that no command inherits.
    private static func makePipe(_ ends: UnsafeMutablePointer<Int32>) -> Bool {
        guard pipe(ends) == 0 else { return false }
        for end in [ends[0], ends[1]] {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return true
    }

    /// Has a signal do nothing.
    ///
    /// - Returns: whether it did nothing before.
    @discardableResult static func ignore(_ number: Int32) -> Bool {
        let previous = signal(number, SIG_IGN)
        return unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
