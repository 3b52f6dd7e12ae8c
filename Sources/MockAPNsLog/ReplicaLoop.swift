internal import Dispatch
internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The loop that runs a server's turns on one thread.
///
/// It polls for changes by other replicas, takes a turn when a caller waits for one or a change is due, and resolves
/// turns whose commit failed without a clear outcome.
final class ReplicaLoop {
    /// How often a long turn is renewed: the database ends a turn after one silent second.
    private static let keepInterval: UInt64 = 250_000_000
    /// How many changes and pushes of other replicas are applied until a turn is renewed.
    private static let keepWeight = 500
    /// The most changes of other replicas that are applied during a turn, while all replicas wait for it.
    private static let mostFollowed: UInt64 = 128
    /// How often a turn is given up to apply more than that.
    ///
    /// Then they are applied during the turn, since a slow replica might never get near the end otherwise.
    private static let mostRetreats = 3
    private static let reportInterval: UInt64 = 1_000_000_000

    private let turns: LogTurns
    private let log: any SharedLog
    private var status: ReplicaStatus
    private let onNamespaces: @Sendable () async -> StoreError?
    private let chores: Chores
    /// The version of the list of namespaces that this server has applied, except for what `listBackOff` repeats.
    private var namespaces: UInt64
    /// When to apply the list of namespaces again, after some of it could not be applied.
    private var listBackOff = BackOff(first: 100_000_000, longest: 10_000_000_000)
    private var lastTurn: UInt64 = 0
    /// The turn whose commit failed, so that its entries may or may not be in the log.
    private var inDoubt: (turn: UInt64, entries: [SharedEntry])?
    /// The names of worlds that have diverged from the log and must be reloaded.
    private var diverged: Set<String> = []
    private var reportAt: UInt64 = 0

    init(
        _ turns: LogTurns, _ status: ReplicaStatus, namespaces: UInt64,
        onNamespaces: @escaping @Sendable () async -> StoreError?
    ) {
        self.turns = turns
        self.status = status
        self.namespaces = namespaces
        self.onNamespaces = onNamespaces
        log = turns.log
        chores = Chores(of: turns)
    }

    /// Runs until the turns are closed.
    func run() {
        while true {
            turns.waitForCallers(turns.options.pollInterval)
            let (phase, readers) = turns.state.withLockedValue { state in
                defer { state.readers = [] }
                return (state.phase, state.readers)
            }
            guard phase != .closed else {
                // Those of a step that failed after `close` has told all others.
                for reader in readers { reader(false) }
                return chores.finish()
            }
            do throws(StoreError) {
                try step()
                recovered()
                for reader in readers { reader(true) }
            } catch {
                failed(error, readers)
                let deadline = DispatchTime.now() + .nanoseconds(Int(turns.options.retryInterval))
                while DispatchTime.now() < deadline, turns.state.withLockedValue({ $0.phase != .closed }) {
                    let left = deadline.uptimeNanoseconds &- DispatchTime.now().uptimeNanoseconds
                    turns.waitForCallers(min(left, turns.options.retryInterval))
                }
            }
        }
    }

    private var worlds: [SharedWorld] { turns.state.withLockedValue { $0.worlds.values.sorted { $0.name < $1.name } } }

    private func step() throws(StoreError) {
        let isWanted = turns.state.withLockedValue { $0.phase == .working && !$0.waitingCallers.isEmpty }
        if isWanted || worlds.contains(where: { $0.world.needsOpening }) { try takeTurn() } else { try look() }
        try report()
        // Worlds match the log now, unless it is not known whether changes were written.
        if inDoubt == nil, diverged.isEmpty { chores.startIfDue(worlds) }
    }

    // MARK: A turn

    private func takeTurn() throws(StoreError) {
        let head = try beginTurn()
        let worlds = worlds
        var problem: StoreError?
        if let lost = worlds.first(where: { !$0.world.open() }) {
            // The world was changed outside of a turn. Admit no changes now; it is reloaded before the next turn.
            diverged.insert(lost.name)
        } else if turns.state.withLockedValue({ $0.phase == .working }) {
            turns.admit()
        }
        while !turns.waitUntilEmpty(Self.keepInterval) {
            // The turn may be lost, but let the changes finish: the next turn finds out whether they can be kept.
            guard problem == nil else { continue }
            do throws(StoreError) { try log.keepTurn() } catch { problem = error }
        }
        for world in worlds { world.world.close() }
        var entries: [SharedEntry] = []
        for world in self.worlds {
            entries += world.takeEntries().map { SharedEntry(position: 0, namespace: world.name, entry: $0) }
        }
        for index in entries.indices { entries[index].position = head.position + UInt64(index) + 1 }
        guard !entries.isEmpty else {
            log.leaveTurn()
            if let problem { throw problem }
            return
        }
        lastTurn += 1
        inDoubt = (lastTurn, entries)
        if let problem {
            log.leaveTurn()
            throw problem
        }
        try log.endTurn(lastTurn, with: entries)
        inDoubt = nil
        ended(entries)
    }

