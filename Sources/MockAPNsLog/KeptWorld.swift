/// A stored world as the `mock-apns data` commands see it, in any kind of store.
///
/// Servers may use the world at the same time.
package protocol KeptWorld {
    /// Returns the statistics of the world.
    func facts() throws(StoreError) -> WorldFacts

    /// Returns the problems found in its rows; empty if there are none.
    func problems() throws(StoreError) -> [String]

    /// Opens the world as a store. Callers must only read from it.
    func opened() throws(StoreError) -> any WorldStore
}

/// The statistics of a stored world.
package struct WorldFacts: Equatable, Sendable {
    /// The schema version.
    package var version: Int
    /// The number of pushes, and when the first and the last were received, in microseconds of the system clock.
    package var pushes: Int
    package var firstReceivedAt: Int64?
    package var lastReceivedAt: Int64?
    /// The position of the last change, and the number of changes after the newest snapshot, which a start replays.
    package var position: UInt64
    package var changesToReplay: Int
    /// The size in bytes: of the file without its WAL, or of the pushes in a shared database.
    package var bytes: Int
    /// The unused part of the size, in bytes; `nil` in a shared database, which does not track it by world.
    package var unusedBytes: Int?

    package init(
        version: Int, pushes: Int, firstReceivedAt: Int64?, lastReceivedAt: Int64?, position: UInt64,
        changesToReplay: Int, bytes: Int, unusedBytes: Int?
    ) {
        self.version = version
        self.pushes = pushes
        self.firstReceivedAt = firstReceivedAt
        self.lastReceivedAt = lastReceivedAt
        self.position = position
        self.changesToReplay = changesToReplay
        self.bytes = bytes
        self.unusedBytes = unusedBytes
    }
}
