public import MockAPNsRules

/// A simulated APNs: its clock, journal and devices, and the current ruleset.
///
/// It has no global state, so a process can have any number of worlds.
public final class World: Sendable {
    /// The state of a world at startup, restored by a reset along with the keys and options of its first
    /// ruleset.
    public struct StartUp: Sendable {
        /// The devices.
        public var devices: [DeviceDraft] = []
        /// The time at which the clock is frozen; `nil` for a running clock.
        public var clock: Timestamp?
        /// The faults.
        public var faults: [FaultDraft] = []

        /// Creates a state without devices and faults, with a running clock.
        public init() {}
    }

    /// The clock of the simulated service.
    public let clock: WorldClock
    /// The journal of pushes.
    public let journal: Journal
    /// The devices and their apps.
    public let devices: Devices
    /// The faults.
    public let faults: Faults
    /// The localized strings of apps, for previews.
    public let strings = StringsTables()
    /// The action buttons of categories, for previews.
    public let categories = NotificationCategories()

    /// The state at startup.
    public let startUp: StartUp

    let core: WorldCore
    let deviceRates = Locked(DeviceRateLimiter())
    /// The ruleset at startup.
    private let firstRuleset: Ruleset
    private let firstDeviceOptions: Devices.Options

    /// Creates a world with this ruleset and an empty journal.
    ///
    /// Device tokens are generated from `seed`; the same seed gives the same tokens.
    ///
    /// - Throws: `DeviceError` for invalid startup devices.
    public init(
        ruleset: Ruleset,
        journalCapacity: Journal.Capacity = Journal.Capacity(),
        deviceOptions: Devices.Options = Devices.Options(),
        startUp: StartUp = StartUp(),
        seed: UInt64 = 0
    ) throws(DeviceError) {
        core = WorldCore(ruleset: ruleset, journal: journalCapacity, devices: deviceOptions, seed: seed)
        clock = core.clock
        journal = Journal(core: core, capacity: journalCapacity)
        devices = Devices(core: core)
        faults = Faults(core: core)
        firstRuleset = ruleset
        firstDeviceOptions = deviceOptions
        if let clock = startUp.clock { core.clock.stop(at: clock) }
        var startUp = startUp
        // Generated tokens of startup devices are fixed here, so that they are the same after a reset.
        var tokens = TokenGenerator(seed: ~seed)
        for device in startUp.devices.indices {
            for app in startUp.devices[device].registrations.indices
            where startUp.devices[device].registrations[app].token == nil {
                startUp.devices[device].registrations[app].token = tokens.next()
            }
        }
        self.startUp = startUp
        let (drafts, faultDrafts) = (startUp.devices, startUp.faults)
        try core.withState { state, now throws(DeviceError) in
            if !faultDrafts.isEmpty { _ = state.faults.reset(to: faultDrafts) }
            try state.addStartUp(drafts, at: now)
        }
    }

    // MARK: Rules

    /// The current ruleset.
    public var ruleset: Ruleset { core.ruleset }

    /// Counts the changes of the ruleset; must be read before `ruleset`, which must be read again after a
    /// change.
    public var rulesetVersion: UInt64 { core.rulesetVersion }

    /// Returns whether another push to a device is within the rate, and counts it if so.
    ///
    /// The count is shared by all event loops. Its lock is taken only if a rate is set.
    public func admits(_ token: DeviceToken, rate: RuleOptions.DeviceRate, at now: Timestamp) -> Bool {
        deviceRates.withLock { $0.admits(token, rate: rate, at: now) }
    }

    /// Replaces the ruleset with a changed one, which applies to requests that arrive after this returns.
    ///
    /// Registrations and faults are kept, whatever `change` returns.
    public func changeRuleset(_ change: (Ruleset) -> Ruleset) -> Ruleset {
        core.changeRuleset { old in
            let new = change(old)
            return new === old ? old : new.with(old.registrations, epoch: old.epoch, faults: old.faults)
        }
    }

    // MARK: Time

    /// Lets the clock run this many microseconds ahead of the system's, and runs due actions.
    public func runClock(offset: Int64 = 0) -> DeliveryReport {
        moveClock { $0.run(offset: offset) }
    }

    /// Freezes the clock, and runs due actions.
    public func stopClock(at moment: Timestamp) -> DeliveryReport {
        moveClock { $0.stop(at: moment) }
    }

