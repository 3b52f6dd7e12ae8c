internal import NIOConcurrencyHelpers

/// Returns memory to the system after a peak of connections, listeners or bodies.
///
/// Call `check` every few seconds.
public final class MemoryWatch: Sendable {
    /// Growth below this is ignored, in bytes.
    private static let slack = 1 << 20
    /// The part of the resident memory whose growth is ignored: a process of steady use looks flat.
    private static let part = 40

    /// The minimum of freed memory since some was last returned to the system.
    ///
    /// The C library also counts returned memory as free.
    private let least: NIOLockedValueBox<Int>
    private let resident: @Sendable () -> Int
    private let free: @Sendable () -> Int
    private let giveBack: @Sendable () -> Void

    /// Creates a watch over this process.
    public convenience init() {
        self.init(resident: { FreeMemory.resident }, free: { FreeMemory.size }, giveBack: { FreeMemory.giveBack() })
    }

    init(
        resident: @escaping @Sendable () -> Int, free: @escaping @Sendable () -> Int,
        giveBack: @escaping @Sendable () -> Void
    ) {
        self.resident = resident
        self.free = free
        self.giveBack = giveBack
        least = NIOLockedValueBox(free())
    }

    /// Returns memory if a fortieth of the resident memory was freed since the last time.
    public func check() {
        let free = free()
        let freed = least.withLockedValue { least in
            least = min(least, free)
            return free - least
        }
        guard freed > max(Self.slack, resident() / Self.part) else { return }
        giveBack()
        least.withLockedValue { $0 = free }
    }
}
