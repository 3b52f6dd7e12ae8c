internal import Dispatch
internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The course of a server's turns; used on one thread only.
///
/// It looks for changes of the others, takes a turn when somebody waits for one or something is due, and finds out what has
/// become of a turn whose end was not answered.
final class Course {
    /// A turn of which nothing is heard is ended by the database after a second.
    private static let keepInterval: UInt64 = 250_000_000
    private static let chores: UInt64 = 1_000_000_000

    private let turns: Turns
    private let log: any SharedLog
    private var status: ReplicaStatus
    private let onNamespaces: @Sendable () async -> Void
    /// Counts the changes of namespaces that were followed.
    private var namespaces: UInt64
    private var lastTurn: UInt64 = 0
    /// The turn of which it is not known whether it has ended with its entries.
    private var unsure: (turn: UInt64, entries: [SharedEntry])?
    /// The worlds that are not what the log makes of them.
    private var astray: Set<String> = []
    private var choresAt: UInt64 = 0

    init(
        _ turns: Turns,
        _ status: ReplicaStatus,
        namespaces: UInt64,
        onNamespaces: @escaping @Sendable () async -> Void
    ) {
        self.turns = turns
        self.status = status
        self.namespaces = namespaces
        self.onNamespaces = onNamespaces
        log = turns.log
    }

    /// Goes on until the turns are closed.
    func run() {
        while true {
            turns.waitForWishes(turns.options.pollInterval)
            let (phase, readers) = turns.state.withLockedValue { state in
                defer { state.readers = [] }
                return (state.phase, state.readers)
            }
            if phase == .closed { return }
            do throws(StoreError) {
                try step()
                recovered()
                for reader in readers { reader(true) }
            } catch {
                failed(error, readers)
                let deadline = DispatchTime.now() + .nanoseconds(Int(turns.options.retryInterval))
                while DispatchTime.now() < deadline, turns.state.withLockedValue({ $0.phase != .closed }) {
                    let left = deadline.uptimeNanoseconds &- DispatchTime.now().uptimeNanoseconds
                    turns.waitForWishes(min(left, turns.options.retryInterval))
                }
            }
        }
    }

    private var worlds: [SharedWorld] {
        turns.state.withLockedValue { $0.worlds.values.sorted { $0.name < $1.name } }
    }

    private func step() throws(StoreError) {
        let isWanted = turns.state.withLockedValue { $0.phase == .working && !$0.entrants.isEmpty }
        if isWanted || worlds.contains(where: { $0.world.needsOpening }) {
            try takeTurn()
        } else {
            try look()
        }
        try writeSnapshots()
        try doChores()
    }

    // MARK: A turn

