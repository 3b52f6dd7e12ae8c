internal import MockAPNsFormats
internal import MockAPNsRules

/// A change of a world.
///
/// Replaying the same changes in the same order must result in the same world. So the effect of a change depends only
/// on its members, the previous state and the time. It must not read a clock, use random numbers or depend on the
/// iteration order of a dictionary. Connections, streams and metrics belong to the process, so they are not part of
/// changes.
protocol WorldChange: Archived, Sendable {
    associatedtype Outcome
    associatedtype Refusal: Error = Never

    /// The name of this kind of change in logs.
    static var kind: String { get }

    /// Applies the change; when this throws, the state is unchanged.
    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(Refusal) -> Outcome
}

/// A log of a world's changes.
package protocol ChangeLog: AnyObject, Sendable {
    /// Whether other servers share the world, so that it may be changed only while it is open.
    var isShared: Bool { get }

    /// Calls `use` once, from any thread, when the world may be changed; immediately unless the log is shared.
    func whenOpen(_ use: @escaping @Sendable () -> Void)

    /// Appends a change; called while the world is locked.
    func append(_ change: AppliedChange)

    /// The position after the last appended change.
    var end: UInt64 { get }

    /// Calls `proceed` once, from any thread.
    ///
    /// The argument is `true` once the changes up to `end` are safe, or `false` if they may never be.
    func whenSafe(_ end: UInt64, _ proceed: @escaping @Sendable (Bool) -> Void)
}

extension ChangeLog {
    package var isShared: Bool { false }
    package func whenOpen(_ use: @escaping @Sendable () -> Void) { use() }
}

/// The end of a log at some time; the changes before it may not be safe yet.
package struct LogEnd: Sendable {
    let log: any ChangeLog
    package let end: UInt64

    /// Calls `proceed` once, from any thread: with `true` once the changes are safe, or `false` if they may never be.
    package func whenSafe(_ proceed: @escaping @Sendable (Bool) -> Void) { log.whenSafe(end, proceed) }

    /// Returns a function that does the same for several logs.
    ///
    /// It asks all of them at once: a log that several servers share may forget changes, and then others take their
    /// positions.
    package static func whenAllSafe(_ ends: [LogEnd]) -> @Sendable (@escaping @Sendable (Bool) -> Void) -> Void {
        { proceed in
            guard let first = ends.first else { return proceed(true) }
            guard ends.count > 1 else { return first.whenSafe(proceed) }
            let rest = Locked((count: ends.count, isSafe: true))
            for end in ends {
                end.whenSafe { isSafe in
                    let outcome: Bool? = rest.withLock { rest in
                        rest.count -= 1
                        rest.isSafe = rest.isSafe && isSafe
                        return rest.count == 0 ? rest.isSafe : nil
                    }
                    if let outcome { proceed(outcome) }
                }
            }
        }
    }
}

extension WorldState {
    /// Applies a change, and logs it unless it throws.
    mutating func perform<Change: WorldChange>(
        _ change: Change, at time: WorldClock.Reading
    ) throws(Change.Refusal) -> Change.Outcome {
        guard let changeLog = process.changeLog, process.access == .open else {
            if process.access == .closed { process.hasDiverged = true }
            return try change.apply(to: &self, at: time)
        }
        logFaultCounters(at: time)
        log.effects = JournalEffects()
        defer { log.effects = nil }
        let outcome = try change.apply(to: &self, at: time)
        changeLog.append(applied(change, at: time))
        return outcome
    }

    /// Returns a change with the effects recorded since it started.
    private func applied(_ change: any WorldChange, at time: WorldClock.Reading) -> AppliedChange {
        let effects = log.effects ?? JournalEffects()
        let fanOuts = effects.broadcasts.sorted().compactMap { push in
            log.fanOut(of: push).map { (push: push, fanOut: $0) }
        }
        return AppliedChange(change: change, time: time, effects: effects, fanOuts: fanOuts)
    }

    /// Logs the fault counters that changed since the last call, because event loops update them without the lock.
    mutating func logFaultCounters(at time: WorldClock.Reading) {
        guard process.access == .open else { return }
        let counters = faults.takeCounted()
        if !counters.isEmpty { process.changeLog?.append(applied(SetFaultCounters(counters: counters), at: time)) }
    }

    /// The end of the log; `nil` without a log.
    var logEnd: LogEnd? { process.changeLog.map { LogEnd(log: $0, end: $0.end) } }

    /// Applies a logged change; a change of another server does not count in this process's metrics.
    mutating func replay<Change: WorldChange>(_ change: Change, at time: WorldClock.Reading) throws(Change.Refusal) {
        guard process.access == .closed else {
            _ = try perform(change, at: time)
            return
        }
        process.access = .following
        swap(&process.tally, &process.tallyOfOthers)
        defer {
            process.access = .closed
            swap(&process.tally, &process.tallyOfOthers)
        }
        _ = try perform(change, at: time)
    }

    /// Runs due actions, if the world may be changed.
    mutating func settle(at time: WorldClock.Reading) {
        guard let due = devices.due.next, due <= time.world.microseconds, process.access == .open else { return }
        perform(PassTime(), at: time)
    }
}

/// Runs due actions; logged only if an action was due.
struct PassTime: WorldChange, MemberwiseArchived {
    static let kind = "pass-time"
    static let format = ArchiveFormat(PassTime.init)

    func apply(to state: inout WorldState, at time: WorldClock.Reading) { state.settle(until: time.world) }
}

/// Sets fault counters to the values that event loops have reached since the previous change.
struct SetFaultCounters: WorldChange, MemberwiseArchived {
    static let kind = "set-fault-counters"
    static let format = ArchiveFormat(SetFaultCounters.init, \.counters)

    let counters: [CountedFault]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        for counted in counters { state.faults.rule(counted.id)?.counters.withLock { $0 = counted.counters } }
    }
}

/// A change that was applied, and what it did to the journal.
package struct AppliedChange: Sendable {
    let change: any WorldChange
    package let time: WorldClock.Reading
    let effects: JournalEffects
    /// What has become so far of the broadcasts that the change concerns, by the numbers of their records.
    let fanOuts: [(push: UInt64, fanOut: FanOut)]
}
