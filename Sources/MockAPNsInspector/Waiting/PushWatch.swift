internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Wakes those who wait for pushes.
///
/// The journal is listened to only while somebody waits; then one task listens for all of them, so a push costs the
/// same however many there are.
final class PushWatch: Sendable {
    /// Why a wait is over.
    enum End: Equatable, Sendable {
        /// What was waited for has happened.
        case satisfied
        case timedOut
        case stopped(StreamStop.Cause)
    }

    private struct State {
        /// Counts the changes told of.
        var changes: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
        var users = 0
        var listening: Task<Void, Never>?
    }

    private let journal: Journal
    private let state = NIOLockedValueBox(State())

    private let waits: ClientCount

    /// - Parameters:
    ///   - journal: what is listened to.
    ///   - waits: counts those who wait.
    init(_ journal: Journal, counting waits: ClientCount) {
        self.journal = journal
        self.waits = waits
    }

    /// How many waits and streams there are that listen.
    var listeners: Int { state.withLockedValue { $0.users } }

    /// Waits until a check succeeds, which is made at once and after every change.
    ///
    /// Runs on the system's monotonic clock, never on the world's. Holds no thread.
    ///
    /// - Parameters:
    ///   - limit: the longest wait.
    ///   - stop: ends the wait early.
    ///   - check: what is waited for.
    /// - Returns: why the wait is over.
    /// - Throws: what the check throws.
    func wait(
        atMost limit: Duration,
        stop: StreamStop,
        until check: () async throws(SearchFailure) -> Bool
    ) async throws(SearchFailure) -> End {
        if try await check() { return .satisfied }
        guard limit > .zero else { return .timedOut }
        begin()
        waits.begin()
        defer {
            waits.end()
            end()
        }
        // Read before the check, so that no change falls between the two.
        var seen = changes
        var isSatisfied = try await check()
        let deadline = ContinuousClock.now + limit
        while !isSatisfied {
            let wake = await wake(after: seen, by: deadline, stop)
            if wake == .stopped, let cause = stop.cause { return .stopped(cause) }
            seen = changes
            isSatisfied = try await check()
            // What came at the last moment counts.
            if wake != .changed, !isSatisfied { return .timedOut }
        }
        return .satisfied
    }

    private enum Wake { case changed, timedOut, stopped }

    /// Waits for a change since so many, a moment, or the end of the wait, whichever comes first.
    private func wake(
        after seen: UInt64,
        by deadline: ContinuousClock.Instant,
        _ stop: StreamStop
    ) async -> Wake {
        await withTaskGroup(of: Wake.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                await self.change(after: seen)
                return .changed
            }
            group.addTask {
                try? await Task.sleep(until: deadline, clock: .continuous)
                return .timedOut
            }
            group.addTask {
                await stop.wait()
                return .stopped
            }
            return await group.next() ?? .timedOut
        }
    }

    /// How many changes have been told of.
    var changes: UInt64 { state.withLockedValue { $0.changes } }

    /// Somebody waits from now on: what happens after this is told of.
    func begin() {
        state.withLockedValue { state in
            state.users += 1
            guard state.listening == nil else { return }
            let changes = journal.changes()
            state.listening = Task { [weak self] in
                for await _ in changes { self?.tell() }
            }
        }
    }

    /// Who has begun to wait waits no longer.
    func end() {
        let listening = state.withLockedValue { state in
            state.users -= 1
            return state.users == 0 ? state.listening.take() : nil
        }
        listening?.cancel()
    }

    private func tell() {
        let waiters = state.withLockedValue { state in
            state.changes += 1
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when there has been a change since so many, or the task is cancelled.
    func change(after seen: UInt64) async {
        let id = state.withLockedValue { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLockedValue { state in
                    let isOver = state.changes != seen || Task.isCancelled
                    if !isOver { state.waiters[id] = waiter }
                    return isOver
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            state.withLockedValue { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
