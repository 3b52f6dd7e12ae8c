package import MockAPNsFormats
public import MockAPNsRules
internal import Synchronization

/// A simulated APNs: its clock, journal and devices, and the current ruleset.
public final class World: Sendable {
    /// What a reset restores.
    public typealias StartUp = WorldStartUp
    /// The options that can be changed at run time.
    public typealias Options = WorldOptions

    /// The clock of the simulated service.
    public let clock = WorldClock()
    /// The journal of pushes.
    public var journal: Journal { Journal(world: self, capacity: journalCapacity) }
    /// The devices and their apps.
    public var devices: Devices { Devices(world: self) }
    /// The faults.
    public var faults: Faults { Faults(world: self) }
    /// The broadcast channels.
    public var channels: Channels { Channels(world: self) }

    /// The state at startup.
    public var startUp: StartUp { withState { state, _ in state.start.world } }

    private static let never = Int64.max

    let state: Locked<WorldState>
    private let current: Locked<Ruleset>
    private let version = Atomic<UInt64>(1)
    private let nextDueTime = Atomic<Int64>(World.never)
    private let journalCapacity: Journal.Capacity
    /// The store of what has left the journal's memory.
    let olderPushes = Locked<(any OlderPushes)?>(nil)
    let rates = Locked(RateLimiters())
    /// What became of the pushes that were forwarded to another push service.
    package let forwards = ForwardLog()
    let channelOptions: Channels.Options

    /// Creates a world; the same seed gives the same generated device tokens.
    public init(
        ruleset: Ruleset, journalCapacity: Journal.Capacity = Journal.Capacity(),
        deviceOptions: Devices.Options = Devices.Options(), channelOptions: Channels.Options = Channels.Options(),
        startUp: StartUp = StartUp(), seed: UInt64 = 0
    ) throws(DeviceError) {
        if let moment = startUp.clock { clock.stop(at: moment) }
        var startUp = startUp
        // Generated tokens of startup devices are fixed here, so that they are the same after a reset.
        var tokens = TokenGenerator(seed: ~seed)
        for device in startUp.devices.indices {
            for app in startUp.devices[device].registrations.indices
            where startUp.devices[device].registrations[app].token == nil {
                startUp.devices[device].registrations[app].token = tokens.next()
            }
        }
        self.channelOptions = channelOptions
        self.journalCapacity = journalCapacity
        current = Locked(ruleset)
        state = Locked(
            WorldState(
                journal: journalCapacity, channels: channelOptions,
                start: WorldState.Start(world: startUp, ruleset: ruleset, devices: deviceOptions), clock: clock,
                seed: seed))
        try withState { state, now throws(DeviceError) in
            _ = state.faults.reset(to: state.start.world.faults)
            try state.addStartUp(state.start.world.devices, at: now)
        }
    }

    /// Creates a world from the archive of another; its journal has the numbers and no records.
    ///
    /// `pipeline`, the capacity of the journal and the refusal of requests belong to the process.
    package init(
        archive: [UInt8], pipeline: Pipeline = .standard, journalCapacity: Journal.Capacity = Journal.Capacity(),
        _ context: ReplayContext
    ) throws(ArchiveError) {
        var reader = try ArchiveReader(archive, context: context)
        let read = try WorldState.read(from: &reader, pipeline, journalCapacity, clock)
        channelOptions = read.channels.options
        self.journalCapacity = journalCapacity
        current = Locked(read.ruleset)
        state = Locked(read)
        // Long ago, so that nothing is due before the changes that follow.
        withLockedState(at: .earliest) { _, _ in }
    }

    /// Returns whether another push to a device is within the rate, and counts it if so.
    ///
    /// The count is shared by all event loops. Its lock is taken only if a rate is set.
    public func admits(_ token: DeviceToken, rate: RuleOptions.Rate, at now: Timestamp) -> Bool {
        rates.withLock { $0.devices.admits(token, rate: rate, at: now) }
    }

    /// Returns whether another push to a device would be within the rate, without counting it.
    public func wouldAdmit(_ token: DeviceToken, rate: RuleOptions.Rate, at now: Timestamp) -> Bool {
        rates.withLock { $0.devices.wouldAdmit(token, rate: rate, at: now) }
    }

    /// Returns whether another broadcast to a channel is within the rate, and counts it if so.
    public func admits(_ channel: ChannelID, rate: RuleOptions.Rate, at now: Timestamp) -> Bool {
        rates.withLock { $0.channels.admits(channel, rate: rate, at: now) }
    }

    /// Returns what a provider token is to the limit on token updates, and makes it the current one of its owner if it
    /// is new.
    ///
    /// Shared by all event loops, and by all servers that share the world. Its lock is taken only for a token that the
    /// ruleset does not know.
    public func admit(_ use: TokenUse, interval: Int64) -> TokenUpdateWindows.Standing {
        withLockedState { state, time in
            let standing = state.ruleset.tokenUpdates.standing(of: use, at: time.world, interval: interval)
            // Event loops judge pushes only while the world is open.
            if standing == .new, state.process.access == .open { state.perform(UseToken(use: use), at: time) }
            return standing
        }
    }

