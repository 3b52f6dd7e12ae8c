internal import MockAPNsFormats
internal import MockAPNsRules

/// What has left the journal's memory, if a store keeps it.
extension Journal {
    /// Whether a store keeps what leaves the memory.
    package var isKept: Bool { world.olderPushes.withLock { $0 != nil } }

    private var store: (any OlderPushes)? { world.olderPushes.withLock { $0 } }

    /// Returns how far back the store goes; `nil` if there is none.
    package func olderExtent() async throws(HistoryFailure) -> HistoryExtent? {
        guard let store else { return nil }
        return try await store.extent()
    }

    /// The highest number of a connection that has a record in memory; 0 if there is none.
    package var lastConnectionID: UInt64 { snapshot().reduce(0) { max($0, $1.record.head.connectionID) } }

    /// Lets a store answer for what has left the memory.
    package func keepsOlder(in store: any OlderPushes) { world.olderPushes.withLock { $0 = store } }

    /// Returns the first pushes of the store with these numbers that can match a query, in its order.
    package func older(
        _ query: PushQuery, in range: Range<UInt64>, atMost most: Int
    ) async throws(HistoryFailure) -> [ReadPush] {
        guard let store else { return [] }
        return try await store.pushes(query, in: range, atMost: most)
    }

    /// Returns the record with this number, from the memory or the store.
    package func storedPush(seq: UInt64) async throws(HistoryFailure) -> PushRecord? {
        try await storedPushes([seq]).first
    }

    /// Returns the newest record whose response has this `apns-id`, ignoring case, from the memory or the store.
    package func storedPush(apnsID: String) async throws(HistoryFailure) -> PushRecord? {
        if let known = push(apnsID: apnsID) { return known }
        guard let store else { return nil }
        return try await store.push(apnsID: apnsID.lowercased()).flatMap { record(of: $0) }
    }

    /// Returns the records with these numbers, in their order, from the memory or the store.
    package func storedPushes(_ seqs: [UInt64]) async throws(HistoryFailure) -> [PushRecord] {
        let known = seqs.map { push(seq: $0) }
        let missing = zip(seqs, known).compactMap { $1 == nil ? $0 : nil }
        guard !missing.isEmpty, let store else { return known.compactMap(\.self) }
        var older: [UInt64: PushRecord] = [:]
        for kept in try await store.pushes(numbered: missing) { older[kept.seq] = record(of: kept) }
        return zip(seqs, known).compactMap { $1 ?? older[$0] }
    }

    /// Returns a push of the store as a record, if it matches a query; one that is damaged is reported.
    package func record(of kept: ReadPush, matching query: PushQuery = PushQuery()) -> PushRecord? {
        let (push, later): (KeptPush, KeptPush.Later)
        do throws(DamagedPush) {
            push = try kept.get()
            later = try push.later()
        } catch {
            store?.isUnreadable(error)
            return nil
        }
        var entry = push.entry
        if let event = entry.first { entry.note(event, isFirst: true, in: nil) }
        for (step, app, outcome) in later.steps {
            entry.note(step.event, isFirst: false, in: app)
            if let outcome { entry.note(outcome) }
        }
        return push.withRecord { view in
            let (epoch, connection, label, pushMagic, isPinned) = world.withState { state, _ in
                state.related(to: view, entry)
            }
            entry.isPinned = isPinned
            guard query.matches(view, entry, world.ruleset.registrations) else { return nil }
            let delivery = Delivery(
                steps: firstStep(of: entry) + later.steps.map(\.step), deviceLabel: label, appState: entry.appState,
                allowsNotifications: entry.allowsNotifications, fanOut: later.fanOut, activity: entry.activityID,
                refusal: entry.refusal, pushMagic: pushMagic)
            let context = RecordContext(
                epoch: epoch, answeredAt: Timestamp(microseconds: entry.at), connection: connection,
                delivery: view.head.isAccepted ? delivery : nil, isPinned: isPinned)
            return PushRecord(view, context)
        }
    }

    private func firstStep(of entry: JournalEntry) -> [Delivery.Step] {
        guard let event = entry.first else { return [] }
        let at = Timestamp(microseconds: entry.at)
        return [Delivery.Step(seq: entry.seq + JournalEntry.ownNumbers, at: at, event: event)]
    }
}

extension WorldState {
    /// The epoch, what is known of a push's connection and of its device, and whether it is pinned.
    fileprivate func related(
        to view: RecordView, _ entry: JournalEntry
    ) -> (epoch: UInt64, connection: ConnectionRecord?, label: String?, pushMagic: String?, isPinned: Bool) {
        let isRegistered = devices.registrations.has(entry.place, generation: entry.generation)
        let device = isRegistered ? devices.registrations[entry.place].device : nil
        return (
            log.epoch, process.connections[view.head.connectionID], device.flatMap { devices.devices[$0].label },
            device.flatMap { devices.pushMagics[$0] }, log.pins.contains(entry.seq)
        )
    }
}
