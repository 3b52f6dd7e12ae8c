internal import MockAPNsFormats
internal import MockAPNsRules

/// A change of a world.
///
/// A world is what its changes make of it, in their order. So a change has everything that its effect depends on besides
/// the state before it and the time: it asks no clock, draws no random number, and visits nothing in the order of a
/// dictionary. What belongs to the process, and not to the world, is not a change: connections, streams, metrics.
protocol WorldChange: Sendable {
    associatedtype Outcome
    associatedtype Refusal: Error = Never

    static var kind: WorldChangeKind { get }

    /// Writes everything that it has, apart from pushes, which a log keeps by themselves.
    func write(to archive: inout ArchiveWriter)

    init(from archive: inout ArchiveReader, _ material: ReplayMaterial) throws(ArchiveError)

    /// Applies the change; one that throws has changed nothing.
    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(Refusal) -> Outcome
}

/// Keeps the changes of a world.
package protocol ChangeLog: AnyObject, Sendable {
    /// Whether other servers change the same world: then it may be changed only while it is open.
    var isShared: Bool { get }

    /// Calls `use` once, from any thread, when the world may be changed; right away unless the log is shared.
    func whenOpen(_ use: @escaping @Sendable () -> Void)

    /// Takes over the next change, while the world is locked.
    func append(_ change: AppliedChange)

    /// The number of changes that were appended.
    var end: UInt64 { get }

    /// Calls `proceed` once, from any thread: with `true` when this many changes are safe, with `false` if it is not
    /// known whether they will ever be.
    func whenSafe(_ end: UInt64, _ proceed: @escaping @Sendable (Bool) -> Void)
}

extension ChangeLog {
    package var isShared: Bool { false }
    package func whenOpen(_ use: @escaping @Sendable () -> Void) { use() }
}

/// The end of a log at some time; what was changed until then may not be safe yet.
package struct LogEnd: Sendable {
    let log: any ChangeLog
    package let end: UInt64

    /// Calls `proceed` once, from any thread, when the changes are safe, or with `false` if they may never be.
    package func whenSafe(_ proceed: @escaping @Sendable (Bool) -> Void) { log.whenSafe(end, proceed) }

    /// Returns a function that does the same for several logs, one after the other.
    package static func whenAllSafe(
        _ ends: [LogEnd]
    ) -> @Sendable (@escaping @Sendable (Bool) -> Void) -> Void {
        { proceed in
            guard let first = ends.first else {
                proceed(true)
                return
            }
            first.whenSafe { isSafe in
                guard isSafe else {
                    proceed(false)
                    return
                }
                whenAllSafe(Array(ends.dropFirst()))(proceed)
            }
        }
    }
}

extension WorldState {
    /// Applies a change, and logs it unless it throws.
    mutating func perform<Change: WorldChange>(
        _ change: Change,
        at time: WorldClock.Reading
    ) throws(Change.Refusal) -> Change.Outcome {
        guard let changeLog, access == .open else {
            if access == .closed { isAstray = true }
            return try change.apply(to: &self, at: time)
        }
        logFaultCounters(at: time)
        log.effects = JournalEffects()
        defer { log.effects = nil }
        let outcome = try change.apply(to: &self, at: time)
        changeLog.append(applied(change, at: time))
        return outcome
    }

    /// Returns a change with the effects that were noted since it began.
    private func applied(_ change: any WorldChange, at time: WorldClock.Reading) -> AppliedChange {
        let effects = log.effects ?? JournalEffects()
        let fanOuts = effects.broadcasts.sorted().compactMap { push in
            log.fanOut(of: push).map { (push: push, fanOut: $0) }
        }
        return AppliedChange(change: change, time: time, effects: effects, fanOuts: fanOuts)
    }

    /// Logs the counters of the faults that were evaluated since the last time: event loops count without the lock.
    mutating func logFaultCounters(at time: WorldClock.Reading) {
        guard access == .open else { return }
        let counters = faults.takeCounted()
        if !counters.isEmpty { changeLog?.append(applied(SetFaultCounters(counters: counters), at: time)) }
    }

    /// The end of the log; `nil` if there is none.
    var logEnd: LogEnd? { changeLog.map { LogEnd(log: $0, end: $0.end) } }

    /// Applies a change of a log; one of another server does not count in the metrics, which are those of a process.
    mutating func replay<Change: WorldChange>(
        _ change: Change,
        at time: WorldClock.Reading
    ) throws(Change.Refusal) {
        let access = access
        if access == .closed {
            self.access = .following
            swap(&log.tally, &tallyOfOthers)
        }
        defer {
            if access == .closed {
                self.access = .closed
                swap(&log.tally, &tallyOfOthers)
            }
        }
        _ = try perform(change, at: time)
    }

    /// Carries out what is due, if the world may be changed.
    mutating func settle(at time: WorldClock.Reading) {
        guard let due = devices.due.next, due <= time.world.microseconds, access == .open else { return }
        perform(PassTime(), at: time)
    }
}

extension World {
    /// Applies a change at the current time.
    func commit<Change: WorldChange>(_ change: Change) throws(Change.Refusal) -> Change.Outcome {
        try withLockedState { state, time throws(Change.Refusal) in try state.perform(change, at: time) }
    }

    /// Applies a change of a log at the time at which it was logged, whatever the time is now.
    ///
    /// A change that is refused did not follow the changes that the world has had.
    func replay<Change: WorldChange>(_ change: Change, at time: WorldClock.Reading) throws(Change.Refusal) {
        try withLockedState(at: time) { state, time throws(Change.Refusal) in
            try state.replay(change, at: time)
        }
    }

    /// Logs every later change.
    ///
    /// With a shared log, the world is closed from now on.
    package func log(to changeLog: (any ChangeLog)?) {
        withState { state, _ in
            state.changeLog = changeLog
            state.access = changeLog?.isShared == true ? .closed : .open
        }
    }

    /// The end of the log after all changes so far; `nil` if there is no log.
    package var logEnd: LogEnd? { withState { state, _ in state.logEnd } }
}

/// Carries out what is due; there is one only if something is.
struct PassTime: WorldChange {
    func apply(to state: inout WorldState, at time: WorldClock.Reading) { state.settle(until: time.world) }
}
