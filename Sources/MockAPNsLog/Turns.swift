internal import Dispatch
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Lets a server change its worlds in turns with the other replicas of a shared log.
///
/// Whoever wants to change something enters, and waits for the server's turn. In its turn, the server has applied everything
/// that the others have changed, and nobody else changes anything until it ends. All who waited go in together and leave
/// one by one; when the last has left, the changes are written, and then their answers are sent. So changes follow each
/// other as in one server alone, and each costs a small part of one transaction.
package final class Turns: Sendable {
    /// The settings of turns.
    package struct Options: Sendable {
        /// How long changes wait while the database fails, in nanoseconds; then they are refused.
        package var patience: UInt64 = 2_000_000_000
        /// The time between two attempts while the database fails, in nanoseconds.
        package var retryInterval: UInt64 = 100_000_000
        /// The time after which a server without work looks for changes of the others, in nanoseconds.
        package var pollInterval: UInt64 = 20_000_000
        /// The number of changes and pushes after which a snapshot is written.
        package var snapshotInterval = 100_000

        package init() {}
    }

    /// Somebody who was let in, and must leave once.
    package struct Entry: Sendable {
        /// Whether the worlds may be changed; `false` if the database has failed for too long.
        package let mayChange: Bool
        let turns: Turns

        package func leave() { turns.leave() }
    }

    /// What has happened since the start.
    package struct Figures: Equatable, Sendable {
        /// Turns in which something was written.
        package var turns: UInt64 = 0
        /// Entries that this replica has written.
        package var written: UInt64 = 0
        /// Entries of other replicas that were applied.
        package var followed: UInt64 = 0
        /// Turns whose end was not answered, and which were looked up afterwards.
        package var unsure: UInt64 = 0
        /// Worlds that were read from the database again.
        package var rebuilt: UInt64 = 0
    }

    typealias Entrant = @Sendable (Entry) -> Void

    enum Phase {
        case working
        /// The database has failed for too long, and every change is refused.
        case refusing
        case closed
    }

    struct State {
        var phase = Phase.working
        var trouble: StoreError?
        /// Since when the database has been failing, in nanoseconds of the monotonic clock; `nil` while it works.
        var failingSince: UInt64?
        var worlds: [String: SharedWorld] = [:]
        /// Whoever waits for a turn; the patient ones also wait while changes are refused.
        var entrants: [(isPatient: Bool, use: Entrant)] = []
        /// Whoever waits for the changes of the others, and is told whether they are there.
        var readers: [@Sendable (Bool) -> Void] = []
        /// How many were let in and have not left.
        var inside = 0
        /// The position up to which the log was applied.
        var position: UInt64 = 0
        var figures = Figures()
    }

    /// The log.
    package let log: any SharedLog
    let options: Options
    let material: WorldKeeper.Material
    /// Called with the error when changes begin to be refused, and with `nil` when they are possible again.
    let onTrouble: @Sendable (StoreError?) -> Void
    let state = NIOLockedValueBox(State())
    /// Has one task for as long as the turns last.
    private let queue = DispatchQueue(label: "mock-apns.turns")
    private let wish = DispatchSemaphore(value: 0)
    private let emptied = DispatchSemaphore(value: 0)

    /// Prepares the turns of a log whose end was at `position`; `begin` lets them begin.
    package init(
        of log: any SharedLog,
        from position: UInt64,
        material: WorldKeeper.Material,
        options: Options = Options(),
        onTrouble: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) {
        self.log = log
        self.material = material
        self.options = options
        self.onTrouble = onTrouble
        state.withLockedValue { $0.position = position }
    }

    /// Begins the turns of replica `status`, which has the namespaces of a version of the log.
    ///
    /// `onNamespaces` is called when replicas have added, removed or changed namespaces, and must have followed that when it
    /// returns.
    package func begin(
        as status: ReplicaStatus,
        namespaces: UInt64,
        onNamespaces: @escaping @Sendable () async -> Void
    ) {
        queue.async { Course(self, status, namespaces: namespaces, onNamespaces: onNamespaces).run() }
    }

    /// Why changes are refused; `nil` if they are possible.
    package var trouble: StoreError? { state.withLockedValue { $0.trouble } }

    /// The position up to which the log was applied.
    package var position: UInt64 { state.withLockedValue { $0.position } }

    package var figures: Figures { state.withLockedValue { $0.figures } }

    // MARK: Worlds

    /// Opens the world of a store, which begins with `world` if it is new; from then on it is changed in turns only.
    package func add(
        _ name: String,
        _ world: World,
        in store: any WorldStore,
        onReadFailure: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) throws(StoreError) -> SharedWorld {
        if try store.newestSnapshot() == nil { try store.write(LogSnapshot(of: world, material)) }
        let (kept, position) = try World.readNewest(store, like: world, material)
        let shared = SharedWorld(
            name,
            kept,
            in: store,
            at: position,
            turns: self,
            onReadFailure: onReadFailure
        )
        kept.journal.keepsOlder(in: KeptHistory(store.history, onFailure: shared.readFailures.note))
        kept.log(to: shared)
        let trouble = state.withLockedValue { state in
            state.worlds[name] = shared
            return state.trouble
        }
        if trouble != nil { kept.setKept(false) }
        return shared
    }

    /// Forgets a world; what it changes in a turn that goes on is not written.
    func remove(_ world: SharedWorld) {
        state.withLockedValue { state in
            if state.worlds[world.name] === world { state.worlds[world.name] = nil }
        }
    }

    // MARK: Entering

    /// Calls `use` once, from any thread, when the worlds may be changed, or when it is clear that they cannot.
    ///
    /// With `isPatient`, it waits for as long as changes are refused.
    package func enter(isPatient: Bool = false, _ use: @escaping @Sendable (Entry) -> Void) {
        let isRefused = state.withLockedValue { state in
            guard state.phase == .working || (state.phase == .refusing && isPatient) else {
                state.inside += 1
                return true
            }
            state.entrants.append((isPatient, use))
            return false
        }
        if isRefused { use(Entry(mayChange: false, turns: self)) } else { wish.signal() }
    }

    package func enter() async -> Entry {
        await withCheckedContinuation { continuation in enter { continuation.resume(returning: $0) } }
    }

    /// Waits until everything is applied that other replicas had changed before the call, and returns whether it is.
    package func catchUp() async -> Bool {
        await withCheckedContinuation { continuation in
            let isHopeless = state.withLockedValue { state in
                guard state.phase == .working else { return true }
                state.readers.append { continuation.resume(returning: $0) }
                return false
            }
            if isHopeless { continuation.resume(returning: false) } else { wish.signal() }
        }
    }

    fileprivate func leave() {
        let isEmpty = state.withLockedValue { state in
            state.inside -= 1
            return state.inside == 0
        }
        if isEmpty { emptied.signal() }
    }

    /// Ends the turns; whoever waits is refused.
    package func close() async {
        let entrants = state.withLockedValue { state in
            state.phase = .closed
            state.inside += state.entrants.count
            for reader in state.readers { reader(false) }
            state.readers = []
            defer { state.entrants = [] }
            return state.entrants
        }
        for entrant in entrants { entrant.use(Entry(mayChange: false, turns: self)) }
        wish.signal()
        await withCheckedContinuation { continuation in
            queue.async {
                self.log.close()
                continuation.resume()
            }
        }
    }

    // MARK: For the course of turns

    /// Waits for somebody who wants something, or for a time in nanoseconds.
    func waitForWishes(_ nanoseconds: UInt64) {
        _ = wish.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
    }

    /// Lets in everybody who waits.
    func admit() {
        let entrants = state.withLockedValue { state in
            state.inside += state.entrants.count
            defer { state.entrants = [] }
            return state.entrants
        }
        for entrant in entrants { entrant.use(Entry(mayChange: true, turns: self)) }
    }

    /// Waits until all have left, for a time in nanoseconds at most, and returns whether they have.
    func waitUntilEmpty(_ nanoseconds: UInt64) -> Bool {
        let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: nanoseconds))
        while state.withLockedValue({ $0.inside }) > 0 {
            if emptied.wait(timeout: deadline) == .timedOut { return false }
        }
        return true
    }
}
