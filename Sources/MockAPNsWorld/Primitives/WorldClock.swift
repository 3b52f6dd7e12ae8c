public import MockAPNsRules
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The simulated service's clock: the system's, until it is stopped or moved.
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

        /// The two times of one moment.
        public init(system: Timestamp, world: Timestamp) {
            self.system = system
            self.world = world
        }
    }

    /// How the clock goes.
    public enum Mode: Equatable, Sendable {
        /// It runs this many microseconds ahead of the system's.
        case running(offset: Int64)
        /// It stands.
        case stopped(at: Timestamp)
    }

    /// The mode in one word, so that no reader ever sees half of a change: twice the offset or the moment, and 1
    /// more when it stands.
    private let word = Atomic<Int64>(0)

    /// A clock that follows the system's.
    public init() {}

    /// How the clock goes; safe from any thread.
    public var mode: Mode {
        let word = word.load(ordering: .relaxed)
        let value = word >> 1
        return word & 1 == 1 ? .stopped(at: Timestamp(microseconds: value)) : .running(offset: value)
    }

    /// Reads both clocks; safe from any thread.
    public func read() -> Reading {
        let system = Self.systemTime()
        switch mode {
        case .running(0): return Reading(system: system, world: system)
        case .running(let offset):
            return Reading(
                system: system,
                world: Timestamp(microseconds: system.microseconds &+ offset)
            )
        case .stopped(let moment): return Reading(system: system, world: moment)
        }
    }

    /// Stops the clock at `moment`.
    func stop(at moment: Timestamp) { word.store(moment.microseconds << 1 | 1, ordering: .relaxed) }

    /// Runs the clock this many microseconds ahead of the system's.
    func run(offset: Int64 = 0) { word.store(offset << 1, ordering: .relaxed) }

    /// Moves the clock forward; it goes on running, or standing.
    func advance(by microseconds: Int64) {
        switch mode {
        case .running(let offset): run(offset: offset &+ microseconds)
        case .stopped(let moment):
            stop(at: Timestamp(microseconds: moment.microseconds &+ microseconds))
        }
    }

    private static func systemTime() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
