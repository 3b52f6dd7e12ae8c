/// The log of a database that several servers, its replicas, share.
///
/// It has one order for the changes of all namespaces. A replica changes its worlds only in a turn, in which it is the only
/// one: a turn begins with the changes of the others, and ends with its own. So every replica makes the same changes in
/// the same order, and judges pushes by a state to which nothing is missing.
///
/// The calls block. One thread at a time calls those of turns; the other calls are for any thread, also meanwhile.
package protocol SharedLog: AnyObject, Sendable {
    /// The worlds, each with a log of its own; their `write(entries)` is not for worlds that replicas share.
    var stores: any WorldStores { get }

    /// Adds a replica, and returns its number: from 1, and never given twice.
    func join(as replica: ReplicaStatus) throws(StoreError) -> UInt64

    /// The end of the log, outside of a turn.
    func head() throws(StoreError) -> LogHead

    /// Calls `use` with the entries after a position, up to and including another, in order.
    ///
    /// As in `WorldStore.visitEntries`, they have nothing that applying the change makes again. Entries of namespaces that
    /// were removed meanwhile are left out. In a turn, call it on the thread of turns.
    func visitEntries(
        after position: UInt64,
        upTo end: UInt64,
        _ use: (SharedEntry) throws(StoreError) -> Void
    ) throws(StoreError)

    /// Waits for the turn, for a limited time, and returns the end of the log, which stays until the turn ends.
    func beginTurn() throws(StoreError) -> LogHead

    /// Keeps a turn that takes long: one of which nothing is heard is ended after a second, so that a stopped replica
    /// stops no other.
    func keepTurn() throws(StoreError)

    /// Writes entries, whose positions follow those of the head, and ends the turn; they are safe when this returns.
    ///
    /// When it throws, they may be safe or not: `hasEnded` tells, in a later turn. A turn without entries changes nothing.
    /// The number of a turn is higher than that of the replica's turn before.
    func endTurn(_ turn: UInt64, with entries: [SharedEntry]) throws(StoreError)

    /// Ends a turn without an entry; does nothing without a turn.
    func leaveTurn()

    /// Returns whether a turn of this replica has ended with its entries. Call it in a turn.
    func hasEnded(_ turn: UInt64) throws(StoreError) -> Bool

    /// Says how far this replica is; the time is that of the database.
    func report(_ status: ReplicaStatus) throws(StoreError)

    /// The replicas that have reported within the last 10 seconds, by number.
    func replicas() throws(StoreError) -> [ReplicaStatus]

    /// Forgets this replica and releases the database; nothing is called afterwards.
    func close()
}

/// The end of a log.
package struct LogHead: Equatable, Sendable {
    /// The position of the last entry; 0 if there is none.
    package var position: UInt64
    /// The position up to which entries were deleted, because snapshots replace them.
    package var trimmed: UInt64
    /// Counts up whenever a namespace is added or removed, or its properties change.
    package var namespaces: UInt64

    package init(position: UInt64, trimmed: UInt64 = 0, namespaces: UInt64) {
        self.position = position
        self.trimmed = trimmed
        self.namespaces = namespaces
    }
}

/// An entry of a log that has the changes of many worlds.
package struct SharedEntry: Equatable, Sendable {
    /// The position in the whole log.
    package var position: UInt64
    /// The name of the namespace.
    package var namespace: String
    /// The entry, with its position in the log of its world.
    package var entry: LogEntry

    package init(position: UInt64, namespace: String, entry: LogEntry) {
        self.position = position
        self.namespace = namespace
        self.entry = entry
    }
}

/// What a replica says of itself.
package struct ReplicaStatus: Equatable, Sendable {
    /// The number that the log has given it; 0 before.
    package var number: UInt64
    /// The name that its operator has given it, or its host's name.
    package var name: String
    /// The address at which it serves pushes.
    package var address: String
    /// The position up to which it has applied the log.
    package var position: UInt64
    /// The version of mock-apns.
    package var version: String

    package init(number: UInt64 = 0, name: String, address: String, position: UInt64 = 0, version: String) {
        self.number = number
        self.name = name
        self.address = address
        self.position = position
        self.version = version
    }
}
