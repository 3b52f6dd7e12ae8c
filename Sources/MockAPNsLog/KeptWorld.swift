package import MockAPNsWorld

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

    /// Visits a consistent snapshot of everything that is stored.
    ///
    /// Calls `begin` once, then `use` for each row, in the order of the cases of `StoredRow`.
    func visitRows(
        _ begin: (StoredHeader) throws(StoreError) -> Void, _ use: (StoredRow) throws(StoreError) -> Void)
        throws(StoreError)
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

/// The metadata of a stored world.
package struct StoredHeader: Equatable, Sendable {
    /// The namespace's properties.
    package var properties: [String: String]
    /// The highest push number that a reset has cleared from the journal.
    package var cleared: UInt64

    package init(properties: [String: String], cleared: UInt64) {
        self.properties = properties
        self.cleared = cleared
    }
}

/// A row of a stored world.
package enum StoredRow: Equatable, Sendable {
    case push(StoredPush)
    case step(LoggedStep, position: UInt64)
    case fanOut(push: UInt64, data: [UInt8])
    case snapshot(LogSnapshot)
    case change(StoredChange)
}

/// A push with the effects of later changes.
package struct StoredPush: Equatable, Sendable {
    /// The push, with its delivery state at the time of the response.
    package var push: LoggedPush
    /// The position of the change that added it.
    package var position: UInt64
    /// The current delivery state; `nil` if it has not changed.
    package var delivery: String?
    /// The position of the change that deleted it; `nil` if it was not deleted.
    package var deleted: UInt64?

    package init(push: LoggedPush, position: UInt64, delivery: String?, deleted: UInt64?) {
        self.push = push
        self.position = position
        self.delivery = delivery
        self.deleted = deleted
    }
}

/// A change; its pushes are separate rows.
package struct StoredChange: Equatable, Sendable {
    /// The change without pushes.
    package var entry: LogEntry
    /// The number of pushes that it added, and the first and last of their numbers.
    package var pushes: Int
    package var firstPush: UInt64?
    package var lastPush: UInt64?

    package init(entry: LogEntry, pushes: Int, firstPush: UInt64?, lastPush: UInt64?) {
        self.entry = entry
        self.pushes = pushes
        self.firstPush = firstPush
        self.lastPush = lastPush
    }
}
