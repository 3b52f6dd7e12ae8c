package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// An open world of a shared log; `LogTurns` controls when it may be changed.
package final class SharedWorld: ChangeLog, WorldKeeping {
    /// The name of its namespace.
    package let name: String
    package let world: World

    let store: any WorldStore
    let readFailures: ReadFailures
    let background: BackgroundWorker
    private let turns: LogTurns
    private let state: NIOLockedValueBox<State>

    private struct State {
        /// The changes of the current turn.
        var changes: [AppliedChange] = []
        /// The position after these changes.
        var end: UInt64
        var safeEnd: UInt64
        var waiters: [(end: UInt64, proceed: @Sendable (Bool) -> Void)] = []
        /// The number of changes and pushes since the last snapshot.
        var sinceSnapshot = 0
        /// After the end, whether changes count as safe that did not become safe before; `nil` until then.
        var outcome: Bool?
    }

    init(
        _ name: String, _ world: World, in store: any WorldStore, at position: UInt64, turns: LogTurns,
        onBackgroundChange: @escaping @Sendable (BackgroundWork, StoreError?) -> Void,
        onReadFailure: @escaping @Sendable (StoreError) -> Void
    ) {
        background = BackgroundWorker(pauses: turns.options.backgroundPauses, onChange: onBackgroundChange)
        readFailures = ReadFailures(onNew: onReadFailure)
        self.name = name
        self.world = world
        self.store = store
        self.turns = turns
        state = NIOLockedValueBox(State(end: position, safeEnd: position))
    }

    package var trouble: StoreError? { turns.trouble }

    package var readFailure: StoreError? { readFailures.latest }

    package var backgroundFailure: StoreError? { background.failure }

    package func check() {}

    package func enter() async -> (@Sendable () -> Void)? {
        let entry = await turns.enter()
        if entry.mayChange { return { entry.leave() } }
        entry.leave()
        return nil
    }

    package func catchUp() async -> Bool { await turns.catchUp() }

    package func write(properties: [String: String]) async throws(StoreError) {
        try await turns.stores.threads.run { [store] () throws(StoreError) in try store.write(properties: properties) }
    }

    package func abandon(_ delete: @escaping @Sendable () throws(StoreError) -> Void) async throws(StoreError) {
        // What the current turn has changed is not written any more.
        turns.remove(self)
        do throws(StoreError) { try await turns.stores.threads.run(delete) } catch {
            await end(isSafe: false)
            throw error
        }
        await end(isSafe: true)
    }

    package func close() async {
        turns.remove(self)
        await end(isSafe: false)
    }

    private func end(isSafe: Bool) async {
        let isNew = state.withLockedValue { state in
            defer { state.outcome = state.outcome ?? isSafe }
            return state.outcome == nil
        }
        guard isNew else { return }
        for waiter in waiters(upTo: .max) { waiter(isSafe) }
        world.log(to: nil)
        do throws(StoreError) { try await turns.stores.threads.run { [store] in store.close() } } catch {
            // The server is stopping: the log closes everything.
        }
    }

    // MARK: The log of the world

    package var isShared: Bool { true }

    package var end: UInt64 { state.withLockedValue { $0.end } }

    package func append(_ change: AppliedChange) {
        state.withLockedValue { state in
            state.changes.append(change)
            state.end += 1
        }
    }

    package func whenSafe(_ end: UInt64, _ proceed: @escaping @Sendable (Bool) -> Void) {
        let isSafe: Bool? = state.withLockedValue { state in
            if end <= state.safeEnd { return true }
            if state.outcome == nil { state.waiters.append((end, proceed)) }
            return state.outcome
        }
        if let isSafe { proceed(isSafe) }
    }

    package func whenOpen(_ use: @escaping @Sendable () -> Void) {
        turns.enter(waitsForRecovery: true) { entry in
            use()
            entry.leave()
        }
    }

    // MARK: For turns

    /// The position of the last change that is applied and in the log.
    var position: UInt64 { state.withLockedValue { $0.safeEnd } }

    /// Removes the changes of the ending turn, and returns them as entries.
    func takeEntries() -> [LogEntry] {
        let (changes, position) = state.withLockedValue { state in
            defer { state.changes = [] }
            return (state.changes, state.safeEnd)
        }
        return zip(changes, (position + 1)...).map { LogEntry($0, at: $1) }
    }

    /// Marks the changes up to a position as safe, and resumes their waiters.
    func isSafe(upTo position: UInt64, adding weight: Int) {
        state.withLockedValue { state in
            state.safeEnd = position
            state.end = max(state.end, position)
            state.sinceSnapshot += weight
        }
        for waiter in waiters(upTo: position) { waiter(true) }
    }

    /// Moves the world to the position of its reloaded state, and drops changes that were not written.
    func replaced(at position: UInt64) {
        state.withLockedValue { state in
            state.changes = []
            (state.end, state.safeEnd) = (position, position)
        }
        giveUp()
    }

    /// Tells all waiters that their changes may never be safe.
    func giveUp() { for waiter in waiters(upTo: .max) { waiter(false) } }

    /// The number of changes and pushes since the last snapshot that was written.
    var sinceSnapshot: Int { state.withLockedValue { $0.sinceSnapshot } }

    func isSnapshotDue(_ interval: Int) -> Bool { sinceSnapshot >= interval }

    /// Notes that a snapshot was written, which includes this number of changes and pushes.
    func wroteSnapshot(of weight: Int) { state.withLockedValue { $0.sinceSnapshot -= weight } }

    private func waiters(upTo position: UInt64) -> [@Sendable (Bool) -> Void] {
        state.withLockedValue { state in
            let ready = state.waiters.filter { $0.end <= position }
            state.waiters.removeAll { $0.end <= position }
            return ready.map(\.proceed)
        }
    }
}
