internal import MockAPNsFormats
internal import MockAPNsRules

/// What has left the journal's memory, if a store keeps it.
extension Journal {
    /// Whether a store keeps what leaves the memory.
    package var isKept: Bool { world.olderPushes.withLock { $0 != nil } }

    /// How far back the store goes; `nil` if there is none.
    package var olderExtent: HistoryExtent? { world.olderPushes.withLock { $0 }?.extent }

    /// The highest number of a connection that has a record in memory; 0 if there is none.
    package var lastConnectionID: UInt64 {
        snapshot().reduce(0) { max($0, $1.record.head.connectionID) }
    }

    /// Lets a store answer for what has left the memory.
    package func keepsOlder(in store: any OlderPushes) { world.olderPushes.withLock { $0 = store } }

    /// Returns the first pushes of the store with these numbers that can match a query, in its order.
    package func older(_ query: PushQuery, in range: Range<UInt64>, atMost most: Int) -> [KeptPush] {
        world.olderPushes.withLock { $0 }?.pushes(query, in: range, atMost: most) ?? []
    }

    /// Returns a push of the store as a record, if it matches a query; one that is damaged is reported.
    package func record(of kept: KeptPush, matching query: PushQuery = PushQuery()) -> PushRecord? {
        let restored: RestoredPush
        do throws(ArchiveError) {
            restored = try RestoredPush(kept.push, kept.steps, fanOut: kept.fanOut)
        } catch {
            world.olderPushes.withLock { $0 }?.isUnreadable(kept.push.seq, error)
            return nil
        }
        var entry = restored.entry
        if let event = entry.first { entry.note(event, isFirst: true, in: nil) }
        for (step, app) in restored.steps { entry.note(step.event, isFirst: false, in: app) }
        let (epoch, connection, label, isPinned) = world.withState { state, _ in state.related(to: restored) }
        entry.isPinned = isPinned
        return restored.words.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return nil }
            let view = RecordView(at: start)
            guard query.matches(view, entry, world.ruleset.registrations) else { return nil }
            let delivery = Delivery(
                steps: firstStep(of: entry) + restored.steps.map(\.step),
                deviceLabel: label,
                appState: entry.appState,
                allowsNotifications: entry.allowsNotifications,
                fanOut: restored.fanOut
            )
            let context = RecordContext(
                epoch: epoch,
                answeredAt: Timestamp(microseconds: entry.at),
                connection: connection,
                delivery: view.head.isAccepted ? delivery : nil,
                isPinned: isPinned
            )
            return PushRecord(view, context)
        }
    }

    private func firstStep(of entry: JournalEntry) -> [Delivery.Step] {
        guard let event = entry.first else { return [] }
        let at = Timestamp(microseconds: entry.at)
        return [Delivery.Step(seq: entry.seq + JournalEntry.ownNumbers, at: at, event: event)]
    }

    func olderPush(seq: UInt64) -> PushRecord? {
        world.olderPushes.withLock { $0 }?.push(seq: seq).flatMap { record(of: $0) }
    }

    func olderPush(apnsID: String) -> PushRecord? {
        world.olderPushes.withLock { $0 }?.push(apnsID: apnsID).flatMap { record(of: $0) }
    }
}

extension RestoredPush {
    /// The number of its connection.
    fileprivate var connectionID: UInt64 {
        words.withUnsafeBytes { bytes in bytes.baseAddress.map { RecordView(at: $0).head.connectionID } ?? 0 }
    }
}

extension WorldState {
    /// The epoch, what is known of a push's connection and of its device's label, and whether it is pinned.
    fileprivate func related(
        to push: RestoredPush
    ) -> (epoch: UInt64, connection: ConnectionRecord?, label: String?, isPinned: Bool) {
        let entry = push.entry
        let isRegistered = devices.registrations.has(entry.place, generation: entry.generation)
        let label = isRegistered ? devices.devices[devices.registrations[entry.place].device].label : nil
        return (log.epoch, log.connections[push.connectionID], label, log.pins.contains(entry.seq))
    }
}
