internal import NIOConcurrencyHelpers

/// Gives memory back after a peak of connections, listeners or bodies.
///
/// `check` is to be called every few seconds. It costs the reading of a file, and more only where the process has grown.
public final class MemoryWatch: Sendable {
    /// Growth below this is left alone, in bytes.
    private static let slack = 8 << 20

    /// The resident memory below which nothing is done: what was left the last time, and a fifth.
    private let threshold = NIOLockedValueBox(0)
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
        threshold.withLockedValue { $0 = Self.threshold(for: resident()) }
    }

    /// Gives memory back where the process has grown by a fifth since the last time, and a quarter of it is free.
    ///
    /// Memory in pages that are partly used stays. It does not count as growth the next time.
    public func check() {
        let before = resident()
        guard before > threshold.withLockedValue({ $0 }), free() > before / 4 else { return }
        giveBack()
        threshold.withLockedValue { $0 = Self.threshold(for: resident()) }
    }

    private static func threshold(for resident: Int) -> Int { resident + max(slack, resident / 5) }
}
