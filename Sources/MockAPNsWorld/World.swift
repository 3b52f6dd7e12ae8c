public import MockAPNsRules

/// One simulated APNs: its clock, its journal, its devices, and the rules in force.
///
/// Nothing in it is global, so any number of worlds live side by side.
public final class World: Sendable {
    /// How a world is at the start, and again after a reset; so are the keys and options of its first ruleset.
    public struct StartUp: Sendable {
        /// The devices that are there.
        public var devices: [DeviceDraft] = []
        /// The moment at which the clock is stopped; `nil` for a running clock.
        public var clock: Timestamp?
        /// The faults that are in force.
        public var faults: [FaultDraft] = []

        /// No devices, no faults, and a clock that runs.
        public init() {}
    }

    /// The clock that the simulated service goes by.
    public let clock: WorldClock
    /// What arrived.
    public let journal: Journal
    /// The phones and the apps on them.
    public let devices: Devices
    /// What goes wrong on purpose.
    public let faults: Faults
    /// The texts of apps, for previews.
    public let strings = StringsTables()
    /// The buttons of notifications, for previews.
    public let categories = NotificationCategories()

    /// How the world was at the start.
    public let startUp: StartUp

    let core: WorldCore
    let deviceRates = Locked(DeviceRateLimiter())
    /// The rules of the start.
    private let firstRuleset: Ruleset
    private let firstDeviceOptions: Devices.Options

    /// A world with these rules and nothing in its journal.
    ///
    /// Device tokens that are made come from `seed`; the same seed gives the same ones.
    ///
    /// - Throws: `DeviceError` for devices of the start that cannot be.
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
        // What is made now has to be the same after a reset.
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

    /// The rules in force.
    public var ruleset: Ruleset { core.ruleset }

    /// Counts changes of the rules in force; read it before `ruleset`, and read that again when it has changed.
    public var rulesetVersion: UInt64 { core.rulesetVersion }

    /// Whether another push to a device is within the rate; counts it when it is.
    ///
    /// One count for all event loops. Its lock is taken only where a rate is set.
    public func admits(_ token: DeviceToken, rate: RuleOptions.DeviceRate, at now: Timestamp) -> Bool {
        deviceRates.withLock { $0.admits(token, rate: rate, at: now) }
    }

    /// Puts other rules in force, made from the present ones; requests that arrive after this are judged by them.
    ///
    /// What is registered and the faults stay, whatever the change makes of the rest.
    public func changeRuleset(_ change: (Ruleset) -> Ruleset) -> Ruleset {
        core.changeRuleset { old in
            let new = change(old)
            return new === old ? old : new.with(old.registrations, epoch: old.epoch, faults: old.faults)
        }
    }

    // MARK: Time

    /// Runs the clock this many microseconds ahead of the system's, and runs what is due.
    public func runClock(offset: Int64 = 0) -> DeliveryReport {
        moveClock { $0.run(offset: offset) }
    }

    /// Stops the clock at a moment, and runs what is due.
    public func stopClock(at moment: Timestamp) -> DeliveryReport {
        moveClock { $0.stop(at: moment) }
    }

    /// Moves the running or stopped clock forward, and runs everything due before it returns.
    public func advanceClock(by microseconds: Int64) -> DeliveryReport {
        moveClock { $0.advance(by: microseconds) }
    }

    /// Runs what is due by now; costs next to nothing when nothing is.
    public func settle(at now: Timestamp? = nil) { core.settle(at: now ?? clock.read().world) }

    /// The next moment at which something is due, on the world's clock.
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
        // A clock that was put back would leave devices refused until it is where it was.
        if clock.read().world < before { deviceRates.withLock { $0 = DeviceRateLimiter() } }
        return report
    }

    // MARK: Reset

    /// Puts parts of the world back to how they were at the start.
    ///
    /// A push that arrived before belongs to the old epoch and never appears, though it is still answered.
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
            // Before devices come back, which are to be treated as at the start.
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

    /// Whether a key has been there from the start, and comes back with a reset.
    public func isFromStart(_ key: Ruleset.RegisteredKey) -> Bool {
        firstRuleset.keys[key.key.keyID] === key
    }
}

extension WorldState {
    /// Makes the devices of the start.
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
