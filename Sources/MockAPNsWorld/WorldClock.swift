public import MockAPNsRules
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The clock that the simulated service goes by: the system's, until somebody stops it.
///
/// It governs the age of provider tokens, their update rate and everything devices do. It never governs waiting,
/// TLS or sockets.
public final class WorldClock: Sendable {
    /// A moment on both clocks.
    public struct Reading: Sendable {
        /// The system's time.
        public let system: Timestamp
        /// The simulated service's time.
        public let world: Timestamp
    }

    /// What `stoppedAt` holds while the clock follows the system's.
    private static let running = Int64.min

    private let stoppedAt = Atomic<Int64>(WorldClock.running)

    /// A clock that follows the system's.
    public init() {}

    /// Reads both clocks; safe from any thread.
    public func read() -> Reading {
        let system = Self.systemTime()
        let stopped = stoppedAt.load(ordering: .relaxed)
        return Reading(
            system: system,
            world: stopped == Self.running ? system : Timestamp(microseconds: stopped)
        )
    }

    /// Stops the clock at `moment`.
    public func stop(at moment: Timestamp) { stoppedAt.store(moment.microseconds, ordering: .relaxed) }

    /// Lets the clock follow the system's again.
    public func run() { stoppedAt.store(Self.running, ordering: .relaxed) }

    private static func systemTime() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
