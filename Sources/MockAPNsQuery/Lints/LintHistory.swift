internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Runs the lints that depend on earlier pushes.
///
/// Reads the journal on demand instead of when a push arrives, visiting each push once, in order. Pushes evicted from
/// the journal before the first request for findings are skipped.
final class LintHistory: Sendable {
    private struct State {
        var memory = LintMemory()
        var epoch: UInt64 = 0
        /// The number of the last event visited.
        var cursor: UInt64 = 0

        mutating func catchUp(with journal: Journal) {
            // Read at most once per pass, when first needed.
            lazy var times = ConnectionTimes(journal.connections)
            var extent = journal.extent
            repeat {
                if extent.epoch != epoch { self = State(epoch: extent.epoch) }
                var query = PushQuery()
                query.after = cursor
                extent = journal.visit(query) { request, outline in
                    memory.note(request, outline) { times }
                    return true
                }
                // After a reset during the visit, the pushes visited and the memory belong to different epochs. Start over.
            } while extent.epoch != epoch
            cursor = max(cursor, extent.lastSeq)
            memory.forget(before: extent.firstSeq)
        }
    }

    /// Not a `Mutex` from Synchronization, because Thread Sanitizer does not support that on Linux.
    private let state = NIOLockedValueBox(State())

    /// Takes the world's lock, so do not call it while holding that lock (deadlock).
    func findings(of seq: UInt64, in journal: Journal) -> [LintFinding] {
        state.withLockedValue { state in
            // Numbers are never reused, even after a reset.
            if seq > state.cursor { state.catchUp(with: journal) }
            return state.memory.findings[seq] ?? []
        }
    }

    /// Takes the world's lock, so do not call it while holding that lock (deadlock).
    func findings(ofConnection id: UInt64, in journal: Journal) -> [LintFinding] {
        state.withLockedValue { state in
            if journal.extent.lastSeq > state.cursor { state.catchUp(with: journal) }
            return state.memory.findingsOfConnections[id, default: []].map(\.finding)
        }
    }

    func providerToken(_ text: ByteSpan) -> Result<ProviderToken, ProviderToken.Refusal> {
        state.withLockedValue { $0.memory.providerToken(text) }
    }

    var weight: Int { state.withLockedValue { $0.memory.weight } }
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
