internal import Dispatch
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The stores of a server's worlds, called on threads that may wait.
///
/// The targets above have this instead of the stores, so they cannot block Swift's own threads.
package final class KeptStores: Sendable {
    /// The location of the worlds, for messages.
    package let place: String
    /// The log that other servers share; `nil` if the worlds are this server's alone.
    let log: (any SharedLog)?
    /// For reading stored pushes.
    let readers: BlockingThreads
    /// For everything else, which does not wait for readers.
    let threads = BlockingThreads()
    private let stores: any WorldStores
    /// The texts of the current troubles, by namespace.
    private let troubles = NIOLockedValueBox<[String: String]>([:])
    private let closing = DispatchQueue(label: "mock-apns.close")

    /// Takes stores of this server alone; `limits` are those of reading stored pushes.
    package init(_ stores: any WorldStores, limits: BlockingThreads.Limits = BlockingThreads.Limits()) {
        self.stores = stores
        log = nil
        place = stores.place
        readers = BlockingThreads(limits)
    }

    /// Takes the log that servers share, and its stores.
    package init(sharing log: any SharedLog, limits: BlockingThreads.Limits = BlockingThreads.Limits()) {
        self.log = log
        stores = log.stores
        place = stores.place
        readers = BlockingThreads(limits)
    }

    /// The number of reads of stored pushes that wait for others.
    package var waitingReads: Int { readers.waitingCount }

    /// The names of the namespaces that have a world.
    package func names() async throws(StoreError) -> [String] {
        try await threads.run { [stores] () throws(StoreError) in try stores.names() }
    }

    /// Returns the properties of a namespace; `nil` if it does not exist, or another server is still creating it.
    package func properties(of name: String) async throws(StoreError) -> [String: String]? {
        guard let opened = try await open(name) else { return nil }
        try await threads.run { () throws(StoreError) in opened.store.close() }
        return opened.properties
    }

    /// Deletes the world of a namespace, which must be closed.
    package func remove(_ name: String) async throws(StoreError) {
        try await threads.run { [stores] () throws(StoreError) in try stores.remove(name) }
    }

    /// A store that is open, but not used yet.
    package struct Opened: Sendable {
        /// The properties of its namespace.
        package let properties: [String: String]
        fileprivate let store: any WorldStore
    }

    /// Opens the store of a namespace; `nil` if it does not exist, or another server is still creating it.
    package func open(_ name: String) async throws(StoreError) -> Opened? {
        try await threads.run { [stores, log] () throws(StoreError) -> Opened? in
            guard let store = try stores.open(name) else { return nil }
            do throws(StoreError) {
                let isWhole = if log == nil { true } else { try store.newestSnapshot() != nil }
                if isWhole { return Opened(properties: try store.properties(), store: store) }
            } catch {
                store.close()
                throw error
            }
            store.close()
            return nil
        }
    }

    /// Stops keeping the world of a namespace, and deletes its data unless another server has done so.
    package func abandon(_ keeper: any WorldKeeping, of name: String, isDeleted: Bool) async throws(StoreError) {
        try await keeper.abandon { [stores] () throws(StoreError) in if !isDeleted { try stores.remove(name) } }
    }

    /// How a world is kept.
    package struct Settings: Sendable {
        /// The turns in which the world changes, if servers share it.
        package var turns: LogTurns?
        /// Whether resets restore the configuration of the given world.
        package var isConfigured = false
        package var material: WorldKeeper.Material
        package var options = LogWriter.Options()
        /// Called with the error when the store starts to fail, and with `nil` when it works again.
        package var onTrouble: @Sendable (StoreError?) -> Void = { _ in }
        /// Does the same for work that no change waits for.
        package var onBackgroundChange: @Sendable (BackgroundWork, StoreError?) -> Void = { _, _ in }
        /// Called with the reason why lists miss pushes, once per distinct text.
        package var onReadFailure: @Sendable (StoreError) -> Void = { _ in }

        package init(_ material: WorldKeeper.Material) { self.material = material }
    }

    /// Opens the world of a namespace; a new one starts with `world`.
    ///
    /// Throws if it does not exist and `creates` is `false`. A store that is open already is passed as `opened`.
    package func keep(
        _ world: World, of name: String, in opened: Opened? = nil, creates: Bool, _ settings: Settings
    ) async throws(StoreError) -> any WorldKeeping {
        try await threads.run { [self] () throws(StoreError) -> any WorldKeeping in
            let found: (any WorldStore)? =
                if let opened { opened.store } else if creates { try stores.create(name) } else {
                    try stores.open(name)
                }
            guard let store = found else { throw StoreError(.failed, "the namespace \(name) was deleted meanwhile") }
            if let turns = settings.turns {
                return try turns.add(
                    name, world, in: store, onBackgroundChange: settings.onBackgroundChange,
                    onReadFailure: settings.onReadFailure)
            }
            return try WorldKeeper(world, in: store, of: self, name: name, settings)
        }
    }

    // MARK: Servers that share a log

    /// Adds this server to those that share the log; returns its number, and the end of the log.
    package func join(as replica: ReplicaStatus) async throws(StoreError) -> (number: UInt64, head: LogHead) {
        try await threads.run { [log] () throws(StoreError) in
            guard let log else { preconditionFailure("only a shared log has replicas") }
            return (try log.join(as: replica), try log.head())
        }
    }

    /// Returns the servers that have reported in the last 10 seconds, sorted by number.
    package func replicas() async throws(StoreError) -> [ReplicaStatus] {
        try await threads.run { [log] () throws(StoreError) in try log?.replicas() ?? [] }
    }

    /// Notes that a namespace cannot be stored, or with `nil` that it can be again; returns whether no other namespace has
    /// the same trouble, as with a file that all of them use.
    package func isFirst(_ trouble: StoreError?, of namespace: String) -> Bool {
        troubles.withLockedValue { troubles in
            let text = trouble?.description ?? troubles[namespace]
            troubles[namespace] = nil
            defer { troubles[namespace] = trouble?.description }
            return text == nil || !troubles.values.contains { $0 == text }
        }
    }

    // MARK: The end

    /// Ends all calls that wait for a disk or a database, as far as they can be ended, and everybody's wait for them.
    package func interrupt() {
        for pool in [readers, threads] { pool.stop() }
        stores.interrupt()
    }

    /// Releases the location for other servers.
    ///
    /// Make no calls afterwards.
    package func close() async {
        await withCheckedContinuation { continuation in
            closing.async { [stores] in
                stores.close()
                continuation.resume()
            }
        }
        for pool in [readers, threads] { pool.stop() }
    }
}
