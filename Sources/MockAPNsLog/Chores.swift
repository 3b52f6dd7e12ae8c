internal import Dispatch
internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The background work of a replica, on a thread of its own: it writes snapshots and tidies the stores.
///
/// Changes never wait for it, however long the database takes.
final class Chores: Sendable {
    private static let interval: UInt64 = 1_000_000_000

    private struct State {
        var isRunning = false
        /// When to tidy next, in nanoseconds of the monotonic clock.
        var tidyAt: UInt64 = 0
    }

    private let turns: LogTurns
    private let queue = DispatchQueue(label: "mock-apns.chores")
    private let state = NIOLockedValueBox(State())

    init(of turns: LogTurns) { self.turns = turns }

    /// Starts what is due, unless it is running.
    ///
    /// Called between turns, when worlds have no unwritten changes.
    func startIfDue(_ worlds: [SharedWorld]) {
        let now = DispatchTime.now().uptimeNanoseconds
        let (isFree, isTidyDue) = state.withLockedValue { (!$0.isRunning, now >= $0.tidyAt) }
        guard isFree else { return }
        let interval = turns.options.snapshotInterval
        // One at a time: the bytes wait in memory until they are written.
        let snapshot = worlds.first { $0.isSnapshotDue(interval) && !$0.background.isPaused(.snapshot) }.map { world in
            (world: world, weight: world.sinceSnapshot, data: LogSnapshot(of: world.world, turns.material))
        }
        guard isTidyDue || snapshot != nil else { return }
        state.withLockedValue { $0.isRunning = true }
        queue.async { [self] in
            if let snapshot {
                _ = snapshot.world.background.attempt(.snapshot) { () throws(StoreError) in
                    try snapshot.world.store.write(snapshot.data)
                    snapshot.world.wroteSnapshot(of: snapshot.weight)
                    return false
                }
            }
            var hasMore = false
            for world in worlds where isTidyDue {
                let time = world.world.clock.read().system.microseconds
                let outcome = world.background.attempt(.tidying) { () throws(StoreError) in
                    try world.store.tidy(at: time, keeping: world.world.journal.pins)
                }
                if outcome == .hasMore { hasMore = true }
            }
            state.withLockedValue { [hasMore] state in
                state.isRunning = false
                let now = DispatchTime.now().uptimeNanoseconds
                if isTidyDue { state.tidyAt = hasMore ? now : now + Self.interval }
            }
        }
    }

    /// Waits until nothing is running.
    func finish() { queue.sync {} }
}