    /// Advances the running or frozen clock, and runs all due actions before it returns.
    public func advanceClock(by microseconds: Int64) -> DeliveryReport {
        moveClock { $0.advance(by: microseconds) }
    }

    /// Runs due actions; costs almost nothing if there are none.
    public func settle(at now: Timestamp? = nil) { core.settle(at: now ?? clock.read().world) }

    /// The time of the next due action, on the world's clock.
    public var nextDue: Timestamp? { core.nextDue }

    private func moveClock(_ move: (WorldClock) -> Void) -> DeliveryReport {
        let clock = clock
        let before = clock.read().world
        let report = core.withState { state, _ in
            state.reporting { state in
                move(clock)
                state.happened(.clockChanged)
                state.settle(at: clock.read().world)
            }
        }
        // After the clock is set back, devices would be refused until it reaches the earlier time again.
        if clock.read().world < before { deviceRates.withLock { $0 = DeviceRateLimiter() } }
        return report
    }

    // MARK: Reset

    /// Restores parts of the world to their state at startup.
    ///
    /// A push that arrived before belongs to the old epoch and never appears in the journal, but it is
    /// answered.
    public func reset(_ parts: Set<ResetReport.Part> = Set(ResetReport.Part.allCases)) -> ResetReport {
        let startUp = startUp
        let (ruleset, deviceOptions) = (firstRuleset, firstDeviceOptions)
        if parts.contains(.clock) {
            if let moment = startUp.clock { clock.stop(at: moment) } else { clock.run() }
        }
        if parts.contains(.devices) || parts.contains(.clock) || parts.contains(.settings) {
            deviceRates.withLock { $0 = DeviceRateLimiter() }
        }
        let core = core
        let strings = parts.contains(.strings) ? strings.removeAll() : 0
        let categories = parts.contains(.categories) ? categories.removeAll() : 0
        return core.withState { state, now in
            // Must precede the creation of devices, to which the startup options apply.
            if parts.contains(.settings) { state.setDeviceOptions(deviceOptions) }
            var report = state.reset(parts, to: startUp, at: now)
            report.strings = strings
            report.categories = categories
            if parts.contains(.settings) { _ = core.changeRuleset { $0.with(options: ruleset.options) } }
            if parts.contains(.keys) {
                report.keys = core.ruleset.keys.values.count { !isFromStart($0) }
                _ = core.changeRuleset { $0.with(keys: ruleset.keys) }
            }
            state.happened(.reset(report))
            return report
        }
    }

    /// Whether a key was registered at startup, and is restored by a reset.
    public func isFromStart(_ key: Ruleset.RegisteredKey) -> Bool {
        firstRuleset.keys[key.key.keyID] === key
    }
}

extension WorldState {
    /// Creates the startup devices.
    mutating func addStartUp(_ drafts: [DeviceDraft], at now: Timestamp) throws(DeviceError) {
        let plan = try DevicePlan(drafts, isUpdating: false, isList: true, in: devices)
        _ = follow(plan, origin: .startUp, at: now)
    }

    mutating func reset(
        _ parts: Set<ResetReport.Part>,
        to startUp: World.StartUp,
        at now: Timestamp
    ) -> ResetReport {
        let cleared = (
            pushes: parts.contains(.pushes) ? log.recordCount : 0,
            devices: parts.contains(.devices) ? devices.devices.count : 0,
            feedback: parts.contains(.feedback) || parts.contains(.devices) ? devices.feedback.count : 0,
            faults: parts.contains(.faults) ? faults.reset(to: startUp.faults) : 0
        )
        let seq = log.nextSeq - 1
        if parts.contains(.feedback) { devices.feedback.removeAll() }
        if parts.contains(.devices) {
            removeDevices(at: now, isJournalKept: !parts.contains(.pushes))
            do {
                try addStartUp(startUp.devices, at: now)
            } catch {
                preconditionFailure("devices that were there at the start can be there again: \(error)")
            }
        }
        if parts.contains(.pushes) {
            log.removeAll()
            marks.removeAll()
            isEpochChanged = true
        }
        let report = ResetReport(
            epoch: log.epoch,
            seq: seq,
            pushes: cleared.pushes,
            devices: cleared.devices,
            feedback: cleared.feedback,
            faults: cleared.faults
        )
        return report
    }
}
