public import MockAPNsRules

/// What arrived, in order: a bounded log of every request, refused ones included.
///
/// Event loops publish a batch per read under one lock. Readers take a snapshot under that lock and read outside
/// it, so a long query delays nobody.
public final class Journal: Sendable {
    /// How much is kept.
    ///
    /// Requests that the transport refused have a tenth of it for themselves, besides.
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

        /// What is kept of requests that the transport refused.
        var ofRefused: Capacity { Capacity(records: (records + 9) / 10, bytes: bytes / 10) }
    }

    /// What is in the journal, and what is not any more.
    public struct Extent: Equatable, Sendable {
        /// Counts resets, from 1.
        public let epoch: UInt64
        /// The number of the oldest record kept; one more than `lastSeq` when there is none.
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
    public struct Counters: Equatable, Sendable {
        /// Requests recorded.
        public var received: UInt64 = 0
        /// Those answered 200.
        public var accepted: UInt64 = 0
        /// The others.
        public var rejected: UInt64 { received - accepted }
    }

    let core: WorldCore

    /// How much is kept.
    public let capacity: Capacity

    init(core: WorldCore, capacity: Capacity) {
        self.core = core
        self.capacity = capacity
    }

    /// Numbers the records of a batch, makes them visible to every query that begins after this, and delivers
    /// their notifications.
    ///
    /// A batch that was judged before a reset leaves no trace.
    ///
    /// - Parameters:
    ///   - batch: the records.
    ///   - time: when they were answered; now, where nothing is given.
    public func publish(_ batch: RecordBatch, at time: WorldClock.Reading? = nil) {
        guard !batch.isEmpty else { return }
        // The lock is the point: what a query sees is ordered against what a client has been answered.
        let accepted = batch.accepted
        let (epoch, deviceEpoch) = (batch.epoch, batch.deviceEpoch)
        nonisolated(unsafe) let records = batch.bytes  // read only, and only until this call returns
        core.withState { state, _ in
            guard epoch == state.log.epoch else { return }
            // Read under the lock, so that a later number never has an earlier time.
            let time = time ?? core.clock.read()
            state.publish(records, accepted: accepted, deviceEpoch: deviceEpoch, at: time)
        }
    }

    /// What is in the journal, and what is not any more.
    public var extent: Extent { core.withState { state, _ in state.log.extent } }

    /// Sums over everything that arrived.
    public var counters: Counters { core.withState { state, _ in state.log.counters } }

    // MARK: Connections

    /// A connection has been opened.
    public func connectionOpened(_ connection: ConnectionRecord) {
        core.withState { state, _ in
            state.log.connections.opened(connection)
            state.happened(.connectionOpened(connection.id))
            state.log.tally.connections &+= 1
            if connection.tlsVersion != nil { state.log.tally.handshakes &+= 1 }
        }
    }

    /// What a connection came to grief over before it came to HTTP/2.
    public enum ConnectionFailure: Sendable {
        /// The TLS handshake.
        case handshake
        /// The largest number of connections.
        case refused
        /// A fault.
        case fault
    }

    /// A connection has ended before it came to HTTP/2.
    public func connectionFailed(
        _ connection: ConnectionRecord,
        at now: Timestamp,
        code: String,
        detail: String,
        hint: String? = nil,
        as failure: ConnectionFailure
    ) {
        core.withState { state, _ in
            switch failure {
            case .handshake: state.log.tally.failedHandshakes &+= 1
            case .refused: state.log.tally.refusedConnections &+= 1
            case .fault: break
            }
        }
        connectionClosed(connection, at: now, code: code, detail: detail, hint: hint)
    }

    /// A connection has ended, or never came to anything.
    public func connectionClosed(
        _ connection: ConnectionRecord,
        at now: Timestamp,
        code: String,
        detail: String,
        hint: String? = nil
    ) {
        core.withState { state, _ in
            state.log.connections.closed(connection, at: now, code: code, detail: detail, hint: hint)
            state.happened(.connectionClosed(connection.id))
        }
    }

    /// The connections known, oldest first; of ended ones only the latest.
    public var connections: [ConnectionRecord] { core.withState { state, _ in state.log.connections.all } }

    /// How many connections there were, those forgotten included.
    public var connectionCount: UInt64 { core.withState { state, _ in state.log.connections.total } }

    /// The connection of this number; `nil` when it is not known any more.
    public func connection(_ id: UInt64) -> ConnectionRecord? {
        core.withState { state, _ in state.log.connections[id] }
    }

    // MARK: Reading

    /// The records of a segment that a reader may look at.
    struct Stretch: Sendable {
        let segment: JournalSegment
        let entries: ContiguousArray<JournalEntry>.SubSequence
    }

    /// A record in a snapshot, with what was known of it then.
    struct Found {
        let record: RecordView
        let entry: JournalEntry
    }

    /// What the journal holds at this moment.
    struct Snapshot: Sendable {
        let stretches: [Stretch]
        /// The requests that the transport refused.
        let refused: [Stretch]
        let extent: Extent

        /// Lends every record after number `after`, oldest first, until `use` has had enough.
        func visit(after: UInt64 = 0, _ use: (RecordView, JournalEntry) -> Bool) {
            var walk = JournalWalk(self, after: after)
            while let found = walk.next() {
                guard use(found.record, found.entry) else { return }
            }
        }
    }

    /// How many records of these numbers are kept.
    public func countKept(_ seqs: [UInt64]) -> Int {
        core.withState { state, _ in seqs.count { state.log.find($0) != nil } }
    }

    func snapshot() -> Snapshot { core.withState { state, _ in state.log.snapshot } }
}
