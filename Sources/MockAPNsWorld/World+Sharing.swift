internal import MockAPNsRules

/// A world that several servers change: each applies the changes of the others, and its own while the world is open.
extension World {
    /// Calls `use` once, from any thread, when the world may be changed.
    func whenOpen(_ use: @escaping @Sendable () -> Void) {
        guard let changeLog = withState({ state, _ in state.changeLog }) else { return use() }
        changeLog.whenOpen(use)
    }

    /// Lets the world be changed, and carries out what is due and a part of what is pending.
    ///
    /// Returns `false` if something has changed it while it was closed: it stays closed then.
    package func open() -> Bool {
        withLockedState { state, time in
            guard !state.isAstray else { return false }
            state.access = .open
            state.settle(at: time)
            if state.hasPending { _ = state.perform(ContinuePending(limit: Self.slice), at: time) }
            return true
        }
    }

    /// Ends that, unless the world has left its log.
    package func close() { withLockedState { state, _ in if state.changeLog != nil { state.access = .closed } } }

    /// Whether something is due or pending, so that the world should be opened.
    package var needsOpening: Bool {
        withLockedState { state, time in
            state.hasPending || state.devices.due.next.map { $0 <= time.world.microseconds } == true
        }
    }

    /// Becomes what a log has made of another world, which nothing uses afterwards; connections, streams and metrics stay.
    package func replaceState(by other: World) {
        other.state.withLock { new in
            withLockedState { state, _ in
                state.takeOver(&new)
                state.isAstray = false
            }
        }
    }
}
