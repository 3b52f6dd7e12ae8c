/// The log of a database that several servers, its replicas, share.
///
/// The changes of all namespaces have one order. A replica changes its worlds only during its turn, and only one
/// replica has a turn at a time. It applies the changes of the other replicas first, and writes its own at the end. So
/// all replicas apply the same changes in the same order, and validate pushes against an up-to-date state.
///
/// All calls block. Make calls about turns from one thread at a time; make the others from any thread, concurrently.
package protocol SharedLog: AnyObject, Sendable {
    /// The stores of the worlds. Don't call their `write(entries)`: entries are written by `endTurn`.
    var stores: any WorldStores { get }

    /// Adds a replica, and returns its number, which starts at 1 and is never reused.
    func join(as replica: ReplicaStatus) throws(StoreError) -> UInt64

    /// Returns the end of the log, outside of a turn.
    func head() throws(StoreError) -> LogHead

    /// Calls `use` with the entries after `position`, up to and including `end`, in order.
    ///
    /// As in `WorldStore.visitEntries`, the entries omit everything that replaying the change recreates. Entries of
    /// removed namespaces are skipped. `use` may call `keepTurn` during a turn.
    func visitEntries(
        after position: UInt64, upTo end: UInt64, _ use: (SharedEntry) throws(StoreError) -> Void) throws(StoreError)

    /// Waits for the turn, for a limited time, and returns the end of the log.
    ///
    /// No other replica moves the end until the turn ends. While others have the turn, `whileWaiting` is called every few
    /// milliseconds on the same thread; it may call `head` and `visitEntries`.
    func beginTurn(whileWaiting: () -> Void) throws(StoreError) -> LogHead

    /// Renews a long turn.
    ///
    /// The database ends a turn after one silent second, so that a stopped replica does not block the others.
    func keepTurn() throws(StoreError)

    /// Writes entries, whose positions follow the head, and ends the turn; the entries are safe when this returns.
    ///
    /// When this throws, the entries may have been written or not; call `hasEnded` in a later turn to find out.
    /// Each turn of a replica must have a higher number than the one before. To end a turn without entries, call
    /// `leaveTurn`.
    func endTurn(_ turn: UInt64, with entries: [SharedEntry]) throws(StoreError)

    /// Ends the turn without writing entries; does nothing outside of a turn.
    func leaveTurn()

    /// Returns whether the entries of an earlier turn of this replica were written. Call this during a turn.
    func hasEnded(_ turn: UInt64) throws(StoreError) -> Bool

    /// Reports the status of this replica, with the time of the database's clock.
    func report(_ status: ReplicaStatus) throws(StoreError)

    /// Returns the replicas that have reported in the last 10 seconds, sorted by number.
    func replicas() throws(StoreError) -> [ReplicaStatus]

    /// Removes this replica and closes the database. Make no calls afterwards.
    func close()
}

extension SharedLog {
    /// Waits for the turn without doing anything meanwhile.
    package func beginTurn() throws(StoreError) -> LogHead { try beginTurn {} }
}

/// The end of a log.
package struct LogHead: Equatable, Sendable {
    /// The position of the last entry; 0 if the log is empty.
    package var position: UInt64
    /// The position of the last deleted entry; snapshots replace deleted entries.
    package var trimmed: UInt64
    /// Increases whenever a namespace is added or removed, or its properties change.
    package var namespaces: UInt64

    package init(position: UInt64, trimmed: UInt64 = 0, namespaces: UInt64) {
        self.position = position
        self.trimmed = trimmed
        self.namespaces = namespaces
    }
}

/// An entry of a shared log.
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

/// The status that a replica reports.
package struct ReplicaStatus: Equatable, Sendable {
    /// The number assigned by the log; 0 before it joins.
    package var number: UInt64
    /// The configured name, or else the host name.
    package var name: String
    /// The address at which it serves pushes.
    package var address: String
    /// The position of the last log entry that it has applied.
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
