public import MockAPNsRules

/// The bounded log of all requests in order, including rejected ones.
///
/// Event loops publish a batch per read under one lock. Readers take a snapshot under that lock and read
/// outside it, so a long query delays no push.
public final class Journal: Sendable {
    /// The limits of the journal.
    public typealias Capacity = JournalCapacity
    /// The range of records in the journal.
    public typealias Extent = JournalExtent
    /// Counts of all requests.
    public typealias Counters = JournalCounters

    let core: WorldCore

    /// The limits of the journal.
    public let capacity: Capacity

    init(core: WorldCore, capacity: Capacity) {
        self.core = core
        self.capacity = capacity
    }

    /// Assigns numbers to a batch, makes it visible to every later query, and delivers its notifications.
    ///
    /// A batch that was judged before a reset is dropped.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - time: When they were answered; the current time by default.
    public func publish(_ batch: RecordBatch, at time: WorldClock.Reading? = nil) {
        guard !batch.isEmpty else { return }
        // The lock orders queries and responses: a query sees every push whose client has its response.
        let accepted = batch.accepted
        let (epoch, deviceEpoch) = (batch.epoch, batch.deviceEpoch)
        nonisolated(unsafe) let records = batch.bytes  // only read, and only until this call returns
        core.withState { state, _ in
            guard epoch == state.log.epoch else { return }
            // Read under the lock, so that numbers and times have the same order.
            let time = time ?? core.clock.read()
            state.publish(records, accepted: accepted, deviceEpoch: deviceEpoch, at: time)
        }
    }

    /// The range of records in the journal.
    public var extent: Extent { core.withState { state, _ in state.log.extent } }

    /// The counts of all requests.
    public var counters: Counters { core.withState { state, _ in state.log.counters } }

    // MARK: Connections

    /// Records that a connection was opened.
    public func connectionOpened(_ connection: ConnectionRecord) {
        core.withState { state, _ in
            state.log.connections.opened(connection)
            state.happened(.connectionOpened(connection.id))
            state.log.tally.connections &+= 1
            if connection.tlsVersion != nil { state.log.tally.handshakes &+= 1 }
        }
    }

    /// The reason why a connection did not get to HTTP/2.
    public enum ConnectionFailure: Sendable {
        /// The TLS handshake failed.
        case handshake
        /// There were too many connections.
        case refused
        /// A fault ended it.
        case fault
    }

    /// Records that a connection has ended; `failure` is set if it did not get to HTTP/2.
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

    /// The known connections, oldest first; of the ended ones, only the latest are kept.
    public var connections: [ConnectionRecord] { core.withState { state, _ in state.log.connections.all } }

    /// The number of connections so far, including those that are no longer kept.
    public var connectionCount: UInt64 { core.withState { state, _ in state.log.connections.total } }

    /// Returns the connection with this number; `nil` if it is unknown or no longer kept.
    public func connection(_ id: UInt64) -> ConnectionRecord? {
        core.withState { state, _ in state.log.connections[id] }
    }

    // MARK: Reading

    /// Returns how many records with these numbers are in the journal.
    public func countKept(_ seqs: [UInt64]) -> Int {
        core.withState { state, _ in seqs.count { state.log.find($0) != nil } }
    }

    func snapshot() -> JournalSnapshot { core.withState { state, _ in state.log.snapshot } }
}
