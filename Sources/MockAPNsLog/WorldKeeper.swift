internal import MockAPNsRules
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Keeps one open world in a store.
package final class WorldKeeper: WorldKeeping {
    /// Dependencies that other targets implement.
    package struct Material: Sendable {
        /// Recreates values that are stored as text: fault conditions and key verifiers.
        package var replay: ReplayContext
        /// Returns the SHA-256 of bytes, as hex.
        package var digest: @Sendable ([UInt8]) -> String

        package init(replay: ReplayContext, digest: @escaping @Sendable ([UInt8]) -> String) {
            self.replay = replay
            self.digest = digest
        }
    }

    package let world: World
    private let store: any WorldStore
    private let stores: KeptStores
    private let writer: LogWriter
    private let failure: NIOLockedValueBox<StoreError?>
    private let readFailures: ReadFailures

    /// Opens the world of a store; a new store starts with `world`.
    init(
        _ world: World, in store: any WorldStore, of stores: KeptStores, name: String, _ settings: KeptStores.Settings
    ) throws(StoreError) {
        let material = settings.material
        let kept: World
        var position: UInt64 = 0
        var snapshotPosition: UInt64?
        if let snapshot = try store.newestSnapshot() {
            (kept, position) = try World.read(store, from: snapshot, like: world, material)
            snapshotPosition = snapshot.position
        } else {
            try World.requireNew(store)
            kept = world
            try store.write(LogSnapshot(of: world, material))
        }
        let failure = NIOLockedValueBox<StoreError?>(nil)
        writer = LogWriter(
            store, after: position, snapshotAt: snapshotPosition, options: settings.options, name: name,
            now: { kept.clock.read().system.microseconds }, pins: { kept.journal.pins },
            onTrouble: { [weak kept] error in
                failure.withLockedValue { $0 = error }
                kept?.setKept(error == nil)
                settings.onTrouble(error)
            },
            onBackgroundChange: { work, error in
                if error == nil || !Self.isLost(store) { settings.onBackgroundChange(work, error) }
            }, snapshot: { LogSnapshot(of: kept, material) })
        self.failure = failure
        self.world = kept
        self.store = store
        self.stores = stores
        readFailures = ReadFailures { if !Self.isLost(store) { settings.onReadFailure($0) } }
        let history = KeptHistory(of: store, on: stores.readers, onFailure: readFailures.note)
        kept.journal.keepsOlder(in: history)
        kept.log(to: writer)
        if settings.isConfigured, kept !== world { kept.configure(as: world.configured) }
        kept.continueAfterRestart()
    }

    /// Whether the store has lost its data, so that changes are refused; the check that finds that reports it.
    private static func isLost(_ store: any WorldStore) -> Bool {
        do throws(StoreError) { try store.check() } catch { return true }
        return false
    }

    package var trouble: StoreError? { failure.withLockedValue { $0 } }

    package var readFailure: StoreError? { readFailures.latest }

    package var backgroundFailure: StoreError? { writer.backgroundFailure }

    package func check() { writer.check() }

    package func enter() async -> (@Sendable () -> Void)? {
        if trouble != nil { return nil }
        return {}
    }

    package func catchUp() async -> Bool { true }

    package func write(properties: [String: String]) async throws(StoreError) {
        try await stores.threads.run { [writer, store] () throws(StoreError) in
            try writer.whileNotWriting { () throws(StoreError) in try store.write(properties: properties) }
        }
    }

    package func abandon(_ delete: @escaping @Sendable () throws(StoreError) -> Void) async throws(StoreError) {
        defer { world.log(to: nil) }
        try await writer.abandon(delete)
    }

    /// Writes all pending changes, and a snapshot if there were changes since the last, unless the store is failing.
    package func close() async {
        await writer.close()
        world.log(to: nil)
    }
}
