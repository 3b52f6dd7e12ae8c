package import MockAPNsWorld
internal import NIOConcurrencyHelpers
internal import Synchronization

/// Wakes waiting requests when the journal changes.
///
/// One task listens to the journal for all of them, and only while a request waits, so the cost of a push does not
/// depend on their number.
package final class PushWatch: Sendable {
    private struct State {
        var changes: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        /// What to call when something changes, by who waits.
        var calls: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var lastWaiter: UInt64 = 0
        var users = 0
        var listening: Task<Void, Never>?
    }

    private let journal: Journal
    private let state = NIOLockedValueBox(State())
    private let waits: ClientCount

    package init(_ journal: Journal, counting waits: ClientCount) {
        self.journal = journal
        self.waits = waits
    }

    /// The number of waits and streams that listen.
    package var listeners: Int { state.withLockedValue { $0.users } }

    /// Waits until a check succeeds; it runs immediately and after every change.
    ///
    /// Runs on the system's monotonic clock, never on the world's. Holds no thread. Returns whether the check succeeded
    /// within the limit, and while the client was there.
    fileprivate func wait(
        atMost limit: Duration, stop: StopSignal, until check: () async throws(SearchFailure) -> Bool
    ) async throws(SearchFailure) -> Bool {
        if try await check() { return true }
        guard limit > .zero else { return false }
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
            let isChanged = await isChanged(after: seen, by: deadline, stop)
            if !isChanged, let cause = stop.cause {
                if cause == .clientGone { return false }
                throw .stopped(cause)
            }
            seen = changes
            isSatisfied = try await check()
            // A push that arrives at the last moment counts.
            if !isChanged { break }
        }
        return isSatisfied
    }

    /// Waits for a change, the deadline, or the stop signal, and returns whether the change came first.
    private func isChanged(after seen: UInt64, by deadline: ContinuousClock.Instant, _ stop: StopSignal) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                await self.change(after: seen)
                return true
            }
            group.addTask {
                try? await Task.sleep(until: deadline, clock: .continuous)
                return false
            }
            group.addTask {
                await stop.wait()
                return false
            }
            return await group.next() ?? false
        }
    }

    package var changes: UInt64 { state.withLockedValue { $0.changes } }

    /// Begins to listen; changes from now on are counted.
    package func begin() {
        state.withLockedValue { state in
            state.users += 1
            guard state.listening == nil else { return }
            let changes = journal.changes()
            state.listening = Task { [weak self] in for await _ in changes { self?.tell() } }
        }
    }

    /// Ends one `begin`.
    package func end() {
        let listening = state.withLockedValue { state in
            state.users -= 1
            return state.users == 0 ? state.listening.take() : nil
        }
        listening?.cancel()
    }

    private func tell() {
        let (waiters, calls) = state.withLockedValue { state in
            state.changes += 1
            defer { (state.waiters, state.calls) = ([:], [:]) }
            return (state.waiters.values, state.calls.values)
        }
        for waiter in waiters { waiter.resume() }
        for call in calls { call() }
    }

    /// Calls a function once, when `changes` is no longer `seen`: at once, or later.
    ///
    /// Holds no task meanwhile.
    package func whenChanged(after seen: UInt64, for id: ObjectIdentifier, _ call: @escaping @Sendable () -> Void) {
        let isChanged = state.withLockedValue { state in
            if state.changes == seen { state.calls[id] = call }
            return state.changes != seen
        }
        if isChanged { call() }
    }

    /// Forgets the function of `whenChanged`.
    package func forget(_ id: ObjectIdentifier) { state.withLockedValue { $0.calls[id] = nil } }

    /// Returns when `changes` is no longer `seen`, or the task is cancelled.
    package func change(after seen: UInt64) async {
        let id = state.withLockedValue { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await state.wait(at: \.waiters[id]) { $0.changes != seen }
    }
}

extension Scan {
    /// Waits until a check succeeds; it runs immediately and after every change.
    ///
    /// Others may search meanwhile. Returns whether it succeeded within the limit, in microseconds.
    package func wait(
        on watch: PushWatch, atMost limit: Int64, until check: () async throws(SearchFailure) -> Bool
    ) async throws(SearchFailure) -> Bool {
        queue.leave()
        do throws(SearchFailure) {
            let isSatisfied = try await watch.wait(atMost: .microseconds(limit), stop: presence.watch()) {
                () async throws(SearchFailure) in
                repeats()
                return try await check()
            }
            _ = await queue.enter(isRefusable: false)
            return isSatisfied
        } catch {
            _ = await queue.enter(isRefusable: false)
            throw error
        }
    }
}

package final class ClientCount: Sendable {
    private let number = Atomic<Int>(0)

    package init() {}

    package var count: Int { number.load(ordering: .relaxed) }

    package func begin() { number.add(1, ordering: .relaxed) }
    package func end() { number.subtract(1, ordering: .relaxed) }
}
