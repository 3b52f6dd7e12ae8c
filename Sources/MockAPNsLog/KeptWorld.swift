package import MockAPNsWorld

/// A world as the commands of `mock-apns data` see it, whatever keeps it; servers may use it meanwhile.
package protocol KeptWorld {
    /// Returns the numbers that describe it.
    func facts() throws(StoreError) -> WorldFacts

    /// Returns what is wrong with its rows; empty if nothing is.
    func problems() throws(StoreError) -> [String]

    /// Opens it as a store, for reading; nothing may be written to it.
    func opened() throws(StoreError) -> any WorldStore

    /// Calls `use` with everything that is kept, as it was at one moment: `begin` first, then the rows in the order of the
    /// cases of `StoredRow`.
    func visitRows(
        _ begin: (StoredHeader) throws(StoreError) -> Void,
        _ use: (StoredRow) throws(StoreError) -> Void
    ) throws(StoreError)
}

/// The numbers that describe what is kept of a world.
package struct WorldFacts: Equatable, Sendable {
    /// The version of the tables.
    package var version: Int
    /// The number of pushes, and when the first and the last were received, in microseconds of the system's clock.
    package var pushes: Int
    package var firstReceivedAt: Int64?
    package var lastReceivedAt: Int64?
    /// The position of the last change, and how many a start applies after it has read the newest snapshot.
    package var position: UInt64
    package var changesToReplay: Int
    /// The size in bytes: of a file without its log, or of the pushes in a database that worlds share.
    package var bytes: Int
    /// How much of it is unused, in bytes; `nil` in a database that worlds share, which does not count it by world.
    package var unusedBytes: Int?

    package init(
        version: Int,
        pushes: Int,
        firstReceivedAt: Int64?,
        lastReceivedAt: Int64?,
        position: UInt64,
        changesToReplay: Int,
        bytes: Int,
        unusedBytes: Int?
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

/// What a store keeps about a world besides its rows.
package struct StoredHeader: Equatable, Sendable {
    /// What the server keeps about the namespace.
    package var properties: [String: String]
    /// The number up to which resets have deleted everything in the journal.
    package var cleared: UInt64

    package init(properties: [String: String], cleared: UInt64) {
        self.properties = properties
        self.cleared = cleared
    }
}

/// A row of what a store keeps about a world.
package enum StoredRow: Equatable, Sendable {
    case push(StoredPush)
    case step(LoggedStep, position: UInt64)
    case fanOut(push: UInt64, data: [UInt8])
    case snapshot(LogSnapshot)
    case change(StoredChange)
}

/// A push with what changes have done to it.
package struct StoredPush: Equatable, Sendable {
    /// The push, with its delivery state at the response.
    package var push: LoggedPush
    /// The change that has added it.
    package var position: UInt64
    /// The current delivery state, and `nil` if it has not changed.
    package var delivery: String?
    /// The change that has deleted it.
    package var deleted: UInt64?

    package init(push: LoggedPush, position: UInt64, delivery: String?, deleted: UInt64?) {
        self.push = push
        self.position = position
        self.delivery = delivery
        self.deleted = deleted
    }
}

/// A change, whose pushes are rows of their own.
package struct StoredChange: Equatable, Sendable {
    /// The change without pushes.
    package var entry: LogEntry
    /// How many pushes it has added, and the first and the last.
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
