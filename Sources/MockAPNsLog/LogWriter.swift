internal import Dispatch
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Writes the changes of a world to its store, in the background and in groups: what comes while one group is written is
/// the next one.
package final class LogWriter: ChangeLog {
    /// The settings of a writer.
    package struct Options: Sendable {
        /// How long answers wait while the store fails, in nanoseconds; then they are never sent.
        package var patience: UInt64 = 2_000_000_000
        /// The time between two attempts while the store fails, in nanoseconds.
        package var retryInterval: UInt64 = 100_000_000
        /// The number of changes and pushes after which a snapshot is written, at least; more for a large state, whose
        /// snapshot takes longer.
        package var snapshotInterval = 100_000

        package init() {}
    }

    /// About as many bytes of a state take as long to write as a push.
    private static let bytesOfPush = 256

    private let store: any WorldStore
    private let options: Options
    /// Returns the state of the world and the number of changes that have led to it.
    private let takeSnapshot: @Sendable () -> LogSnapshot
    /// Called with the error when the store begins to fail, and with `nil` when it works again.
    private let onTrouble: @Sendable (StoreError?) -> Void
    /// Returns the time in microseconds of the system's clock.
    private let now: @Sendable () -> Int64
    /// Has one task at a time: the only one that writes to the store.
    private let queue: DispatchQueue
    private let state: NIOLockedValueBox<State>

    private struct State {
        var pending: [AppliedChange] = []
        var end: UInt64
        var safeEnd: UInt64
        typealias Waiter = (end: UInt64, proceed: @Sendable (Bool) -> Void)
        var waiters: [Waiter] = []
        /// Whether a task writes, or is going to.
        var isWriting = false
        /// Since when the store has been failing, in nanoseconds of the monotonic clock; `nil` while it works.
        var failingSince: UInt64?
        /// The number of changes and pushes since the last snapshot, and from which on the next one is due.
        var sinceSnapshot = 0
        var snapshotInterval: Int
        var isClosed = false
    }

    /// Creates a writer for a store whose last change is at `position`.
    package init(
        _ store: any WorldStore,
        after position: UInt64,
        options: Options = Options(),
        name: String,
        now: @escaping @Sendable () -> Int64,
        onTrouble: @escaping @Sendable (StoreError?) -> Void = { _ in },
        snapshot: @escaping @Sendable () -> LogSnapshot
    ) {
        self.store = store
        self.options = options
        self.onTrouble = onTrouble
        self.now = now
        takeSnapshot = snapshot
        queue = DispatchQueue(label: "mock-apns.log.\(name)")
        state = NIOLockedValueBox(
            State(end: position, safeEnd: position, snapshotInterval: options.snapshotInterval)
        )
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
            if end <= state.safeEnd { return true }
            if state.isClosed { return false }
            state.waiters.append((end, proceed))
            return nil
        }
        if let isSafe { proceed(isSafe) }
    }

    /// Calls `use` while the store is not used, and blocks until then.
    func whileNotWriting(_ use: () throws(StoreError) -> Void) throws(StoreError) {
        try queue.sync { () -> Result<Void, StoreError> in
            Result { () throws(StoreError) in try use() }
        }.get()
    }

    /// Writes everything and a snapshot, and releases the store; what is appended afterwards is not kept.
    package func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                if self.state.withLockedValue({ $0.failingSince == nil }), self.writePending() {
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

    /// Does what can wait in small parts, for as long as nothing is to be written.
    private func tidy() {
        guard !state.withLockedValue({ $0.isClosed || $0.isWriting }) else { return }
        do throws(StoreError) {
            guard try store.tidy(at: now()) else { return }
        } catch {
            failed(error)
            return
        }
        queue.async { self.tidy() }
    }

    /// Writes until nothing is pending, and returns whether the store has taken it.
    private func writePending() -> Bool {
        while true {
            let (group, position) = state.withLockedValue { state in
                if state.pending.isEmpty { state.isWriting = false }
                return (state.pending, state.safeEnd)
            }
            guard !group.isEmpty else { return true }
            let entries = zip(group, (position + 1)...).map { LogEntry($0, at: $1) }
            do throws(StoreError) {
                try store.write(entries)
                wrote(entries)
                // Under load there is no other time for it.
                _ = try store.tidy(at: now())
            } catch {
                failed(error)
                return false
            }
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

    /// Writes a snapshot of the state that everything written so far has led to, and returns whether the store has
    /// taken it.
    private func writeSnapshot() -> Bool {
        let snapshot = takeSnapshot()
        // What came in between belongs to it, and must be there first.
        guard writePending() else { return false }
        do throws(StoreError) {
            try store.write(snapshot)
        } catch {
            failed(error)
            return false
        }
        state.withLockedValue { state in
            state.sinceSnapshot = 0
            state.snapshotInterval = max(options.snapshotInterval, snapshot.data.count / Self.bytesOfPush)
        }
        return true
    }

    /// Keeps what could not be written, and tries again later; whoever has waited too long waits no longer.
    private func failed(_ error: StoreError) {
        let now = DispatchTime.now().uptimeNanoseconds
        let patience = options.patience
        let (isNew, hopeless) = state.withLockedValue { state in
            let isNew = state.failingSince == nil
            let since = state.failingSince ?? now
            state.failingSince = since
            guard now - since >= patience else { return (isNew, [State.Waiter]()) }
            defer { state.waiters = [] }
            return (isNew, state.waiters)
        }
        if isNew { onTrouble(error) }
        for waiter in hopeless { waiter.proceed(false) }
        let retry = DispatchTime.now() + .nanoseconds(Int(options.retryInterval))
        queue.asyncAfter(deadline: retry) { self.write() }
    }
}
