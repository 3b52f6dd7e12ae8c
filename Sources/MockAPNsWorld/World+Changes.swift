internal import MockAPNsFormats
internal import MockAPNsRules

/// A world that several servers change: each applies the changes of the others, and its own while the world is open.
extension World {
    /// Calls `use` once, from any thread, when the world may be changed.
    func whenOpen(_ use: @escaping @Sendable () -> Void) {
        guard let changeLog = withState({ state, _ in state.process.changeLog }) else { return use() }
        changeLog.whenOpen(use)
    }

    /// Lets the world be changed, and carries out what is due and a part of what is pending.
    ///
    /// Returns `false` if something has changed it while it was closed: it stays closed then.
    package func open() -> Bool {
        withLockedState { state, time in
            guard !state.process.hasDiverged else { return false }
            state.process.access = .open
            state.settle(at: time)
            if state.hasPending { _ = state.perform(ContinuePending(limit: Self.slice), at: time) }
            return true
        }
    }

    /// Ends that, unless the world has left its log.
    package func close() {
        withLockedState { state, _ in if state.process.changeLog != nil { state.process.access = .closed } }
    }

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
                state.process.hasDiverged = false
            }
        }
    }
}

extension World {
    /// Applies a change at the current time.
    func commit<Change: WorldChange>(_ change: Change) throws(Change.Refusal) -> Change.Outcome {
        try withLockedState { state, time throws(Change.Refusal) in try state.perform(change, at: time) }
    }

    /// Applies a logged change at the time when it was logged.
    ///
    /// Throws if the change does not fit the current state, which means that the world is not at the change's position.
    func replay<Change: WorldChange>(_ change: Change, at time: WorldClock.Reading) throws(Change.Refusal) {
        try withLockedState(at: time) { state, time throws(Change.Refusal) in try state.replay(change, at: time) }
    }

    /// Sets the log for all later changes.
    ///
    /// A shared log closes the world, so that it may be changed only during turns.
    package func log(to changeLog: (any ChangeLog)?) {
        withState { state, _ in
            state.process.changeLog = changeLog
            state.process.access = changeLog?.isShared == true ? .closed : .open
        }
    }

    /// The end of the log after all changes so far; `nil` without a log.
    package var logEnd: LogEnd? { withState { state, _ in state.logEnd } }
}

extension World {
    /// Applies a logged change and its `pushes`, at the time when it was logged.
    package func replay(
        kind: String, data: [UInt8], pushes: [KeptPush] = [], at time: WorldClock.Reading, _ context: ReplayContext
    ) throws(ReplayError) {
        guard let type = ChangeKinds.type(named: kind) else { throw .unknownKind(kind) }
        var context = context
        context.pushes = pushes
        let change: any WorldChange
        do throws(ArchiveError) { change = try type.init(data, context) } catch { throw .unreadable(error) }
        do { try replay(change, at: time) } catch { throw .refused("\(error)") }
    }
}

extension World {
    /// The number of subscribers served while holding the lock, which takes about a tenth of a millisecond.
    static let slice = 2_000

    /// Continues what was pending when the server ended.
    package func continueAfterRestart() { if withState({ state, _ in state.beginPending() }) { continuePending() } }

    /// Continues pending broadcasts and deletions in slices, so that pushes go on meanwhile.
    func continuePending() {
        Task.detached { [self] in
            while continueSlice() {
                // The lock is not fair: without a pause, this task would take it again before the ones that wait.
                try? await Task.sleep(for: .microseconds(50))
            }
        }
    }

    /// Serves one slice, and returns whether more is pending.
    func continueSlice() -> Bool {
        withLockedState { state, time in
            state.process.isDriven = state.perform(ContinuePending(limit: Self.slice), at: time)
            return state.process.isDriven
        }
    }
}

extension World {
    /// The state of a world at one moment, without the records of the journal.
    package struct StateArchive: Sendable {
        /// The state as bytes.
        package let data: [UInt8]
        /// The beginning of `data` that is the same for a world and its copies.
        package let canonicalLength: Int
        /// The number of changes so far; 0 without a log.
        package let end: UInt64
        /// The number of the oldest record, or of the next event if there is none.
        package let firstPush: UInt64
    }

    package func archive() -> StateArchive {
        withLockedState { state, time in
            // What the event loops have counted is otherwise part of the next change.
            state.logFaultCounters(at: time)
            var archive = ArchiveWriter()
            state.write(to: &archive)
            let length = archive.bytes.count
            // Not at the beginning, because the capacity of the process decides about them.
            state.log.writeLosses(to: &archive)
            return StateArchive(
                data: archive.bytes, canonicalLength: length, end: state.logEnd?.end ?? 0,
                firstPush: state.log.extent.firstSeq)
        }
    }

    /// The bytes of the state and the journal, which are the same for a world and its copies, and the newest number.
    ///
    /// It has neither connections and metrics nor the lists of latest events, which belong to the process.
    package func canonicalBytes() -> (bytes: [UInt8], lastSeq: UInt64) {
        withLockedState { state, time in
            state.logFaultCounters(at: time)
            var archive = ArchiveWriter()
            state.write(to: &archive)
            state.log.writeRecords(to: &archive)
            return (archive.bytes, state.log.nextSeq - 1)
        }
    }
}
