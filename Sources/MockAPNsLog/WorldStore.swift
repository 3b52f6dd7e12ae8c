package import MockAPNsWorld

/// Keeps the log of one world.
///
/// Its calls block. One thread at a time calls those that write; `history` is for any number of threads, also meanwhile.
package protocol WorldStore: AnyObject, Sendable {
    /// The newest snapshot, or the newest below a position; `nil` if there is none.
    ///
    /// A store keeps the two newest.
    func newestSnapshot(below position: UInt64?) throws(StoreError) -> LogSnapshot?

    /// Calls `use` with the pushes that were in the journal at a snapshot, in order, as they were then.
    ///
    /// They are those from its first push on that were not deleted, also those that the journal had no room for any more.
    /// What became of a broadcast may be newer.
    func visitJournal(
        of snapshot: LogSnapshot,
        _ use: (KeptPush) throws(StoreError) -> Void
    ) throws(StoreError)

    /// Calls `use` with every entry after a position, in order.
    ///
    /// The entries have their pushes, also those that were deleted meanwhile, but nothing else that applying the change
    /// makes again: no steps, fan-outs or deletions.
    func visitEntries(
        after position: UInt64,
        _ use: (LogEntry) throws(StoreError) -> Void
    ) throws(StoreError)

    /// Writes entries whole, or none of them; they are safe when this returns.
    func write(_ entries: [LogEntry]) throws(StoreError)

    /// Writes a snapshot, after which the entries up to the snapshot before it are no longer needed.
    func write(_ snapshot: LogSnapshot) throws(StoreError)

    /// Does a small part of the work that can wait, such as deleting what is no longer kept, and returns whether there may be
    /// more.
    ///
    /// Call it when nothing waits to be written, and now and then, with the time in microseconds of the system's clock.
    func tidy(at now: Int64) throws(StoreError) -> Bool

    /// The pushes that are kept.
    var history: any PushHistory { get }

    /// What the server keeps about the namespace besides its world.
    func properties() throws(StoreError) -> [String: String]

    /// Replaces what the server keeps about the namespace.
    func write(properties: [String: String]) throws(StoreError)

    /// Releases the store; nothing is called afterwards.
    func close()
}

extension WorldStore {
    /// The newest snapshot; `nil` if the store is new.
    package func newestSnapshot() throws(StoreError) -> LogSnapshot? { try newestSnapshot(below: nil) }
}

/// The pushes that a store keeps, which are more than those in the journal's memory.
package protocol PushHistory: Sendable {
    /// Returns the first pushes with these numbers that can match a query, in its order.
    ///
    /// A store may return more than match: the caller examines each.
    func pushes(
        _ query: PushQuery,
        in range: Range<UInt64>,
        atMost most: Int
    ) throws(StoreError) -> [KeptPush]

    /// Returns a push by its number.
    func push(seq: UInt64) throws(StoreError) -> KeptPush?

    /// Returns the newest push whose response has this `apns-id`, in lower case.
    func push(apnsID: String) throws(StoreError) -> KeptPush?

    /// How many pushes are kept, and the oldest.
    func extent() throws(StoreError) -> HistoryExtent
}

extension PushHistory {
    /// Calls `use` with all pushes in pages, oldest first, until it returns `false`.
    package func visitPages(_ use: ([KeptPush]) throws(StoreError) -> Bool) throws(StoreError) {
        var query = PushQuery()
        query.order = .ascending
        var next: UInt64 = 0
        while true {
            let page = try pushes(query, in: next..<UInt64.max, atMost: 200)
            guard let last = page.last, try use(page) else { return }
            next = last.push.seq + 1
        }
    }
}

/// Keeps the worlds of a server, each by the name of its namespace.
package protocol WorldStores: AnyObject, Sendable {
    /// Where the worlds are, for messages.
    var place: String { get }

    /// The names of the namespaces that have a world.
    func names() throws(StoreError) -> [String]

    /// Opens the store of a world, or creates one.
    func open(_ name: String) throws(StoreError) -> any WorldStore

    /// Deletes the store of a world, which was closed before.
    func remove(_ name: String) throws(StoreError)

    /// Lets others use the place; nothing is called afterwards.
    func close()
}