    /// Lets the clock run this many microseconds ahead of the system's, and runs due actions.
    public func runClock(offset: Int64 = 0) -> DeliveryReport { moveClock(.run(offset: offset)) }

    /// Freezes the clock, and runs due actions.
    public func stopClock(at moment: Timestamp) -> DeliveryReport { moveClock(.stop(at: moment)) }

    /// Advances the running or frozen clock, and runs all due actions before it returns.
    public func advanceClock(by microseconds: Int64) -> DeliveryReport { moveClock(.advance(by: microseconds)) }

    private func moveClock(_ move: MoveClock) -> DeliveryReport {
        let before = clock.read().world
        let report = commit(move)
        // After the clock is set back, pushes would be refused until it reaches the earlier time again.
        if clock.read().world < before { rates.withLock { $0 = RateLimiters() } }
        return report
    }

    /// Restores parts of the world to their state at startup.
    ///
    /// A push that arrived before is answered, but belongs to the old epoch and never appears in the journal. Metrics
    /// count it.
    public func reset(_ parts: Set<ResetReport.Part> = Set(ResetReport.Part.allCases)) -> ResetReport {
        if !parts.isDisjoint(with: [.devices, .clock, .settings]) { rates.withLock { $0 = RateLimiters() } }
        return commit(ResetWorld(parts: parts))
    }

    /// Whether a key was registered at startup, and is restored by a reset.
    public func isFromStart(_ key: Ruleset.RegisteredKey) -> Bool {
        withState { state, _ in state.start.ruleset.keys[key.key.keyID] === key }
    }
}

extension World {
    /// What a reset restores, for a world that is going to be replaced by a kept one.
    package struct Configured: Sendable { let start: WorldState.Start }

    package var configured: Configured { withState { state, _ in Configured(start: state.start) } }

    /// Lets a kept world have a new configuration.
    package func configure(as configured: Configured) { commit(SetStart(start: configured.start)) }

    /// Runs due actions, and calls `use` with the state and the time on the world's clock while holding the lock.
    func withState<Value, Failure: Error>(
        _ use: (inout WorldState, Timestamp) throws(Failure) -> Value
    ) throws(Failure) -> Value { try withLockedState { state, time throws(Failure) in try use(&state, time.world) } }

    /// Runs what is due now, or at the given time, calls `use` with the state while holding the lock, and updates the
    /// ruleset.
    func withLockedState<Value, Failure: Error>(
        at given: WorldClock.Reading? = nil, _ use: (inout WorldState, WorldClock.Reading) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var ended: [LinkState] = []
        var listeners: [AsyncStream<Void>.Continuation] = []
        let result = state.withLock { state in
            let time = given ?? clock.read()
            state.settle(at: time)
            let result = Result { () throws(Failure) in try use(&state, time) }
            swap(&ended, &state.process.endedLinks)
            publishChanges(of: &state)
            // A push that is routed because of a change must also be judged with it.
            state.reportTokenChanges()
            listeners = state.process.listeners.take(at: (state.log.epoch, state.log.nextSeq, state.process.events.end))
            return result
        }
        // Resuming can block on a concurrent cancel, and a listener's end needs the lock, so resume after unlocking.
        for listener in listeners { listener.yield() }
        for link in ended { link.finish() }
        return try result.get()
    }

    var listenerCount: Int { state.withLock { $0.process.listeners.count } }

