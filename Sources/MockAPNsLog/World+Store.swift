internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld

extension LogSnapshot {
    init(of world: World, _ material: WorldKeeper.Material) {
        let archive = world.archive()
        self.init(
            position: archive.end, data: archive.data,
            digest: material.digest(Array(archive.data[..<archive.canonicalLength])), firstPush: archive.firstPush)
    }
}

extension World {
    /// Restores a world from a snapshot and the changes up to `end`; returns it with the last change's position.
    ///
    /// `other` provides what belongs to the process. Without `isRestoringJournal`, the journal gets only the pushes of
    /// changes after the snapshot.
    package static func read(
        _ store: any WorldStore, from snapshot: LogSnapshot, upTo end: UInt64 = .max, like other: World,
        isRestoringJournal: Bool = true, _ material: WorldKeeper.Material
    ) throws(StoreError) -> (world: World, position: UInt64) {
        var position = snapshot.position
        do {
            let world = try World(
                archive: snapshot.data, pipeline: other.ruleset.pipeline, journalCapacity: other.journal.capacity,
                material.replay)
            var pushes: [ReadPush] = []
            if isRestoringJournal {
                try store.visitJournal(of: snapshot) { push throws(StoreError) in pushes.append(push) }
            }
            try world.journal.restore(pushes, isWhole: false)
            try store.visitEntries(after: position) { entry throws(StoreError) in
                guard entry.position <= end else { return }
                guard entry.position == position + 1 else {
                    let seen = "change \(position + 1) is missing, the next one is \(entry.position)"
                    throw StoreError(damaged: store.place, seen)
                }
                position = entry.position
                try world.replay(entry, of: store.place, material)
            }
            return (world, position)
        } catch let error as StoreError { throw error } catch {
            let seen = "the state after change \(snapshot.position) cannot be read: \(error)"
            throw StoreError(damaged: store.place, seen)
        }
    }

    /// Returns the world of a store after all of its changes.
    static func readNewest(
        _ store: any WorldStore, like other: World, _ material: WorldKeeper.Material
    ) throws(StoreError) -> (world: World, position: UInt64) {
        guard let snapshot = try store.newestSnapshot() else {
            throw StoreError(damaged: store.place, "there is no snapshot")
        }
        return try read(store, from: snapshot, like: other, material)
    }

    /// Applies a change of a log; `place` is where the log is, for messages.
    func replay(_ entry: LogEntry, of place: String, _ material: WorldKeeper.Material) throws(StoreError) {
        let time = WorldClock.Reading(
            system: Timestamp(microseconds: entry.system), world: Timestamp(microseconds: entry.world))
        do throws(ReplayError) {
            try replay(kind: entry.kind, data: entry.data, pushes: entry.pushes, at: time, material.replay)
        } catch {
            if case .unknownKind(let kind) = error {
                let seen = "change \(entry.position) (\(kind)) was written by a newer mock-apns"
                throw StoreError(.otherVersion, "\(place): \(seen); use that version")
            }
            throw StoreError(damaged: place, "change \(entry.position) cannot be applied: \(error)")
        }
    }

    /// Throws if a store without a snapshot is not new: its changes apply to a state that is lost.
    static func requireNew(_ store: any WorldStore) throws(StoreError) {
        try store.visitEntries(after: 0) { _ throws(StoreError) in throw Self.noSnapshot(store) }
        guard try store.history.extent().count == 0 else { throw noSnapshot(store) }
    }

    private static func noSnapshot(_ store: any WorldStore) -> StoreError {
        StoreError(damaged: store.place, "there is no snapshot, although there are changes or pushes")
    }
}

extension World {
    /// A world without devices, which provides what belongs to the process.
    static var blank: World {
        do throws(DeviceError) { return try World(ruleset: Ruleset()) } catch {
            preconditionFailure("a world without devices can be created: \(error)")
        }
    }
}

extension WorldKeeper {
    /// Returns the current world of a store, to show the pushes of its history.
    ///
    /// Changes of the returned world are not stored.
    package static func world(of store: any WorldStore, _ material: Material) throws(StoreError) -> World {
        guard let newest = try store.newestSnapshot() else {
            throw StoreError(damaged: store.place, "there is no snapshot")
        }
        do throws(StoreError) { return try World.read(store, from: newest, like: .blank, material).world } catch {
            guard error.code == .damaged else { throw error }
            // A single push may be damaged. Show the others, without the data that compares pushes in the journal.
            return try World.read(store, from: newest, like: .blank, isRestoringJournal: false, material).world
        }
    }

    /// Replays a store; returns the problems found, and the digest of the state after the last change.
    ///
    /// Replaying the changes after the older snapshot must result in the newest one.
    package static func check(
        _ store: any WorldStore, _ material: Material
    ) throws(StoreError) -> (problems: [String], digest: String) {
        guard let newest = try store.newestSnapshot() else { return (["there is no snapshot"], "") }
        let blank = World.blank
        var problems: [String] = []
        if let older = try store.newestSnapshot(below: newest.position) {
            let end = newest.position
            let replayed = try World.read(store, from: older, upTo: end, like: blank, material).world
            let digest = LogSnapshot(of: replayed, material).digest
            if digest != newest.digest {
                problems.append(
                    "invalid digest \(digest) after replaying changes \(older.position + 1) to \(end): expected \(newest.digest), as in snapshot \(end)"
                )
            }
        }
        let last = try World.read(store, from: newest, like: blank, material).world
        return (problems, LogSnapshot(of: last, material).digest)
    }
}
