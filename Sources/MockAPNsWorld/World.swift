public import MockAPNsRules

/// One simulated APNs: its clock, its journal, and the rules in force.
///
/// Nothing in it is global, so any number of worlds live side by side.
public final class World: Sendable {
    /// The clock that the simulated service goes by.
    public let clock: WorldClock
    /// What arrived.
    public let journal: Journal
    private let current: Locked<Ruleset>
    private let deviceRates = Locked(DeviceRateLimiter())

    /// A world with these rules and nothing in its journal.
    public init(ruleset: Ruleset, journalCapacity: Journal.Capacity = Journal.Capacity()) {
        clock = WorldClock()
        journal = Journal(capacity: journalCapacity)
        current = Locked(ruleset)
    }

    /// The rules in force.
    public var ruleset: Ruleset { current.withLock { $0 } }

    /// Whether another push to a device is within the rate; counts it when it is.
    ///
    /// One count for all event loops. Its lock is taken only where a rate is set.
    public func admits(_ token: DeviceToken, rate: RuleOptions.DeviceRate, at now: Timestamp) -> Bool {
        deviceRates.withLock { $0.admits(token, rate: rate, at: now) }
    }

    /// Puts other rules in force, made from the present ones; event loops have to be told of them.
    public func changeRuleset(_ change: @Sendable (Ruleset) -> Ruleset) -> Ruleset {
        current.withLock { ruleset in
            ruleset = change(ruleset)
            return ruleset
        }
    }
}
