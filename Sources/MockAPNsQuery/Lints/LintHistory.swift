internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Runs the lints that depend on earlier pushes.
///
/// Reads the journal on demand instead of when a push arrives, visiting each push once, in order. Pushes evicted from
/// the journal before the first request for findings are skipped.
///
/// `@unchecked Sendable`: all mutable state is protected by the lock. It is not a `Mutex` from Synchronization because
/// Thread Sanitizer does not support that on Linux.
final class LintHistory: @unchecked Sendable {
    private let lock = NIOLock()
    private var memory = LintMemory()
    private var epoch: UInt64 = 0
    /// The number of the last event visited.
    private var cursor: UInt64 = 0
    /// The connection times, read from the journal at most once per pass, when first needed.
    private var times: ConnectionTimes?

    /// Takes the world's lock, so do not call it while holding that lock (deadlock).
    func findings(of seq: UInt64, in journal: Journal) -> [LintFinding] {
        lock.withLock {
            // Numbers are never reused, even after a reset.
            if seq > cursor { catchUp(with: journal) }
            return memory.findings[seq] ?? []
        }
    }

    func providerToken(_ text: ByteSpan) -> Result<ProviderToken, ProviderToken.Refusal> {
        lock.withLock { memory.providerToken(text) }
    }

    var weight: Int { lock.withLock { memory.weight } }

    private func catchUp(with journal: Journal) {
        var extent = journal.extent
        repeat {
            if extent.epoch != epoch {
                memory = LintMemory()
                epoch = extent.epoch
                cursor = 0
            }
            var query = PushQuery()
            query.after = cursor
            extent = journal.visit(query) { request, outline in
                memory.note(request, outline) { connectionTimes(journal) }
                return true
            }
            // After a reset during the visit, the pushes visited and the memory belong to different epochs. Start over.
        } while extent.epoch != epoch
        times = nil
        cursor = max(cursor, extent.lastSeq)
        memory.forget(before: extent.firstSeq)
    }

    private func connectionTimes(_ journal: Journal) -> ConnectionTimes {
        let read = times ?? ConnectionTimes(journal.connections)
        times = read
        return read
    }
}

/// The times at which connections were opened and closed, by the system clock.
struct ConnectionTimes {
    private let connections: [UInt64: ConnectionRecord]
    private let openings: [Timestamp]
    private let endings: [Timestamp]

    init(_ all: [ConnectionRecord]) {
        connections = Dictionary(all.map { ($0.id, $0) }) { _, last in last }
        openings = all.map(\.openedAt).sorted()
        endings = all.compactMap(\.closedAt).sorted()
    }

    /// Returns whether each of these provider connections was closed before the next was opened.
    ///
    /// Returns `false` if one of them is the server's own.
    func areOneAfterTheOther(_ ids: [UInt64]) -> Bool {
        zip(ids, ids.dropFirst()).allSatisfy { id, next in
            guard let first = connections[id], let second = connections[next] else { return false }
            return !first.isOwn && !second.isOwn && first.closedAt.map { $0 <= second.openedAt } ?? false
        }
    }

    func open(at time: Timestamp) -> Int {
        openings.partitioningIndex { $0 > time } - endings.partitioningIndex { $0 > time }
    }
}
