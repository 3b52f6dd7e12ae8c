internal import MockAPNsFormats
internal import MockAPNsRules

/// Changes the clock, and runs actions that are then due.
enum MoveClock: WorldChange, MemberwiseArchived {
    static let kind = "move-clock"
    static let format = ArchiveFormat<MoveClock>(
        cases: ArchiveCase(MoveClock.run) { if case .run(let offset) = $0 { offset } else { nil } },
        ArchiveCase(MoveClock.stop) { if case .stop(let moment) = $0 { moment } else { nil } },
        ArchiveCase(MoveClock.advance) { if case .advance(let microseconds) = $0 { microseconds } else { nil } })

    case run(offset: Int64)
    case stop(at: Timestamp)
    case advance(by: Int64)

    func apply(to state: inout WorldState, at time: WorldClock.Reading) -> DeliveryReport {
        state.reporting { state in
            switch self {
            case .run(let offset): state.process.clock.run(offset: offset)
            case .stop(let moment): state.process.clock.stop(at: moment)
            case .advance(let microseconds): state.process.clock.advance(by: microseconds)
            }
            state.happened(.clockChanged)
            state.settle(until: state.process.clock.world(at: time.system))
        }
    }
}

/// Makes a provider token the current one of its owner, for the limit on token updates.
struct UseToken: WorldChange, MemberwiseArchived {
    static let kind = "use-token"
    static let format = ArchiveFormat(UseToken.init, \.use)

    let use: TokenUse

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        var updates = state.ruleset.tokenUpdates
        updates.note(use, at: time.world)
        state.ruleset = state.ruleset.with(tokenUpdates: updates)
    }
}

/// Sets the rules' options and the registered keys.
struct SetRules: WorldChange, MemberwiseArchived {
    static let kind = "set-rules"
    static let format = ArchiveFormat(
        { SetRules(options: $0, keys: Ruleset.RegisteredKey.byID($1), fromStart: $2, kept: $3) }, \.options,
        \.orderedKeys, \.fromStart, \.kept)

    let options: RuleOptions
    let keys: [String: Ruleset.RegisteredKey]
    /// The IDs of keys that stay as at startup, and of keys that stay as before the change.
    let fromStart: [String]
    let kept: [String]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        var keys = keys
        for id in kept { keys[id] = state.ruleset.keys[id] }
        for id in fromStart { keys[id] = state.start.ruleset.keys[id] }
        state.ruleset = state.ruleset.with(options: options).with(keys: keys)
    }

    private var orderedKeys: [Ruleset.RegisteredKey] { Ruleset.RegisteredKey.ordered(keys) }
}

/// Sets the options that can be changed at run time.
struct SetOptions: WorldChange, MemberwiseArchived {
    static let kind = "set-options"
    static let format = ArchiveFormat(
        { SetOptions(options: WorldOptions(rules: $0, devices: $1)) }, \.options.rules, \.options.devices)

    let options: WorldOptions

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        state.setDeviceOptions(options.devices)
        state.ruleset = state.ruleset.with(options: options.rules)
    }
}

/// Replaces the state that resets restore, when a stored world is opened with another configuration.
///
/// Options that differ from the old configuration apply at once, because they are more recent than the world's. All
/// configured keys apply at once; keys that were added at run time are kept. So it is with schemas. Devices, faults and the
/// clock do not change until a reset.
struct SetStart: WorldChange, MemberwiseArchived {
    static let kind = "set-start"
    static let format = ArchiveFormat(SetStart.init, \.start)

    let start: WorldState.Start

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        let (old, ruleset) = (state.start, state.ruleset)
        state.start = start
        if start.ruleset.options != old.ruleset.options {
            state.ruleset = state.ruleset.with(options: start.ruleset.options)
        }
        if start.devices != old.devices { state.setDeviceOptions(start.devices) }
        if start.world.schemas != old.world.schemas {
            // Those that are no longer configured go, unless they were changed at run time.
            let kept = state.tables.schemas.filter { old.world.schemas[$0.key] != $0.value }
            let changed = start.world.schemas.filter { old.world.schemas[$0.key] != $0.value }
            let same = start.world.schemas.filter { old.world.schemas[$0.key] == state.tables.schemas[$0.key] }
            state.tables.schemas = kept.merging(same) { $1 }.merging(changed) { $1 }
        }
        let added = ruleset.keys.filter { old.ruleset.keys[$0.key] == nil }
        state.ruleset = state.ruleset.with(keys: added.merging(start.ruleset.keys) { $1 })
    }
}

/// Restores parts of the world to their state at startup.
struct ResetWorld: WorldChange, MemberwiseArchived {
    static let kind = "reset-world"
    static let format = ArchiveFormat({ ResetWorld(parts: Set($0)) }, \.orderedParts)

    let parts: Set<ResetReport.Part>

    private var orderedParts: [ResetReport.Part] { ResetReport.Part.allCases.filter { parts.contains($0) } }

    func apply(to state: inout WorldState, at time: WorldClock.Reading) -> ResetReport {
        let start = state.start
        if parts.contains(.clock) {
            if let moment = start.world.clock {
                state.process.clock.stop(at: moment)
            } else {
                state.process.clock.run()
            }
        }
        let now = state.process.clock.world(at: time.system)
        state.settle(until: now)
        // Set these before creating devices, because the startup options apply to those.
        if parts.contains(.settings) { state.setDeviceOptions(start.devices) }
        let keys = state.ruleset.keys.values
        var report = ResetReport(seq: state.log.nextSeq - 1)
        let clearsFeedback = !parts.isDisjoint(with: [.feedback, .devices])
        report.cleared = [
            .pushes: parts.contains(.pushes) ? state.log.recordCount : 0,
            .devices: parts.contains(.devices) ? state.devices.devices.count : 0,
            .feedback: clearsFeedback ? state.devices.feedback.count : 0,
            .faults: parts.contains(.faults) ? state.faults.reset(to: start.world.faults) : 0,
            .keys: parts.contains(.keys) ? keys.count { start.ruleset.keys[$0.key.keyID] !== $0 } : 0,
            .channels: parts.contains(.channels) ? state.removeChannels() : 0,
        ]
        report.cleared.merge(state.tables.reset(parts, restoring: start.world.schemas)) { $1 }
        if parts.contains(.feedback) { state.devices.feedback.removeAll() }
        if parts.contains(.devices) {
            state.resetDevices(to: start.world.devices, at: now, isJournalKept: !parts.contains(.pushes))
        }
        if parts.contains(.pushes) {
            state.log.removeAll()
            state.marks.removeAll()
            state.notes = [:]
        }
        report.epoch = state.log.epoch
        if parts.contains(.settings) { state.ruleset = state.ruleset.with(options: start.ruleset.options) }
        // A clock that is set back would let every other token come too soon.
        if !parts.isDisjoint(with: [.clock, .settings, .keys]), !state.ruleset.tokenUpdates.isEmpty {
            state.ruleset = state.ruleset.with(tokenUpdates: TokenUpdateWindows())
        }
        if parts.contains(.keys) { state.ruleset = state.ruleset.with(keys: start.ruleset.keys) }
        state.happened(.reset(report))
        return report
    }
}

extension ResetReport.Part: Archived {}
