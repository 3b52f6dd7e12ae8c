package import MockAPNsWorld

/// Stores the log of one world.
///
/// All calls block. Write from one thread at a time; `history` can be used from any number of threads, concurrently.
package protocol WorldStore: AnyObject, Sendable {
    /// Where the log is, for messages, such as the path of a file.
    var place: String { get }

    /// Returns the newest snapshot, or the newest one below `position`; `nil` if not found.
    ///
    /// A store keeps the two newest snapshots.
    func newestSnapshot(below position: UInt64?) throws(StoreError) -> LogSnapshot?

    /// Calls `use` with the journal's pushes at the time of a snapshot, in order, in their state at that time.
    ///
    /// These are all pushes from the snapshot's first push on that were not deleted, including pushes that the full
    /// journal had evicted. The outcome of a broadcast may be newer than the snapshot.
    func visitJournal(of snapshot: LogSnapshot, _ use: (ReadPush) throws(StoreError) -> Void) throws(StoreError)

    /// Calls `use` with every entry after a position, in order.
    ///
    /// The entries include their pushes, even if these were deleted since. They omit what replaying the change
    /// recreates: steps, fan-outs and deletions.
    func visitEntries(after position: UInt64, _ use: (LogEntry) throws(StoreError) -> Void) throws(StoreError)

    /// Writes all entries or, on failure, none of them; they are safe when this returns.
    func write(_ entries: [LogEntry]) throws(StoreError)

    /// Writes a snapshot; entries up to the snapshot before it are then no longer needed.
    func write(_ snapshot: LogSnapshot) throws(StoreError)

    /// Does one step of background work, such as deleting old pushes, and returns whether more may remain.
    ///
    /// Call this while no writes are pending, and from time to time under load. `now` is the time in microseconds of
    /// the system clock. The retention does not apply to the pushes with the numbers `pins`.
    func tidy(at now: Int64, keeping pins: Set<UInt64>) throws(StoreError) -> Bool

    /// Throws if the files of the store were deleted or replaced, so that what is written would be lost.
    ///
    /// Call this from any thread.
    func check() throws(StoreError)

    /// The stored pushes.
    var history: any PushHistory { get }

    /// Returns the properties of the namespace.
    func properties() throws(StoreError) -> [String: String]

    /// Replaces the properties of the namespace.
    func write(properties: [String: String]) throws(StoreError)

    /// Closes the store. Make no calls afterwards.
    func close()
}

extension WorldStore {
    /// A store that is one of several in the same place, which messages name anyway.
    package var place: String { "the stored world" }

    /// A store without files, such as a database server, which looks after its own.
    package func check() throws(StoreError) {}

    /// Returns the newest snapshot; `nil` if the store is new.
    package func newestSnapshot() throws(StoreError) -> LogSnapshot? { try newestSnapshot(below: nil) }

    /// Does one step of background work, without pins.
    package func tidy(at now: Int64) throws(StoreError) -> Bool { try tidy(at: now, keeping: []) }
}

/// The pushes of a store, including those that are no longer in the journal's memory.
package protocol PushHistory: Sendable {
    /// Returns the first candidates for a query within a range of numbers, in the query's order.
    ///
    /// The result may include pushes that do not match, so the caller must check each one.
    func pushes(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) throws(StoreError) -> [ReadPush]

    /// Returns a push by its number.
    func push(seq: UInt64) throws(StoreError) -> ReadPush?

    /// Returns the newest push whose response has this `apns-id`, in lower case.
    func push(apnsID: String) throws(StoreError) -> ReadPush?

    /// Returns the number of stored pushes, and the oldest one.
    func extent() throws(StoreError) -> HistoryExtent
}

extension PushHistory {
    /// Calls `use` with all pushes in pages, oldest first, until it returns `false`.
    package func visitPages(_ use: ([ReadPush]) throws(StoreError) -> Bool) throws(StoreError) {
        var query = PushQuery()
        query.order = .ascending
        var next: UInt64 = 0
        while true {
            let page = try pushes(query, in: next..<UInt64.max, atMost: 200)
            guard let last = page.last, try use(page) else { return }
            next = last.seq + 1
        }
    }
}

/// The stores of a server's worlds, by namespace.
package protocol WorldStores: AnyObject, Sendable {
    /// The location of the worlds, for messages.
    var place: String { get }

    /// Returns the names of the namespaces that have a world.
    func names() throws(StoreError) -> [String]

    /// Opens the store of a world; `nil` if it does not exist.
    func open(_ name: String) throws(StoreError) -> (any WorldStore)?

    /// Opens the store of a world, and creates it if it does not exist.
    func create(_ name: String) throws(StoreError) -> any WorldStore

    /// Deletes the store of a world, which must be closed.
    func remove(_ name: String) throws(StoreError)

    /// Makes calls that wait for an answer fail at once, and every later one, also those of `SharedLog`.
    ///
    /// Called while others are running, when the server has to end.
    func interrupt()

    /// Releases the location for other servers. Make no calls afterwards.
    func close()
}

extension WorldStores {
    /// Does nothing: files answer.
    package func interrupt() {}
}
