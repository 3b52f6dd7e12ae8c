/// The limits of a journal.
///
/// Requests that the transport rejected are limited separately, to a tenth of these.
public struct JournalCapacity: Sendable {
    /// The maximum number of records.
    public var records: Int
    /// The maximum total size, in bytes.
    public var bytes: Int

    /// Creates a capacity of this many records and this many bytes in total.
    public init(records: Int = 10_000, bytes: Int = 64 << 20) {
        self.records = records
        self.bytes = bytes
    }

    var ofRefused: JournalCapacity { JournalCapacity(records: (records + 9) / 10, bytes: bytes / 10) }
}

/// The range of records in a journal.
public struct JournalExtent: Equatable, Sendable {
    /// The number of resets, plus 1.
    public let epoch: UInt64
    /// The number of the oldest record; one more than `lastSeq` if the journal is empty.
    public let firstSeq: UInt64
    /// The number of the newest event; 0 if there is none.
    ///
    /// A push has several numbers: for its arrival, its response, and each step of its delivery.
    public let lastSeq: UInt64
    /// The number of evicted records.
    public let evicted: UInt64
    /// The number from which on nothing was evicted.
    ///
    /// It is above `firstSeq` if a request that the transport rejected is older than evicted pushes.
    public let completeFrom: UInt64

    init(epoch: UInt64, firstSeq: UInt64, lastSeq: UInt64, evicted: UInt64, lastEvicted: UInt64 = 0) {
        self.epoch = epoch
        self.firstSeq = firstSeq
        self.lastSeq = lastSeq
        self.evicted = evicted
        completeFrom = max(firstSeq, lastEvicted + 1)
    }

    /// Returns the maximum number of evicted pushes between two numbers, of which each push has several.
    package func evicted(after: UInt64, before: UInt64?) -> UInt64 {
        let end = min(before ?? .max, completeFrom)
        return min(evicted, end > after ? end - after - 1 : 0)
    }
}

/// The counts of all requests since the last reset, including evicted ones.
public struct JournalCounters: Equatable, Sendable {
    /// Requests recorded.
    public var received: UInt64 = 0
    /// Requests answered with 200.
    public var accepted: UInt64 = 0
    /// Requests with another response.
    public var rejected: UInt64 { received - accepted }
}
