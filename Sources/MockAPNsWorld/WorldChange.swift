internal import MockAPNsRules

/// A change of a world.
///
/// A world is what its changes make of it, in their order. So a change has everything that its effect depends on besides
/// the state before it and the time: it asks no clock, draws no random number, and visits nothing in the order of a
/// dictionary. What belongs to the process, and not to the world, is not a change: connections, streams, metrics.
protocol WorldChange: Sendable {
    associatedtype Outcome
    associatedtype Refusal: Error = Never

    /// Applies the change; one that throws has changed nothing.
    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(Refusal) -> Outcome
}

/// Gets the changes of a world in their order, while the world is locked.
protocol ChangeLog: Sendable {
    func append(_ change: any WorldChange, at time: WorldClock.Reading)
}

extension WorldState {
    /// Applies a change, and logs it unless it throws.
    mutating func perform<Change: WorldChange>(
        _ change: Change,
        at time: WorldClock.Reading
    ) throws(Change.Refusal) -> Change.Outcome {
        guard let changeLog else { return try change.apply(to: &self, at: time) }
        logFaultCounters(at: time)
        let outcome = try change.apply(to: &self, at: time)
        changeLog.append(change, at: time)
        return outcome
    }

    /// Carries out what is due.
    mutating func settle(at time: WorldClock.Reading) {
        guard let due = devices.due.next, due <= time.world.microseconds else { return }
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
            _ = try state.perform(change, at: time)
        }
    }

    /// Logs every later change.
    func log(to changeLog: (any ChangeLog)?) { withState { state, _ in state.changeLog = changeLog } }
}

/// Carries out what is due; there is one only if something is.
struct PassTime: WorldChange {
    func apply(to state: inout WorldState, at time: WorldClock.Reading) { state.settle(until: time.world) }
}
