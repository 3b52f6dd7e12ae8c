public import MockAPNsRules

/// What arrived, in order: a bounded log of every request, refused ones included.
///
/// Event loops publish a batch per read under one lock. Readers take a snapshot under that lock and read outside
/// it, so a long query delays no push.
public final class Journal: Sendable {
    /// How much is kept.
    public typealias Capacity = JournalCapacity
    /// What is in the journal, and what is not any more.
    public typealias Extent = JournalExtent
    /// Sums over everything that arrived.
    public typealias Counters = JournalCounters

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

    /// What ended a connection before it came to HTTP/2.
    public enum ConnectionFailure: Sendable {
        /// The TLS handshake.
        case handshake
        /// The largest number of connections.
        case refused
        /// A fault.
        case fault
    }

    /// A connection has ended; `failure` is for one that never came to HTTP/2.
    public func connectionClosed(
        _ connection: ConnectionRecord,
        at now: Timestamp,
        code: String,
        detail: String,
        hint: String? = nil,
        as failure: ConnectionFailure? = nil
    ) {
        core.withState { state, _ in
            switch failure {
            case .handshake: state.log.tally.failedHandshakes &+= 1
            case .refused: state.log.tally.refusedConnections &+= 1
            case .fault, nil: break
            }
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

    /// How many records of these numbers are kept.
    public func countKept(_ seqs: [UInt64]) -> Int {
        core.withState { state, _ in seqs.count { state.log.find($0) != nil } }
    }

    func snapshot() -> JournalSnapshot { core.withState { state, _ in state.log.snapshot } }
}