    private func publishChanges(of state: inout WorldState) {
        nextDueTime.store(state.devices.due.next ?? Self.never, ordering: .relaxed)
        if let changed = state.takeChangedRuleset() {
            current.withLock { $0 = changed }
            version.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// The number of records read while holding the lock, limited so that pushes do not wait long.
    private static let mostAtOnce = 32

    /// Copies records from a snapshot, with their current delivery states.
    func records(_ found: [FoundRecord], in snapshot: JournalSnapshot) -> [PushRecord] {
        defer { withExtendedLifetime(snapshot) {} }
        let epoch = snapshot.extent.epoch
        var records: [PushRecord] = []
        records.reserveCapacity(found.count)
        for start in stride(from: 0, to: found.count, by: Self.mostAtOnce) {
            let some = found[start..<min(start + Self.mostAtOnce, found.count)]
            let contexts = withState { state, _ in some.map { state.context(of: $0.record, $0.entry, epoch: epoch) } }
            records += zip(some, contexts).map { PushRecord($0.record, $1) }
        }
        return records
    }

    /// Counts the changes of the ruleset; must be read before `ruleset`.
    public var rulesetVersion: UInt64 { version.load(ordering: .acquiring) }

    /// The current ruleset.
    public var ruleset: Ruleset { current.withLock { $0 } }

    /// Replaces the ruleset with a changed one, which applies to requests that arrive after this returns.
    ///
    /// Registrations and faults are kept, whatever `change` returns.
    public func changeRuleset(_ change: (Ruleset) -> Ruleset) -> Ruleset {
        withLockedState { state, time in
            let (old, new) = (state.ruleset, change(state.ruleset))
            guard new !== old else { return old }
            if new.options != old.options || !new.hasKeys(of: old) {
                let change = SetRules(
                    options: new.options, keys: new.keys,
                    fromStart: Ruleset.RegisteredKey.shared(by: new.keys, and: state.start.ruleset.keys),
                    kept: Ruleset.RegisteredKey.shared(by: new.keys, and: old.keys))
                state.perform(change, at: time)
            }
            // The checks, and whether the server is stopping, belong to the process.
            state.ruleset = new.with(old.registrations, epoch: old.epoch, faults: old.faults)
            return state.ruleset
        }
    }

    /// Sets whether changes can be kept; while they cannot, every request is refused.
    package func setKept(_ isKept: Bool) {
        withLockedState { state, _ in state.ruleset = state.ruleset.keeping(isKept) }
    }

    /// The time of the next due action, on the world's clock.
    public var nextDue: Timestamp? {
        let time = nextDueTime.load(ordering: .relaxed)
        return time == Self.never ? nil : Timestamp(microseconds: time)
    }

    /// Runs due actions; costs almost nothing if there are none.
    public func settle(at now: Timestamp? = nil) {
        guard nextDueTime.load(ordering: .relaxed) <= (now ?? clock.read().world).microseconds else { return }
        withState { _, _ in }
    }

    /// The counts since startup.
    public var tally: Tally {
        withState { state, _ in
            var tally = state.process.tally
            tally.faults = state.process.faultTally.withLock { $0 }
            return tally
        }
    }

    /// The current number of stored notifications and open connections.
    public var gauges: (stored: Int, connections: Int) {
        withState { state, _ in (state.devices.stored.count, state.process.connections.openCount) }
    }

    /// Records that a GOAWAY was sent on a provider's connection.
    public func noteGoAway(code: UInt32, on connection: UInt64) {
        withState { state, _ in
            state.process.tally.noteGoAway(code: code)
            state.process.connections.noteGoAway(code: code, on: connection)
        }
    }

    /// The current options.
    public var options: Options {
        withState { state, _ in Options(rules: state.ruleset.options, devices: state.devices.options) }
    }

    /// Changes options for requests that arrive after this returns.
    public func changeOptions(_ change: (inout Options) -> Void) -> (before: Options, after: Options) {
        let changed = withLockedState { state, time in
            let before = Options(rules: state.ruleset.options, devices: state.devices.options)
            var after = before
            change(&after)
            state.perform(SetOptions(options: after), at: time)
            return (before: before, after: after)
        }
        // Counts for another rate are meaningless for the new one.
        let (before, after) = (changed.before.rules, changed.after.rules)
        rates.withLock { rates in
            if before.deviceRate != after.deviceRate { rates.devices = RateLimiter() }
            if before.channelRate != after.channelRate { rates.channels = RateLimiter() }
        }
        return changed
    }
}

extension World {
    /// Returns a cursor after a number, or after all events so far.
    ///
    /// Events without a number are included if they followed this number or a later one.
    public func eventCursor(after seq: UInt64? = nil) -> EventCursor {
        withState { state, _ in
            guard let seq else {
                let newest = state.log.nextSeq - 1
                return EventCursor(seq: newest, position: state.process.events.end, knownLost: newest)
            }
            let events = state.process.events
            let number = events.items.partitioningIndex { $0.after >= seq }
            // The dropped event before it may have happened at the same number.
            let position = number == 0 && events.start > 0 ? events.start - 1 : events.start + UInt64(number)
            return EventCursor(seq: seq, position: position, knownLost: 0)
        }
    }

    /// Returns the next events, at most `limit`; `Journal.changes()` reports when there are more.
    public func events(from cursor: EventCursor, limit: Int) -> EventPage {
        withState { state, _ in state.eventPage(from: cursor, limit: limit) }
    }

    /// Sets a mark after all events so far.
    public func mark(_ text: String) -> Mark { commit(SetMark(text: text)) }

    /// The available marks, oldest first: the latest 1,000 since the last reset of the pushes.
    public var marks: [Mark] { withState { state, _ in Array(state.marks.items) } }

    /// Returns a mark, if it is available.
    public func mark(number: UInt64) -> Mark? { withState { state, _ in state.marks[number &- 1] } }

    /// Reports every registered token to `notify` now, and every later change before the call that causes it
    /// returns.
    ///
    /// `notify` is called while holding the world's lock. There is one listener: setting another one, or
    /// `nil`, reports every token as unknown to the previous one.
    package func onTokenChange(_ notify: (@Sendable ([TokenChange]) -> Void)?) {
        withState { state, _ in
            let tokens = state.devices.tokens
            state.process.tokenListener?(tokens.map { TokenChange(token: $0, isKept: nil) })
            state.process.tokenListener = notify
            state.devices.changedTokens = tokens
        }
    }
}