    /// Waits for the turn, and applies all earlier changes.
    private func beginTurn() throws(StoreError) -> LogHead {
        var retreats = 0
        while true {
            let head = try log.beginTurn(whileWaiting: followSome)
            let isReady: Bool
            do throws(StoreError) { isReady = try prepare(at: head, mayRetreat: retreats < Self.mostRetreats) } catch {
                log.leaveTurn()
                throw error
            }
            if isReady { return head }
            // What takes long cannot run during a turn, so give up the turn first.
            log.leaveTurn()
            retreats += 1
            try repair(at: head)
            if isComplete(at: head) { try follow(to: head.position) }
        }
    }

    /// Applies the log up to `head`, and returns whether all worlds match it.
    private func prepare(at head: LogHead, mayRetreat: Bool) throws(StoreError) -> Bool {
        guard try resolve(at: head) else { return false }
        guard isComplete(at: head) else { return false }
        guard !mayRetreat || head.position <= turns.position + Self.mostFollowed else { return false }
        try follow(to: head.position, duringTurn: true)
        return diverged.isEmpty
    }

    private func isComplete(at head: LogHead) -> Bool {
        head.namespaces == namespaces && !isListDue && head.trimmed <= turns.position && diverged.isEmpty
    }

    /// Finds out whether the entries of an uncertain turn were written; returns whether this turn can continue.
    private func resolve(at head: LogHead) throws(StoreError) -> Bool {
        guard let (turn, entries) = inDoubt else { return true }
        let hasEnded = try log.hasEnded(turn)
        turns.state.withLockedValue { $0.statistics.inDoubt += 1 }
        if hasEnded {
            inDoubt = nil
            ended(entries)
            return true
        }
        guard head.position == turns.position else {
            // Another replica wrote first, so these changes are lost.
            inDoubt = nil
            diverged.formUnion(entries.map(\.namespace))
            return false
        }
        lastTurn += 1
        inDoubt = (lastTurn, entries)
        try log.endTurn(lastTurn, with: entries)
        inDoubt = nil
        ended(entries)
        return false
    }

    private func ended(_ entries: [SharedEntry]) {
        guard let last = entries.last else { return }
        turns.state.withLockedValue { state in
            state.position = last.position
            state.statistics.turns += 1
            state.statistics.written += UInt64(entries.count)
        }
        let weights = Dictionary(grouping: entries, by: \.namespace)
        for world in worlds {
            guard let own = weights[world.name], let last = own.last else { continue }
            world.isSafe(upTo: last.entry.position, adding: own.reduce(0) { $0 + 1 + $1.entry.pushCount })
        }
    }

    // MARK: Changes by other replicas

    private func look() throws(StoreError) {
        if inDoubt != nil {
            _ = try beginTurn()
            log.leaveTurn()
            return
        }
        while true {
            let head = try log.head()
            if isComplete(at: head) {
                try follow(to: head.position)
                if diverged.isEmpty { return }
            }
            try repair(at: head)
        }
    }

    /// Applies some of what others have written, so that less is left for the turn, for which they wait.
    private func followSome() {
        do throws(StoreError) {
            let head = try log.head()
            guard inDoubt == nil, isComplete(at: head) else { return }
            try follow(to: min(head.position, turns.position + Self.mostFollowed))
        } catch {
            // The turn comes upon it, too, and reports it.
        }
    }

