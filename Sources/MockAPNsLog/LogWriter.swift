internal import Dispatch
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Writes the changes of a world to its store in the background.
///
/// Changes that arrive while one group is being written form the next group.
package final class LogWriter: ChangeLog {
    /// The settings of a writer.
    package struct Options: Sendable {
        /// How long responses wait while the store fails, in nanoseconds; after that, they are never sent.
        package var timeout: UInt64 = 2_000_000_000
        /// The time between two attempts while the store fails, in nanoseconds.
        package var retryInterval: UInt64 = 100_000_000
        /// The minimum number of changes and pushes between two snapshots.
        ///
        /// A large state, whose snapshot takes longer to write, raises the number.
        package var snapshotInterval = 100_000
        /// The first and the longest pause after background work has failed, in nanoseconds.
        package var backgroundPauses: ClosedRange<UInt64> = 1_000_000_000...300_000_000_000

        package init() {}
    }

    /// The approximate number of snapshot bytes that take as long to write as one push.
    private static let bytesOfPush = 256

    private let store: any WorldStore
    private let options: Options
    /// Returns the current state of the world and its position.
    private let takeSnapshot: @Sendable () -> LogSnapshot
    /// Called with the error when the store starts to fail, and with `nil` when it works again.
    private let onTrouble: @Sendable (StoreError?) -> Void
    private let background: BackgroundWorker
    /// Returns the time in microseconds of the system clock.
    private let now: @Sendable () -> Int64
    /// The pushes that tidying must keep.
    private let pins: @Sendable () -> Set<UInt64>
    /// The serial queue for all writes to the store.
    private let queue: DispatchQueue
    private let state: NIOLockedValueBox<State>

    private struct State {
        var pending: [AppliedChange] = []
        var end: UInt64
        var safeEnd: UInt64
        typealias Waiter = (end: UInt64, proceed: @Sendable (Bool) -> Void)
        var waiters: [Waiter] = []
        /// Whether a write is running or scheduled.
        var isWriting = false
        /// When the store started to fail, in nanoseconds of the monotonic clock; `nil` while it works.
        var failingSince: UInt64?
        /// Whether the next attempt after a failure is scheduled.
        var isRetryScheduled = false
        /// The number of changes and pushes since the last snapshot, and the number at which the next one is due.
        var sinceSnapshot = 0
        var snapshotInterval: Int
        var isClosed = false
        /// Whether the store's data was deleted, so that all changes count as safe.
        var isAbandoned = false
    }

    /// Creates a writer for a store whose last change is at `position`, and whose newest snapshot at `snapshotPosition`.
    package init(
        _ store: any WorldStore, after position: UInt64, snapshotAt snapshotPosition: UInt64? = nil,
        options: Options = Options(), name: String, now: @escaping @Sendable () -> Int64,
        pins: @escaping @Sendable () -> Set<UInt64> = { [] },
        onTrouble: @escaping @Sendable (StoreError?) -> Void = { _ in },
        onBackgroundChange: @escaping @Sendable (BackgroundWork, StoreError?) -> Void = { _, _ in },
        snapshot: @escaping @Sendable () -> LogSnapshot
    ) {
        self.store = store
        self.options = options
        self.onTrouble = onTrouble
        self.now = now
        self.pins = pins
        takeSnapshot = snapshot
        queue = DispatchQueue(label: "mock-apns.log.\(name)")
        background = BackgroundWorker(pauses: options.backgroundPauses, onChange: onBackgroundChange)
        var state = State(end: position, safeEnd: position, snapshotInterval: options.snapshotInterval)
        state.sinceSnapshot = Int(clamping: position - min(position, snapshotPosition ?? position))
        self.state = NIOLockedValueBox(state)
    }

    package var end: UInt64 { state.withLockedValue { $0.end } }

    package func append(_ change: AppliedChange) {
        let mustStart = state.withLockedValue { state in
            state.end += 1
            guard !state.isClosed else { return false }
            state.pending.append(change)
            guard !state.isWriting else { return false }
            state.isWriting = true
            return true
        }
        if mustStart { queue.async { self.write() } }
    }

    package func whenSafe(_ end: UInt64, _ proceed: @escaping @Sendable (Bool) -> Void) {
        let isSafe: Bool? = state.withLockedValue { state in
            if end <= state.safeEnd || state.isAbandoned { return true }
            if state.isClosed { return false }
            state.waiters.append((end, proceed))
            return nil
        }
        if let isSafe { proceed(isSafe) }
    }

    /// The reason why background work fails; `nil` if it works.
    var backgroundFailure: StoreError? { background.failure }

    /// Checks that the store still has its files; if not, changes are refused until it has.
    ///
    /// Call this once a second, so that a loss is noticed without a change.
    func check() { do throws(StoreError) { try store.check() } catch { queue.async { self.write() } } }

    /// Waits until no write is running, then calls `use`.
    func whileNotWriting(_ use: () throws(StoreError) -> Void) throws(StoreError) {
        try queue.sync { () -> Result<Void, StoreError> in Result { () throws(StoreError) in try use() } }.get()
    }

    /// Releases the store and calls `delete`, which deletes its data; then all changes count as safe.
    ///
    /// If `delete` throws, those that are not safe yet never are.
    func abandon(_ delete: @escaping @Sendable () throws(StoreError) -> Void) async throws(StoreError) {
        let outcome = await withCheckedContinuation { continuation in
            queue.async {
                self.store.close()
                let outcome = Result { () throws(StoreError) in try delete() }
                let isAbandoned = (try? outcome.get()) != nil
                let waiters = self.state.withLockedValue { state in
                    (state.isClosed, state.isAbandoned, state.pending) = (true, isAbandoned, [])
                    defer { state.waiters = [] }
                    return state.waiters
                }
                for waiter in waiters { waiter.proceed(isAbandoned) }
                continuation.resume(returning: outcome)
            }
        }
        try outcome.get()
    }

    /// Writes all pending changes, and a snapshot if there were changes since the last, unless the store is failing;
    /// then releases the store.
    ///
    /// Changes that are appended afterwards are not stored. After `abandon`, it does nothing.
    package func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                guard !self.state.withLockedValue({ $0.isClosed }) else { return continuation.resume() }
                if self.state.withLockedValue({ $0.failingSince == nil }), self.writePending(),
                    self.state.withLockedValue({ $0.sinceSnapshot > 0 })
                {
                    _ = self.writeSnapshot()
                }
                let waiters = self.state.withLockedValue { state in
                    state.isClosed = true
                    defer { state.waiters = [] }
                    return state.waiters
                }
                for waiter in waiters { waiter.proceed(false) }
                self.store.close()
                continuation.resume()
            }
        }
    }

    // MARK: On the queue

    private func write() {
        guard !state.withLockedValue({ $0.isClosed }), writePending() else { return }
        let isDue = state.withLockedValue { $0.sinceSnapshot >= $0.snapshotInterval }
        guard !isDue || writeSnapshot() else { return }
        let hasRecovered = state.withLockedValue { $0.failingSince.take() != nil }
        if hasRecovered { onTrouble(nil) }
        tidy()
    }

    /// Tidies in small steps, until a write is scheduled.
    private func tidy() {
        guard !state.withLockedValue({ $0.isClosed || $0.isWriting }), tidyStep() else { return }
        queue.async { self.tidy() }
    }

    /// Does one step of tidying, and returns whether more may remain.
    private func tidyStep() -> Bool {
        attempt(.tidying) { () throws(StoreError) in try store.tidy(at: now(), keeping: pins()) } == .hasMore
    }

    /// Runs background work, and schedules the next attempt if it fails.
    private func attempt(_ work: BackgroundWork, _ step: () throws(StoreError) -> Bool) -> BackgroundWorker.Outcome {
        let outcome = background.attempt(work, step)
        if case .failed(let pause) = outcome {
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: pause))) { self.write() }
        }
        return outcome
    }

    /// Writes until no change is pending, and returns whether that succeeded.
    private func writePending() -> Bool {
        while true {
            let (group, position) = state.withLockedValue { state in
                if state.pending.isEmpty { state.isWriting = false }
                return (state.pending, state.safeEnd)
            }
            let entries = zip(group, (position + 1)...).map { LogEntry($0, at: $1) }
            do throws(StoreError) {
                try store.check()
                guard !entries.isEmpty else { return true }
                try store.write(entries)
            } catch {
                failed(error)
                return false
            }
            wrote(entries)
            // Under constant load, `tidy()` is never reached with an idle queue.
            _ = tidyStep()
        }
    }

    private func wrote(_ entries: [LogEntry]) {
        let ready = state.withLockedValue { state in
            state.pending.removeFirst(entries.count)
            state.safeEnd += UInt64(entries.count)
            state.sinceSnapshot += entries.reduce(0) { $0 + 1 + $1.pushCount }
            let end = state.safeEnd
            defer { state.waiters.removeAll { $0.end <= end } }
            return state.waiters.filter { $0.end <= end }
        }
        for waiter in ready { waiter.proceed(true) }
    }

    /// Writes a snapshot of the current state; returns `false` if changes that must come first could not be written.
    private func writeSnapshot() -> Bool {
        var isWritten = true
        _ = attempt(.snapshot) { () throws(StoreError) in
            let snapshot = takeSnapshot()
            // The snapshot includes changes that arrived meanwhile, so write these first.
            isWritten = writePending()
            guard isWritten else { return true }
            try store.write(snapshot)
            state.withLockedValue { state in
                // What came after it was taken is not in it.
                state.sinceSnapshot = Int(clamping: state.safeEnd - min(state.safeEnd, snapshot.position))
                state.snapshotInterval = max(options.snapshotInterval, snapshot.data.count / Self.bytesOfPush)
            }
            return false
        }
        return isWritten
    }

    /// Schedules a retry of the pending changes, and gives up on waiters once the store has failed for too long.
    private func failed(_ error: StoreError) {
        let now = DispatchTime.now().uptimeNanoseconds
        let timeout = options.timeout
        let (isNew, hopeless) = state.withLockedValue { state in
            let isNew = state.failingSince == nil
            let since = state.failingSince ?? now
            state.failingSince = since
            guard now - since >= timeout else { return (isNew, [State.Waiter]()) }
            defer { state.waiters = [] }
            return (isNew, state.waiters)
        }
        if isNew { onTrouble(error) }
        for waiter in hopeless { waiter.proceed(false) }
        let mustSchedule = state.withLockedValue { state in
            defer { state.isRetryScheduled = true }
            return !state.isRetryScheduled
        }
        guard mustSchedule else { return }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(options.retryInterval))) {
            self.state.withLockedValue { $0.isRetryScheduled = false }
            self.write()
        }
    }
}
