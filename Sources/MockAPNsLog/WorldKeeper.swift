internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Keeps one open world in a store.
package final class WorldKeeper: WorldKeeping {
    /// Dependencies that other targets implement.
    package struct Material: Sendable {
        /// Recreates values that are stored as text: fault conditions and key verifiers.
        package var replay: ReplayMaterial
        /// Returns the SHA-256 of bytes, as hex.
        package var digest: @Sendable ([UInt8]) -> String

        package init(replay: ReplayMaterial, digest: @escaping @Sendable ([UInt8]) -> String) {
            self.replay = replay
            self.digest = digest
        }
    }

    package let world: World
    private let store: any WorldStore
    private let writer: LogWriter
    private let failure: NIOLockedValueBox<StoreError?>
    private let readFailures: ReadFailures

    /// Opens the world of a store; a new store starts with `world`.
    ///
    /// With `isConfigured`, resets restore the configuration of `world` from then on.
    ///
    /// `onTrouble` is called with the error when the store starts to fail, and with `nil` when it works again;
    /// `onBackgroundChange` does the same for work that no change waits for.
    /// `onReadFailure` is called with the reason why lists miss pushes, once per distinct text.
    package init(
        _ world: World,
        in store: any WorldStore,
        name: String,
        isConfigured: Bool,
        material: Material,
        options: LogWriter.Options = LogWriter.Options(),
        onTrouble: @escaping @Sendable (StoreError?) -> Void = { _ in },
        onBackgroundChange: @escaping @Sendable (BackgroundWork, StoreError?) -> Void = { _, _ in },
        onReadFailure: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) throws(StoreError) {
        let kept: World
        var position: UInt64 = 0
        var snapshotPosition: UInt64?
        if let snapshot = try store.newestSnapshot() {
            (kept, position) = try World.read(store, from: snapshot, like: world, material)
            snapshotPosition = snapshot.position
        } else {
            kept = world
            try store.write(LogSnapshot(of: world, material))
        }
        let failure = NIOLockedValueBox<StoreError?>(nil)
        writer = LogWriter(
            store,
            after: position,
            snapshotAt: snapshotPosition,
            options: options,
            name: name,
            now: { kept.clock.read().system.microseconds },
            pins: { kept.journal.pins },
            onTrouble: { [weak kept] error in
                failure.withLockedValue { $0 = error }
                kept?.setKept(error == nil)
                onTrouble(error)
            },
            onBackgroundChange: onBackgroundChange,
            snapshot: { LogSnapshot(of: kept, material) }
        )
        self.failure = failure
        self.world = kept
        self.store = store
        readFailures = ReadFailures(onNew: onReadFailure)
        kept.journal.keepsOlder(in: KeptHistory(store.history, onFailure: readFailures.note))
        kept.log(to: writer)
        if isConfigured, kept !== world { kept.configure(as: world.configured) }
        kept.continueAfterRestart()
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

    package func write(properties: [String: String]) throws(StoreError) {
        try writer.whileNotWriting { () throws(StoreError) in try store.write(properties: properties) }
    }

    package func abandon(
        _ delete: @escaping @Sendable () throws(StoreError) -> Void
    ) async throws(StoreError) {
        defer { world.log(to: nil) }
        try await writer.abandon(delete)
    }

    /// Writes all pending changes, and a snapshot if there were changes since the last, unless the store is failing.
    package func close() async {
        await writer.close()
        world.log(to: nil)
    }
}

/// The history of a store; failed reads are reported and return nothing.
struct KeptHistory: OlderPushes {
    private let history: any PushHistory
    private let onFailure: @Sendable (StoreError) -> Void

    init(_ history: any PushHistory, onFailure: @escaping @Sendable (StoreError) -> Void) {
        self.history = history
        self.onFailure = onFailure
    }

    func pushes(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) -> [KeptPush] {
        attempt { () throws(StoreError) in try history.pushes(query, in: range, atMost: most) } ?? []
    }

    func push(seq: UInt64) -> KeptPush? {
        attempt { () throws(StoreError) in try history.push(seq: seq) } ?? nil
    }

    func push(apnsID: String) -> KeptPush? {
        attempt { () throws(StoreError) in try history.push(apnsID: apnsID) } ?? nil
    }

    var extent: HistoryExtent? { attempt { () throws(StoreError) in try history.extent() } }

    func isUnreadable(_ push: UInt64, _ error: ArchiveError) {
        onFailure(StoreError(.damaged, "push \(push) cannot be read (\(error)); restore a copy"))
    }

    private func attempt<Value>(_ read: () throws(StoreError) -> Value) -> Value? {
        do throws(StoreError) { return try read() } catch {
            onFailure(error)
            return nil
        }
    }
}

/// Deduplicates read failures by text: a list that is reloaded fails each time with the same one.
final class ReadFailures: Sendable {
    /// The maximum number of texts that are remembered.
    private static let most = 1_000

    private let state = NIOLockedValueBox((latest: StoreError?.none, known: Set<String>()))
    private let onNew: @Sendable (StoreError) -> Void

    init(onNew: @escaping @Sendable (StoreError) -> Void) { self.onNew = onNew }

    var latest: StoreError? { state.withLockedValue { $0.latest } }

    func note(_ error: StoreError) {
        let isNew = state.withLockedValue { state in
            state.latest = error
            return state.known.count < Self.most && state.known.insert(error.description).inserted
        }
        if isNew { onNew(error) }
    }
}
