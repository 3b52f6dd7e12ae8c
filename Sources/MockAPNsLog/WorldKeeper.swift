internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Keeps one world in a store, from its opening until its end.
package final class WorldKeeper: Sendable {
    /// What is passed in because it needs other targets.
    package struct Material: Sendable {
        /// Makes what is kept as text: conditions of faults, and verifiers of keys.
        package var replay: ReplayMaterial
        /// Returns the SHA-256 of bytes, as hex.
        package var digest: @Sendable ([UInt8]) -> String

        package init(replay: ReplayMaterial, digest: @escaping @Sendable ([UInt8]) -> String) {
            self.replay = replay
            self.digest = digest
        }
    }

    /// The world that is kept.
    package let world: World
    private let store: any WorldStore
    private let writer: LogWriter
    private let failure: NIOLockedValueBox<StoreError?>

    /// Opens the world of a store; a new store begins with `world`.
    ///
    /// With `isConfigured`, what a reset restores is from then on what `world` is.
    ///
    /// `onTrouble` is called with the error when the store begins to fail, and with `nil` when it works again.
    package init(
        _ world: World,
        in store: any WorldStore,
        name: String,
        isConfigured: Bool,
        material: Material,
        options: LogWriter.Options = LogWriter.Options(),
        onTrouble: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) throws(StoreError) {
        let kept: World
        var position: UInt64 = 0
        if let snapshot = try store.newestSnapshot() {
            (kept, position) = try World.read(store, from: snapshot, like: world, material)
        } else {
            kept = world
            try store.write(LogSnapshot(of: world, material))
        }
        let failure = NIOLockedValueBox<StoreError?>(nil)
        writer = LogWriter(
            store,
            after: position,
            options: options,
            name: name,
            now: { kept.clock.read().system.microseconds },
            onTrouble: { [weak kept] error in
                failure.withLockedValue { $0 = error }
                kept?.setKept(error == nil)
                onTrouble(error)
            },
            snapshot: { LogSnapshot(of: kept, material) }
        )
        self.failure = failure
        self.world = kept
        self.store = store
        kept.journal.keepsOlder(in: KeptHistory(store.history, onFailure: onTrouble))
        kept.log(to: writer)
        if isConfigured, kept !== world { kept.configure(as: world.configured) }
        kept.continueAfterRestart()
    }

    /// Why changes cannot be kept at the moment; `nil` if they can.
    package var trouble: StoreError? { failure.withLockedValue { $0 } }

    /// Returns whether everything that has changed so far is safe, once that is known.
    package func isSafe() async -> Bool {
        guard let end = world.logEnd else { return true }
        return await withCheckedContinuation { continuation in
            end.whenSafe { continuation.resume(returning: $0) }
        }
    }

    /// Replaces what the server keeps about the namespace besides its world.
    package func write(properties: [String: String]) throws(StoreError) {
        try writer.whileNotWriting { () throws(StoreError) in try store.write(properties: properties) }
    }

    /// Ends the keeping: everything is written, with a snapshot.
    package func close() async {
        await writer.close()
        world.log(to: nil)
    }
}

/// The history of a store, whose failures are reported and give nothing.
private struct KeptHistory: OlderPushes {
    private let history: any PushHistory
    private let onFailure: @Sendable (StoreError?) -> Void

    init(_ history: any PushHistory, onFailure: @escaping @Sendable (StoreError?) -> Void) {
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

    private func attempt<Value>(_ read: () throws(StoreError) -> Value) -> Value? {
        do throws(StoreError) { return try read() } catch {
            onFailure(error)
            return nil
        }
    }
}

extension LogSnapshot {
    init(of world: World, _ material: WorldKeeper.Material) {
        let archive = world.archive()
        self.init(
            position: archive.end,
            data: archive.data,
            digest: material.digest(Array(archive.data[..<archive.canonicalLength])),
            firstPush: archive.firstPush
        )
    }
}

extension World {
    /// Returns the world of a store, and the position of its last change; `other` has what belongs to the process.
    package static func read(
        _ store: any WorldStore,
        from snapshot: LogSnapshot,
        like other: World,
        _ material: WorldKeeper.Material
    ) throws(StoreError) -> (world: World, position: UInt64) {
        var position = snapshot.position
        do {
            let world = try World(
                archive: snapshot.data,
                pipeline: other.ruleset.pipeline,
                journalCapacity: other.journal.capacity,
                material.replay
            )
            var pushes: [KeptPush] = []
            try store.visitJournal(of: snapshot) { push throws(StoreError) in pushes.append(push) }
            try world.journal.restore(pushes.map { ($0.push, $0.steps, $0.fanOut) }, isWhole: false)
            try store.visitEntries(after: position) { entry throws(StoreError) in
                guard entry.position == position + 1 else {
                    let next = "the next one is \(entry.position)"
                    throw StoreError(.damaged, "the change \(position + 1) is missing; \(next)")
                }
                position = entry.position
                try world.replay(entry, material)
            }
            return (world, position)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.damaged, "the state after change \(snapshot.position) cannot be read: \(error)")
        }
    }

    private func replay(_ entry: LogEntry, _ material: WorldKeeper.Material) throws(StoreError) {
        let time = WorldClock.Reading(
            system: Timestamp(microseconds: entry.system),
            world: Timestamp(microseconds: entry.world)
        )
        do throws(ReplayError) {
            try replay(kind: entry.kind, data: entry.data, pushes: entry.pushes, at: time, material.replay)
        } catch {
            throw switch error {
            case .unknownKind(let kind):
                StoreError(
                    .newer,
                    "a newer mock-apns has written change \(entry.position) (\(kind)); use that one"
                )
            default: StoreError(.damaged, "the change \(entry.position) cannot be applied: \(error)")
            }
        }
    }
}
