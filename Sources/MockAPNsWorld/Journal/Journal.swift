public import MockAPNsRules

/// What arrived, in order: a bounded log of every request, refused ones included.
///
/// Event loops publish a batch per read under one lock. Readers take a snapshot under that lock and read outside
/// it, so a long query delays nobody.
public final class Journal: Sendable {
    /// How much is kept.
    public struct Capacity: Sendable {
        /// The largest number of records.
        public var records: Int
        /// The largest sum of their sizes, in bytes.
        public var bytes: Int

        /// Keeps so many records, of so many bytes together.
        public init(records: Int = 10_000, bytes: Int = 64 << 20) {
            self.records = records
            self.bytes = bytes
        }
    }

    /// What is in the journal, and what is not any more.
    public struct Extent: Equatable, Sendable {
        /// Counts resets, from 1.
        public let epoch: UInt64
        /// The number of the oldest record kept; one more than `lastSeq` when there is none.
        public let firstSeq: UInt64
        /// The number of the newest record; 0 before the first.
        public let lastSeq: UInt64
        /// How many records were dropped to make room.
        public let evicted: UInt64
    }

    /// Sums over everything that arrived, whether it is still in the journal or not.
    public struct Counters: Equatable, Sendable {
        /// Requests recorded.
        public var received: UInt64 = 0
        /// Those answered 200.
        public var accepted: UInt64 = 0
        /// The others.
        public var rejected: UInt64 { received - accepted }
    }

    struct State: ~Copyable {
        var segments: [JournalSegment] = []
        var spare: JournalSegment?
        /// Where the oldest record starts in the first segment.
        var firstOffset = 0
        var count = 0
        var bytes = 0
        var nextSeq: UInt64 = 1
        var evicted: UInt64 = 0
        var counters = Counters()
        var connections = ConnectionLog()
    }

    /// How much is kept.
    public let capacity: Capacity
    private let state = Locked(State())

    /// A journal without records.
    public init(capacity: Capacity = Capacity()) { self.capacity = capacity }

    /// Numbers the records of a batch and makes them visible to every query that begins after this.
    public func publish(_ batch: RecordBatch, at now: Timestamp) {
        guard !batch.isEmpty else { return }
        // The lock is the point: what a query sees is ordered against what a client has been answered.
        let bytes = batch.bytes
        let (count, accepted) = (batch.count, batch.accepted)
        nonisolated(unsafe) let records = bytes  // read only, and only until this call returns
        state.withLock { state in
            var rest = records
            while let start = rest.baseAddress, !rest.isEmpty {
                let length = RecordView(at: start).length
                state.append(UnsafeRawBufferPointer(rebasing: rest[..<length]), answeredAt: now.microseconds)
                rest = UnsafeRawBufferPointer(rebasing: rest[length...])
            }
            state.counters.received += UInt64(count)
            state.counters.accepted += UInt64(accepted)
            state.evict(beyond: capacity)
        }
    }

    /// What is in the journal, and what is not any more.
    public var extent: Extent { state.withLock { $0.extent } }

    /// Sums over everything that arrived.
    public var counters: Counters { state.withLock { $0.counters } }

    // MARK: Connections

    /// A connection has been opened.
    public func connectionOpened(_ connection: ConnectionRecord) {
        state.withLock { $0.connections.opened(connection) }
    }

    /// A connection has ended, or never came to anything.
    public func connectionClosed(
        _ connection: ConnectionRecord,
        at now: Timestamp,
        code: String,
        detail: String
    ) {
        state.withLock { $0.connections.closed(connection, at: now, code: code, detail: detail) }
    }

    /// The connections known, oldest first; of ended ones only the latest.
    public var connections: [ConnectionRecord] { state.withLock { $0.connections.all } }

    // MARK: Reading

    /// The stretch of a segment that a reader may look at.
    struct Stretch: Sendable {
        let segment: JournalSegment
        let start: Int
        let end: Int
    }

    /// What the journal holds at this moment.
    struct Snapshot: Sendable {
        let stretches: [Stretch]
        let extent: Extent

        /// Lends every record, oldest first, until `use` has had enough.
        func visit(_ use: (RecordView) -> Bool) {
            for stretch in stretches {
                var offset = stretch.start
                while offset < stretch.end {
                    let record = stretch.segment.record(at: offset)
                    guard use(record) else { return }
                    offset += record.length
                }
            }
        }
    }

    func snapshot() -> Snapshot {
        state.withLock { state in
            var stretches: [Stretch] = []
            stretches.reserveCapacity(state.segments.count)
            for (position, segment) in state.segments.enumerated() {
                let start = position == 0 ? state.firstOffset : 0
                stretches.append(Stretch(segment: segment, start: start, end: segment.used))
            }
            return Snapshot(stretches: stretches, extent: state.extent)
        }
    }

    func connection(_ id: UInt64) -> ConnectionRecord? { state.withLock { $0.connections[id] } }
}

extension Journal.State {
    fileprivate var extent: Journal.Extent {
        Journal.Extent(
            epoch: 1,
            firstSeq: nextSeq - UInt64(count),
            lastSeq: nextSeq - 1,
            evicted: evicted
        )
    }

    fileprivate mutating func append(_ record: UnsafeRawBufferPointer, answeredAt: Int64) {
        if segments.last?.append(record, seq: nextSeq, answeredAt: answeredAt) != true {
            let segment = takeSegment(for: record.count)
            // A fresh segment is at least as large as the record.
            _ = segment.append(record, seq: nextSeq, answeredAt: answeredAt)
            segments.append(segment)
        }
        nextSeq += 1
        count += 1
        bytes += record.count
    }

    private mutating func takeSegment(for length: Int) -> JournalSegment {
        if let spare, spare.capacity >= length {
            self.spare = nil
            return spare
        }
        return JournalSegment(capacity: max(JournalSegment.usualCapacity, length))
    }

    fileprivate mutating func evict(beyond capacity: Journal.Capacity) {
        // No segment is held on to here: one that is, is not used again.
        while count > capacity.records || bytes > capacity.bytes, !segments.isEmpty {
            let length = segments[0].record(at: firstOffset).length
            firstOffset += length
            bytes -= length
            count -= 1
            evicted += 1
            if firstOffset == segments[0].used { dropFirstSegment() }
        }
    }

    private mutating func dropFirstSegment() {
        var segment = segments.removeFirst()
        firstOffset = 0
        // A segment that a reader still holds is left to it.
        if spare == nil, isKnownUniquelyReferenced(&segment) {
            segment.removeAll()
            spare = segment
        }
    }
}
