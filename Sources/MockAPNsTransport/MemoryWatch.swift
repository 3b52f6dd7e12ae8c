internal import NIOConcurrencyHelpers

/// Gives memory back after a peak of connections, listeners or bodies.
///
/// `check` is to be called every few seconds.
public final class MemoryWatch: Sendable {
    /// Growth below this is left alone, in bytes.
    private static let slack = 4 << 20

    /// The least freed memory since the last time that some was given back.
    ///
    /// The C library counts what it has given back as free, too.
    private let least: NIOLockedValueBox<Int>
    private let resident: @Sendable () -> Int
    private let free: @Sendable () -> Int
    private let giveBack: @Sendable () -> Void

    /// A watch over this process.
    public convenience init() {
        self.init(
            resident: { FreeMemory.resident },
            free: { FreeMemory.size },
            giveBack: { FreeMemory.giveBack() }
        )
    }

    init(
        resident: @escaping @Sendable () -> Int,
        free: @escaping @Sendable () -> Int,
        giveBack: @escaping @Sendable () -> Void
    ) {
        self.resident = resident
        self.free = free
        self.giveBack = giveBack
        least = NIOLockedValueBox(free())
    }

    /// Gives memory back where a tenth of the resident memory has been freed since the last time.
    public func check() {
        let free = free()
        let freed = least.withLockedValue { least in
            least = min(least, free)
            return free - least
        }
        guard freed > max(Self.slack, resident() / 10) else { return }
        giveBack()
        least.withLockedValue { $0 = free }
    }
}
