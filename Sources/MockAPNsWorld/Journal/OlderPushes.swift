package import MockAPNsFormats
internal import MockAPNsRules

/// A push as it was read from a store.
package typealias ReadPush = Result<KeptPush, DamagedPush>

extension ReadPush {
    /// Reads the push with this number.
    package init(_ seq: UInt64, _ read: () throws(ArchiveError) -> KeptPush) {
        do throws(ArchiveError) { self = .success(try read()) } catch {
            self = .failure(DamagedPush(seq: seq, reason: error))
        }
    }

    /// The number.
    package var seq: UInt64 {
        switch self {
        case .success(let push): push.seq
        case .failure(let damaged): damaged.seq
        }
    }
}

/// Why a push that a store has cannot be read.
package struct DamagedPush: Error, Equatable, Sendable, CustomStringConvertible {
    /// The number of the push.
    package let seq: UInt64
    package let reason: ArchiveError

    package init(seq: UInt64, reason: ArchiveError) { (self.seq, self.reason) = (seq, reason) }

    package var description: String { "push \(seq) cannot be read: \(reason)" }
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
    ) async throws(HistoryFailure) -> [ReadPush]

    /// Returns the pushes with these numbers, in their order.
    func pushes(numbered seqs: [UInt64]) async throws(HistoryFailure) -> [ReadPush]

    /// Returns the newest push whose response has this `apns-id`, in lower case.
    func push(apnsID: String) async throws(HistoryFailure) -> ReadPush?

    /// Returns how many pushes are kept, and the oldest; `nil` if that is damaged.
    func extent() async throws(HistoryFailure) -> HistoryExtent?

    /// Reports a push that is damaged: lists miss it.
    func isUnreadable(_ push: DamagedPush)
}
