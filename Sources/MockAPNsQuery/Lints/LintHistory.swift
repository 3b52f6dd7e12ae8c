internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// What is odd about pushes in the light of those before them.
///
/// Goes through the journal when somebody asks, not when a push comes: each push once, in order. What had left
/// the journal before anybody asked is not looked at.
///
/// `@unchecked Sendable`: nothing touches what changes without the lock. It is not Synchronization's `Mutex`,
/// which the thread sanitizer cannot follow on Linux.
final class LintHistory: @unchecked Sendable {
    private let lock = NIOLock()
    private var memory = LintMemory()
    private var epoch: UInt64 = 0
    /// The number of the last event that was looked at.
    private var cursor: UInt64 = 0
    /// Read from the journal where a push asks for it, once for all that are looked at together.
    private var times: ConnectionTimes?

    /// What was found in the push of a number.
    ///
    /// Takes the world's lock: nobody may ask who holds it.
    func findings(of seq: UInt64, in journal: Journal) -> [LintFinding] {
        lock.withLock {
            // Numbers are never given twice, not even after a reset.
            if seq > cursor { catchUp(with: journal) }
            return memory.findings[seq] ?? []
        }
    }

    /// A provider token taken apart.
    func providerToken(_ text: ByteSpan) -> Result<ProviderToken, ProviderToken.Refusal> {
        lock.withLock { memory.providerToken(text) }
    }

    /// How many things it holds.
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
            // A reset between the two: what was looked at belongs to another epoch than what is remembered.
        } while extent.epoch != epoch
        times = nil
        cursor = max(cursor, extent.lastSeq)
        memory.forget(before: extent.firstSeq)
    }

    private func connectionTimes(_ journal: Journal) -> ConnectionTimes {
        if let times { return times }
        let read = ConnectionTimes(journal.connections)
        times = read
        return read
    }
}
