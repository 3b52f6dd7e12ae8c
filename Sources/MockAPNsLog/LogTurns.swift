internal import Dispatch
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Lets a server change its worlds in turns with the other replicas of a shared log.
///
/// To change something, a caller enters and waits for the server's turn. During the turn, the server has applied all
/// changes of the other replicas, and no other replica makes changes. All waiting callers are admitted together. When
/// the last one has left, the changes are written in one transaction, and then the responses are sent. So changes are
/// serialized as on a single server, and callers share the cost of a transaction.
package final class LogTurns: Sendable {
    /// The settings of turns.
    package struct Options: Sendable {
        /// How long changes wait while the database fails, in nanoseconds; then they are refused.
        package var timeout: UInt64 = 2_000_000_000
        /// The time between two attempts while the database fails, in nanoseconds.
        package var retryInterval: UInt64 = 100_000_000
        /// How often an idle server polls for changes by other replicas, in nanoseconds.
        package var pollInterval: UInt64 = 20_000_000
        /// The number of changes and pushes after which a snapshot is written.
        package var snapshotInterval = 100_000
        /// The first and the longest pause after background work has failed, in nanoseconds.
        package var backgroundPauses: ClosedRange<UInt64> = 1_000_000_000...300_000_000_000

        package init() {}
    }

    /// The permission of an admitted caller, who must call `leave` exactly once.
    package struct Entry: Sendable {
        /// Whether the worlds may be changed; `false` if the database has failed for too long.
        package let mayChange: Bool
        let turns: LogTurns

        package func leave() { turns.leave() }
    }

    /// Counters since the start.
    package struct Statistics: Equatable, Sendable {
        /// Turns in which something was written.
        package var turns: UInt64 = 0
        /// Entries that this replica has written.
        package var written: UInt64 = 0
        /// Entries of other replicas that were applied.
        package var followed: UInt64 = 0
        /// Turns whose commit failed, so that a later turn had to look up the outcome.
        package var inDoubt: UInt64 = 0
        /// Worlds that were reloaded from the database.
        package var rebuilt: UInt64 = 0
    }

    typealias Caller = @Sendable (Entry) -> Void

    enum Phase {
        case working
        /// The database has failed for too long, and every change is refused.
        case refusing
        case closed
    }

    struct State {
        var phase = Phase.working
        var trouble: StoreError?
        /// When the database started to fail, in nanoseconds of the monotonic clock; `nil` while it works.
        var failingSince: UInt64?
        var worlds: [String: SharedWorld] = [:]
        /// The callers waiting for a turn; those that wait for recovery stay while changes are refused.
        var waitingCallers: [(waitsForRecovery: Bool, use: Caller)] = []
        /// The callers waiting for changes by other replicas; each is told whether they were applied.
        var readers: [@Sendable (Bool) -> Void] = []
        /// The number of callers that have entered and not left.
        var inside = 0
        /// The position of the last log entry that was applied.
        var position: UInt64 = 0
        var statistics = Statistics()
        /// The reason why namespaces of other replicas are missing here.
        var listFailure: StoreError?
    }

    let log: any SharedLog
    let stores: KeptStores
    let options: Options
    let material: WorldKeeper.Material
    /// Called with the error when changes start to be refused, and with `nil` when they are accepted again.
    let onTrouble: @Sendable (StoreError?) -> Void
    let state = NIOLockedValueBox(State())
    /// Runs a single task until the turns are closed.
    private let queue = DispatchQueue(label: "mock-apns.turns")
    private let arrived = DispatchSemaphore(value: 0)
    private let emptied = DispatchSemaphore(value: 0)

    /// Prepares the turns of a shared log whose end is `position`; `begin` starts them.
    package init(
        of stores: KeptStores, from position: UInt64, material: WorldKeeper.Material, options: Options = Options(),
        onTrouble: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) {
        guard let log = stores.log else { preconditionFailure("only a shared log has turns") }
        (self.log, self.stores) = (log, stores)
        self.material = material
        self.options = options
        self.onTrouble = onTrouble
        state.withLockedValue { $0.position = position }
    }

    /// Starts the turns of the replica `status`, whose namespaces are those of the version `namespaces` of the list.
    ///
    /// `onNamespaces` is called when replicas have added, removed or changed namespaces. It must apply that before it
    /// returns; if it returns an error, something is missing, and it is called again after a pause.
    package func begin(
        as status: ReplicaStatus, namespaces: UInt64, onNamespaces: @escaping @Sendable () async -> StoreError?
    ) { queue.async { ReplicaLoop(self, status, namespaces: namespaces, onNamespaces: onNamespaces).run() } }

    /// The reason why changes are refused; `nil` if they are accepted.
    package var trouble: StoreError? { state.withLockedValue { $0.trouble } }

    /// The reason why namespaces that other replicas have created are missing here; `nil` if none is.
    package var listFailure: StoreError? { state.withLockedValue { $0.listFailure } }

    /// Whether the last attempt to use the database has failed.
    var isFailing: Bool { state.withLockedValue { $0.failingSince != nil } }

    /// The position of the last log entry that was applied.
    package var position: UInt64 { state.withLockedValue { $0.position } }

    package var statistics: Statistics { state.withLockedValue { $0.statistics } }

    // MARK: Worlds

    /// Opens the world of a store; a new store starts with `world`.
    ///
    /// From then on, the world is changed only during turns.
    func add(
        _ name: String, _ world: World, in store: any WorldStore,
        onBackgroundChange: @escaping @Sendable (BackgroundWork, StoreError?) -> Void,
        onReadFailure: @escaping @Sendable (StoreError) -> Void
    ) throws(StoreError) -> SharedWorld {
        if try store.newestSnapshot() == nil {
            try World.requireNew(store)
            try store.write(LogSnapshot(of: world, material))
        }
        let (kept, position) = try World.readNewest(store, like: world, material)
        let shared = SharedWorld(
            name, kept, in: store, at: position, turns: self, onBackgroundChange: onBackgroundChange,
            onReadFailure: onReadFailure)
        let history = KeptHistory(of: store, on: stores.readers, onFailure: shared.readFailures.note)
        kept.journal.keepsOlder(in: history)
        kept.log(to: shared)
        let trouble = state.withLockedValue { state in
            state.worlds[name] = shared
            return state.trouble
        }
        if trouble != nil { kept.setKept(false) }
        return shared
    }

    /// Removes a world; its changes in the current turn are not written.
    func remove(_ world: SharedWorld) {
        state.withLockedValue { state in if state.worlds[world.name] === world { state.worlds[world.name] = nil } }
    }

    // MARK: Entering

    /// Calls `use` once, from any thread, when the worlds may be changed, or when changes are refused.
    ///
    /// With `waitsForRecovery`, it waits until changes are accepted again.
    package func enter(waitsForRecovery: Bool = false, _ use: @escaping @Sendable (Entry) -> Void) {
        let isRefused = state.withLockedValue { state in
            guard state.phase == .working || (state.phase == .refusing && waitsForRecovery) else {
                state.inside += 1
                return true
            }
            state.waitingCallers.append((waitsForRecovery, use))
            return false
        }
        if isRefused { use(Entry(mayChange: false, turns: self)) } else { arrived.signal() }
    }

    package func enter() async -> Entry {
        await withCheckedContinuation { continuation in enter { continuation.resume(returning: $0) } }
    }

    /// Waits until all changes that other replicas made before the call are applied, and returns whether they are.
    package func catchUp() async -> Bool {
        await withCheckedContinuation { continuation in
            let isHopeless = state.withLockedValue { state in
                guard state.phase == .working else { return true }
                state.readers.append { continuation.resume(returning: $0) }
                return false
            }
            if isHopeless { continuation.resume(returning: false) } else { arrived.signal() }
        }
    }

    fileprivate func leave() {
        let isEmpty = state.withLockedValue { state in
            state.inside -= 1
            return state.inside == 0
        }
        if isEmpty { emptied.signal() }
    }

    /// Ends the turns, and refuses all waiting callers.
    package func close() async {
        let waitingCallers = state.withLockedValue { state in
            state.phase = .closed
            state.inside += state.waitingCallers.count
            for reader in state.readers { reader(false) }
            state.readers = []
            defer { state.waitingCallers = [] }
            return state.waitingCallers
        }
        for caller in waitingCallers { caller.use(Entry(mayChange: false, turns: self)) }
        arrived.signal()
        await withCheckedContinuation { continuation in
            queue.async {
                self.log.close()
                continuation.resume()
            }
        }
    }

    // MARK: For ReplicaLoop

    /// Waits for the next caller, at most this many nanoseconds.
    func waitForCallers(_ nanoseconds: UInt64) { _ = arrived.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) }

    /// Admits all waiting callers.
    func admit() {
        let waitingCallers = state.withLockedValue { state in
            state.inside += state.waitingCallers.count
            defer { state.waitingCallers = [] }
            return state.waitingCallers
        }
        for caller in waitingCallers { caller.use(Entry(mayChange: true, turns: self)) }
    }

    /// Waits until all callers have left, at most this many nanoseconds, and returns whether they have.
    func waitUntilEmpty(_ nanoseconds: UInt64) -> Bool {
        let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: nanoseconds))
        while state.withLockedValue({ $0.inside }) > 0 {
            if emptied.wait(timeout: deadline) == .timedOut { return false }
        }
        return true
    }
}
