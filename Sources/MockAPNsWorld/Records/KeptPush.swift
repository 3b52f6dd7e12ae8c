package import MockAPNsFormats

/// A push of a store, with everything that has happened to its notification.
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

/// The pushes of a world that a store keeps, also those that have left the journal's memory.
///
/// Its calls block, for any number of threads. One that fails gives nothing and reports the failure itself.
package protocol OlderPushes: Sendable {
    /// Returns the first pushes with these numbers that can match a query, in its order.
    ///
    /// There may be more than match: the caller examines each.
    func pushes(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) -> [KeptPush]

    /// Returns a push by its number.
    func push(seq: UInt64) -> KeptPush?

    /// Returns the newest push whose response has this `apns-id`, in lower case.
    func push(apnsID: String) -> KeptPush?

    /// How many pushes are kept, and the oldest; `nil` if that could not be read.
    var extent: HistoryExtent? { get }

    /// Reports a push that is kept, but is damaged: lists miss it.
    func isUnreadable(_ push: UInt64, _ error: ArchiveError)
}