    private func takeTurn() throws(StoreError) {
        let head = try beginTurn()
        let worlds = worlds
        var problem: StoreError?
        if let lost = worlds.first(where: { !$0.world.open() }) {
            // Something has changed it outside of turns. This turn goes by; the next one has it back.
            astray.insert(lost.name)
        } else if turns.state.withLockedValue({ $0.phase == .working }) {
            turns.admit()
        }
        while !turns.waitUntilEmpty(Self.keepInterval) {
            // Without the turn, the changes go on to their end, and the next turn tells what becomes of them.
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
        unsure = (lastTurn, entries)
        if let problem {
            log.leaveTurn()
            throw problem
        }
        try log.endTurn(lastTurn, with: entries)
        unsure = nil
        ended(entries)
    }

    /// Waits for the turn, and applies everything that came before it.
    private func beginTurn() throws(StoreError) -> LogHead {
        while true {
            let head = try log.beginTurn()
            let isReady: Bool
            do throws(StoreError) { isReady = try prepare(at: head) } catch {
                log.leaveTurn()
                throw error
            }
            if isReady { return head }
            // The rest takes long, or needs the turn's place for itself.
            log.leaveTurn()
            try repair(at: head)
        }
    }

    /// Returns whether the worlds are what the log makes of them until `head`.
    private func prepare(at head: LogHead) throws(StoreError) -> Bool {
        guard try resolve(at: head) else { return false }
        guard isComplete(at: head) else { return false }
        try follow(to: head.position)
        return astray.isEmpty
    }

    private func isComplete(at head: LogHead) -> Bool {
        head.namespaces == namespaces && head.trimmed <= turns.position && astray.isEmpty
    }

    /// Finds out what has become of the last turn; returns whether this turn can go on.
    private func resolve(at head: LogHead) throws(StoreError) -> Bool {
        guard let (turn, entries) = unsure else { return true }
        let hasEnded = try log.hasEnded(turn)
        turns.state.withLockedValue { $0.figures.unsure += 1 }
        if hasEnded {
            unsure = nil
            ended(entries)
            return true
        }
        guard head.position == turns.position else {
            // Others came first: these changes were never made.
            unsure = nil
            astray.formUnion(entries.map(\.namespace))
            return false
        }
        lastTurn += 1
        unsure = (lastTurn, entries)
        try log.endTurn(lastTurn, with: entries)
        unsure = nil
        ended(entries)
        return false
    }

    private func ended(_ entries: [SharedEntry]) {
        guard let last = entries.last else { return }
        turns.state.withLockedValue { state in
            state.position = last.position
            state.figures.turns += 1
            state.figures.written += UInt64(entries.count)
        }
        let weights = Dictionary(grouping: entries, by: \.namespace)
        for world in worlds {
            guard let own = weights[world.name], let last = own.last else { continue }
            world.isSafe(upTo: last.entry.position, adding: own.reduce(0) { $0 + 1 + $1.entry.pushes.count })
        }
    }

    // MARK: The changes of others

    private func look() throws(StoreError) {
        if unsure != nil {
            _ = try beginTurn()
            log.leaveTurn()
            return
        }
        while true {
            let head = try log.head()
            if isComplete(at: head) {
                try follow(to: head.position)
                if astray.isEmpty { return }
            }
            try repair(at: head)
        }
    }

    private func follow(to end: UInt64) throws(StoreError) {
        guard end > turns.position else { return }
        let worlds = turns.state.withLockedValue { $0.worlds }
        try log.visitEntries(after: turns.position, upTo: end) { shared throws(StoreError) in
            // A world that was opened since may be further than the log as a whole.
            guard let world = worlds[shared.namespace], shared.entry.position > world.position,
                !astray.contains(shared.namespace)
            else { return }
            guard shared.entry.position == world.position + 1 else {
                astray.insert(shared.namespace)
                return
            }
            try world.world.replay(shared.entry, turns.material)
            world.isSafe(upTo: shared.entry.position, adding: 1 + shared.entry.pushes.count)
            turns.state.withLockedValue { $0.figures.followed += 1 }
        }
        turns.state.withLockedValue { $0.position = end }
    }

    /// Follows the namespaces, and reads worlds again that cannot follow the log.
    private func repair(at head: LogHead) throws(StoreError) {
        if head.namespaces != namespaces {
            let done = DispatchSemaphore(value: 0)
            Task { [onNamespaces] in
                await onNamespaces()
                done.signal()
            }
            done.wait()
            namespaces = head.namespaces
        }
        let isBehind = head.trimmed > turns.position
        for world in worlds where isBehind || astray.contains(world.name) {
            let (fresh, position) = try World.readNewest(world.store, like: world.world, turns.material)
            world.world.replaceState(by: fresh)
            world.replaced(at: position)
            astray.remove(world.name)
            turns.state.withLockedValue { $0.figures.rebuilt += 1 }
        }
        astray = []
        if isBehind { turns.state.withLockedValue { $0.position = head.position } }
    }

    // MARK: Chores

    private func writeSnapshots() throws(StoreError) {
        guard unsure == nil else { return }
        for world in worlds where world.takeSnapshotDue(turns.options.snapshotInterval) {
            try world.store.write(LogSnapshot(of: world.world, turns.material))
        }
    }

    private func doChores() throws(StoreError) {
        let now = DispatchTime.now().uptimeNanoseconds
        guard now >= choresAt else { return }
        choresAt = now + Self.chores
        status.position = turns.position
        try log.report(status)
        for world in worlds {
            let hasMore = try world.store.tidy(at: world.world.clock.read().system.microseconds)
            if hasMore { choresAt = now }
        }
    }

    // MARK: Trouble

    private func failed(_ error: StoreError, _ readers: [@Sendable (Bool) -> Void]) {
        let now = DispatchTime.now().uptimeNanoseconds
        let isHopeless = turns.state.withLockedValue { state in
            let since = state.failingSince ?? now
            state.failingSince = since
            guard now - since >= turns.options.patience, state.phase == .working else {
                state.readers += readers
                return false
            }
            return true
        }
        guard isHopeless else { return }
        let worlds = worlds
        for world in worlds { world.world.setKept(false) }
        let (entrants, waiting) = turns.state.withLockedValue { state in
            state.phase = .refusing
            state.trouble = error
            let entrants = state.entrants.filter { !$0.isPatient }
            state.entrants.removeAll { !$0.isPatient }
            state.inside += entrants.count
            defer { state.readers = [] }
            return (entrants, readers + state.readers)
        }
        turns.onTrouble(error)
        for entrant in entrants { entrant.use(Turns.Entry(mayChange: false, turns: turns)) }
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
        // Whoever was refused must have left before worlds accept changes again.
        while !turns.waitUntilEmpty(Self.keepInterval) {}
        for world in worlds { world.world.setKept(true) }
        turns.state.withLockedValue { $0.trouble = nil }
        turns.onTrouble(nil)
    }
}
