/// How much is kept.
///
/// Requests that the transport refused have a tenth of it for themselves, besides.
public struct JournalCapacity: Sendable {
    /// The largest number of records.
    public var records: Int
    /// The largest sum of their sizes, in bytes.
    public var bytes: Int

    /// Creates a capacity of this many records and this many bytes in total.
    public init(records: Int = 10_000, bytes: Int = 64 << 20) {
        self.records = records
        self.bytes = bytes
    }

    /// What is kept of requests that the transport refused.
    var ofRefused: JournalCapacity { JournalCapacity(records: (records + 9) / 10, bytes: bytes / 10) }
}

/// What is in the journal, and what is not any more.
public struct JournalExtent: Equatable, Sendable {
    /// Counts resets, from 1.
    public let epoch: UInt64
    /// The number of the oldest record kept; one more than `lastSeq` if the journal is empty.
    public let firstSeq: UInt64
    /// The number of the newest event; 0 before the first.
    ///
    /// A push takes several: one for its arrival, its answer, and each step of its delivery.
    public let lastSeq: UInt64
    /// How many records were dropped to make room.
    public let evicted: UInt64
    /// From this number on, nothing was dropped to make room.
    ///
    /// Above `firstSeq` where a request that the transport refused outlived pushes after it.
    public let completeFrom: UInt64

    init(epoch: UInt64, firstSeq: UInt64, lastSeq: UInt64, evicted: UInt64, lastEvicted: UInt64 = 0) {
        self.epoch = epoch
        self.firstSeq = firstSeq
        self.lastSeq = lastSeq
        self.evicted = evicted
        completeFrom = max(firstSeq, lastEvicted + 1)
    }

    /// Returns the largest number of pushes between two numbers that may have been dropped to make room.
    ///
    /// A push takes several numbers, so fewer pushes than numbers are missing.
    package func evicted(after: UInt64, before: UInt64?) -> UInt64 {
        let end = min(before ?? .max, completeFrom)
        return min(evicted, end > after ? end - after - 1 : 0)
    }
}

/// Sums over everything that arrived since the last reset, whether it is still in the journal or not.
public struct JournalCounters: Equatable, Sendable {
    /// Requests recorded.
    public var received: UInt64 = 0
    /// Those answered 200.
    public var accepted: UInt64 = 0
    /// The others.
    public var rejected: UInt64 { received - accepted }
}
