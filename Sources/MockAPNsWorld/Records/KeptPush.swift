package import MockAPNsFormats
package import MockAPNsRules

/// A push of a store, with everything that has happened to its notification.
package struct KeptPush: Equatable, Sendable {
    /// The number.
    package let seq: UInt64
    /// The number of the change that added it.
    package let position: UInt64
    /// The record, or why its row cannot be read.
    package let record: Result<KeptRecord, ArchiveError>
    /// The later steps, by ascending number.
    package var steps: [LoggedStep]
    /// What became of the broadcast, encoded; `nil` for other pushes.
    package var fanOut: [UInt8]?

    package init(_ record: KeptRecord, at position: UInt64, steps: [LoggedStep] = [], fanOut: [UInt8]? = nil) {
        (seq, self.position, self.record) = (record.seq, position, .success(record))
        (self.steps, self.fanOut) = (steps, fanOut)
    }

    /// Reads a push from its row, of which these are the columns `PushColumn.read`; it has no steps yet.
    package init(
        seq: UInt64, at position: UInt64, receivedAt: Int64, answeredAt: Int64, reason: ByteSpan, headers: ByteSpan,
        body: ByteSpan, facts: ByteSpan
    ) {
        (self.seq, self.position, steps) = (seq, position, [])
        record = Result { () throws(ArchiveError) in
            try KeptRecord(
                seq: seq, receivedAt: receivedAt, answeredAt: answeredAt, reason: reason, headers: headers, body: body,
                facts: facts)
        }
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

/// The reason why a store could not be read, so that it is not known which pushes it has.
package struct HistoryFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was seen and how to fix it.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The pushes of a world that a store keeps, also those that have left the journal's memory.
///
/// Pushes that are damaged are left out and reported.
package protocol OlderPushes: Sendable {
    /// Returns the first pushes with these numbers that can match a query, in its order.
    ///
    /// There may be more than match: the caller examines each.
    func pushes(
        _ query: PushQuery, in range: Range<UInt64>, atMost most: Int
    ) async throws(HistoryFailure) -> [KeptPush]

    /// Returns the pushes with these numbers, in their order.
    func pushes(numbered seqs: [UInt64]) async throws(HistoryFailure) -> [KeptPush]

    /// Returns the newest push whose response has this `apns-id`, in lower case.
    func push(apnsID: String) async throws(HistoryFailure) -> KeptPush?

    /// Returns how many pushes are kept, and the oldest; `nil` if that is damaged.
    func extent() async throws(HistoryFailure) -> HistoryExtent?

    /// Reports a push that is kept, but is damaged: lists miss it.
    func isUnreadable(_ push: UInt64, _ error: ArchiveError)
}