    private func follow(to end: UInt64, duringTurn: Bool = false) throws(StoreError) {
        guard end > turns.position else { return }
        let worlds = turns.state.withLockedValue { $0.worlds }
        var weight = 0
        try log.visitEntries(after: turns.position, upTo: end) { shared throws(StoreError) in
            // A world that was opened recently may already include this entry.
            guard let world = worlds[shared.namespace], shared.entry.position > world.position,
                !diverged.contains(shared.namespace)
            else { return }
            guard shared.entry.position == world.position + 1 else {
                diverged.insert(shared.namespace)
                return
            }
            try world.world.replay(shared.entry, of: "namespace \(world.name)", turns.material)
            world.isSafe(upTo: shared.entry.position, adding: 1 + shared.entry.pushCount)
            turns.state.withLockedValue { $0.statistics.followed += 1 }
            weight += 1 + shared.entry.pushCount
            if duringTurn, weight >= Self.keepWeight {
                weight = 0
                try log.keepTurn()
            }
        }
        turns.state.withLockedValue { $0.position = end }
    }

    /// Updates the list of namespaces, and reloads worlds that cannot be updated from the log.
    private func repair(at head: LogHead) throws(StoreError) {
        if head.namespaces != namespaces || isListDue {
            let failure = applyNamespaces()
            namespaces = head.namespaces
            if failure == nil {
                listBackOff.succeeded()
            } else {
                listBackOff.failed(at: DispatchTime.now().uptimeNanoseconds)
            }
            turns.state.withLockedValue { $0.listFailure = failure }
        }
        let isBehind = head.trimmed > turns.position
        for world in worlds where isBehind || diverged.contains(world.name) {
            let (fresh, position) = try World.readNewest(world.store, like: world.world, turns.material)
            world.world.replaceState(by: fresh)
            world.replaced(at: position)
            diverged.remove(world.name)
            turns.state.withLockedValue { $0.statistics.rebuilt += 1 }
        }
        diverged = []
        if isBehind { turns.state.withLockedValue { $0.position = head.position } }
    }

    /// Whether the list of namespaces must be applied again, because some of it could not be.
    private var isListDue: Bool { listBackOff.isFailing && listBackOff.isDue(at: DispatchTime.now().uptimeNanoseconds) }

    /// Applies the list of namespaces, and returns why some of it could not be applied.
    private func applyNamespaces() -> StoreError? {
        let done = DispatchSemaphore(value: 0)
        let failure = NIOLockedValueBox<StoreError?>(nil)
        Task { [onNamespaces] in
            let problem = await onNamespaces()
            failure.withLockedValue { $0 = problem }
            done.signal()
        }
        done.wait()
        return failure.withLockedValue { $0 }
    }

    /// Reports the status of this replica once a second.
    private func report() throws(StoreError) {
        let now = DispatchTime.now().uptimeNanoseconds
        guard now >= reportAt else { return }
        status.position = turns.position
        try log.report(status)
        reportAt = now + Self.reportInterval
    }

    // MARK: Failures

    private func failed(_ error: StoreError, _ readers: [@Sendable (Bool) -> Void]) {
        let now = DispatchTime.now().uptimeNanoseconds
        let isHopeless = turns.state.withLockedValue { state in
            let since = state.failingSince ?? now
            state.failingSince = since
            guard now - since >= turns.options.timeout, state.phase == .working else {
                state.readers += readers
                return false
            }
            return true
        }
        guard isHopeless else { return }
        let worlds = worlds
        for world in worlds { world.world.setKept(false) }
        let (waitingCallers, waiting) = turns.state.withLockedValue { state in
            state.phase = .refusing
            state.trouble = error
            let waitingCallers = state.waitingCallers.filter { !$0.waitsForRecovery }
            state.waitingCallers.removeAll { !$0.waitsForRecovery }
            state.inside += waitingCallers.count
            defer { state.readers = [] }
            return (waitingCallers, readers + state.readers)
        }
        turns.onTrouble(error)
        for caller in waitingCallers { caller.use(LogTurns.Entry(mayChange: false, turns: turns)) }
        for reader in waiting { reader(false) }
        for world in worlds { world.giveUp() }
    }

    private func recovered() {
        let wasRefusing: Bool? = turns.state.withLockedValue { state in
            guard state.failingSince != nil, state.phase != .closed else { return nil }
            state.failingSince = nil
            defer { state.phase = .working }
            return state.phase == .refusing
        }
        guard wasRefusing == true else { return }
        // Refused callers must leave before the worlds accept changes again.
        while !turns.waitUntilEmpty(Self.keepInterval) {}
        for world in worlds { world.world.setKept(true) }
        turns.state.withLockedValue { $0.trouble = nil }
        turns.onTrouble(nil)
    }
}
