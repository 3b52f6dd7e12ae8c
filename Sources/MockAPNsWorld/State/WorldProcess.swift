/// What belongs to a process, and not to the world whose state it has: connections, counts, listeners.
struct WorldProcess {
    /// Who may change the state, if other servers change it as well.
    enum Access {
        /// Everybody, and the changes are logged; always so without a shared log.
        case open
        /// Nobody.
        case closed
        /// The log, with a change of another server.
        case following
    }

    let clock: WorldClock
    /// Gets the changes; `nil` if nobody does.
    var changeLog: (any ChangeLog)?
    var access = Access.open
    /// Whether the state was changed while it was closed, so that it may differ from what the log makes of it.
    var hasDiverged = false
    /// Whether a task continues the pending broadcasts and deletions.
    var isDriven = false
    /// The ruleset that event loops have.
    var published: Ruleset?
    /// The latest events, except the steps of pushes.
    var events = LatestItems<WorldEvent>(capacity: 10_000)
    var listeners = ListenerList()
    var tokenListener: (@Sendable ([TokenChange]) -> Void)?
    var connections = ConnectionLog()
    var tally = Tally()
    /// How often faults have fired, by action, including changed and deleted ones; event loops count in it.
    let faultTally = Locked(Tally.noFaults)
    /// Counts what other servers have changed, and is never read.
    var tallyOfOthers = Tally()
    /// The changes of notifications during the current call of `reporting`.
    var report: DeliveryReport?
    /// The links to end after the lock is released.
    var endedLinks: [LinkState] = []
    /// The registrations of the batch that is being published.
    var places: [UInt32?] = []

    init(clock: WorldClock) { self.clock = clock }
}

/// The listeners to changes, and the state of which they were last informed.
struct ListenerList {
    /// The progress of a world: its epoch, its next number, and the position of its next event without a
    /// number.
    typealias Place = (epoch: UInt64, seq: UInt64, event: UInt64)

    private var all: [UInt64: AsyncStream<Void>.Continuation] = [:]
    private var last: UInt64 = 0
    private var reported: Place = (0, 0, 0)

    var count: Int { all.count }

    mutating func add(_ listener: AsyncStream<Void>.Continuation) -> UInt64 {
        last += 1
        all[last] = listener
        return last
    }

    mutating func remove(_ id: UInt64) { all[id] = nil }

    /// Returns the listeners if the world has changed since they were last informed.
    mutating func take(at place: Place) -> [AsyncStream<Void>.Continuation] {
        guard !all.isEmpty, reported != place else { return [] }
        reported = place
        return Array(all.values)
    }
}
