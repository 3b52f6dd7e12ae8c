package import MockAPNsWorld

/// Keeps the log of one world.
///
/// Its calls block. One thread at a time calls those that write; `history` is for any number of threads, also meanwhile.
package protocol WorldStore: AnyObject, Sendable {
    /// The newest snapshot; `nil` if the store is new.
    func newestSnapshot() throws(StoreError) -> LogSnapshot?

    /// Calls `use` with every entry after a position, in order.
    ///
    /// The entries have their pushes, also those that were deleted meanwhile.
    func visitEntries(
        after position: UInt64,
        _ use: (LogEntry) throws(StoreError) -> Void
    ) throws(StoreError)

    /// Writes entries whole, or none of them; they are safe when this returns.
    func write(_ entries: [LogEntry]) throws(StoreError)

    /// Writes a snapshot, after which the entries up to the snapshot before it are no longer needed.
    func write(_ snapshot: LogSnapshot) throws(StoreError)

    /// The pushes that are kept.
    var history: any PushHistory { get }

    /// What the server keeps about the namespace besides its world.
    func properties() throws(StoreError) -> [String: String]

    /// Replaces what the server keeps about the namespace.
    func write(properties: [String: String]) throws(StoreError)

    /// Releases the store; nothing is called afterwards.
    func close()
}

/// The pushes that a store keeps, which are more than those in the journal's memory.
package protocol PushHistory: Sendable {
    /// Returns the newest pushes below a number that can match a query, newest first.
    ///
    /// A store may return more than match: the caller examines each.
    func pushes(before seq: UInt64, for query: PushQuery, atMost most: Int) throws(StoreError) -> [KeptPush]

    /// Returns a push by its number.
    func push(seq: UInt64) throws(StoreError) -> KeptPush?

    /// Returns the newest push whose response has this `apns-id`, in lower case.
    func push(apnsID: String) throws(StoreError) -> KeptPush?

    /// How many pushes are kept, and the oldest.
    func extent() throws(StoreError) -> HistoryExtent
}

/// A push with everything that has happened to its notification.
package struct KeptPush: Equatable, Sendable {
    package var push: LoggedPush
    /// The later steps, by ascending number.
    package var steps: [LoggedStep]
    /// What became of the broadcast, encoded; `nil` for other pushes.
    package var fanOut: [UInt8]?

    package init(push: LoggedPush, steps: [LoggedStep] = [], fanOut: [UInt8]? = nil) {
        self.push = push
        self.steps = steps
        self.fanOut = fanOut
    }
}

/// How far back a history goes.
package struct HistoryExtent: Equatable, Sendable {
    /// The number of pushes.
    package var count: Int
    /// The number of the oldest push; `nil` if there is none.
    package var firstSeq: UInt64?
    /// When it was received, in microseconds of the system's clock.
    package var firstReceivedAt: Int64?

    package init(count: Int, firstSeq: UInt64? = nil, firstReceivedAt: Int64? = nil) {
        self.count = count
        self.firstSeq = firstSeq
        self.firstReceivedAt = firstReceivedAt
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
