public import MockAPNsRules
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The clock of the simulated service: the system's clock, until it is frozen or advanced.
///
/// It determines the age of provider tokens, their update rate and all behavior of devices. It does not
/// affect waits, TLS or sockets.
public final class WorldClock: Sendable {
    /// A time on both clocks.
    public struct Reading: Sendable {
        /// The system's time.
        public let system: Timestamp
        /// The simulated service's time.
        public let world: Timestamp

        /// Creates a reading.
        public init(system: Timestamp, world: Timestamp) {
            self.system = system
            self.world = world
        }
    }

    /// The mode of the clock.
    public enum Mode: Equatable, Sendable {
        /// The clock is this many microseconds ahead of the system's.
        case running(offset: Int64)
        /// The clock is frozen at this time.
        case stopped(at: Timestamp)
    }

    /// Twice the offset or the time, plus 1 if the clock is frozen: one word, so that it changes at once.
    private let word = Atomic<Int64>(0)

    /// Creates a clock that follows the system's.
    public init() {}

    /// The mode of the clock; can be used from any thread.
    public var mode: Mode {
        let word = word.load(ordering: .relaxed)
        let value = word >> 1
        return word & 1 == 1 ? .stopped(at: Timestamp(microseconds: value)) : .running(offset: value)
    }

    /// Reads both clocks; can be used from any thread.
    public func read() -> Reading {
        let system = Self.systemTime()
        return Reading(system: system, world: world(at: system))
    }

    /// The simulated service's time at a time of the system's clock.
    func world(at system: Timestamp) -> Timestamp {
        switch mode {
        case .running(let offset): Timestamp(microseconds: system.microseconds &+ offset)
        case .stopped(let moment): moment
        }
    }

    func set(_ mode: Mode) {
        switch mode {
        case .running(let offset): run(offset: offset)
        case .stopped(let moment): stop(at: moment)
        }
    }

    func stop(at moment: Timestamp) { word.store(moment.microseconds << 1 | 1, ordering: .relaxed) }

    func run(offset: Int64 = 0) { word.store(offset << 1, ordering: .relaxed) }

    /// Moves the clock forward without changing its mode.
    func advance(by microseconds: Int64) { word.wrappingAdd(microseconds << 1, ordering: .relaxed) }

    private static func systemTime() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
