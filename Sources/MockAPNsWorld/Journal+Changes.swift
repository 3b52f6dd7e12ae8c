public import MockAPNsRules

extension Journal {
    /// Yields whenever `World.events` has new events, or a reset has begun a new epoch.
    ///
    /// Several changes may be combined. Without listeners, this costs a push one comparison. The stream ends
    /// when the task that reads it is cancelled.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = core.withState { state, _ in state.listeners.add(continuation) }
        let core = core
        continuation.onTermination = { _ in core.withState { state, _ in state.listeners.remove(id) } }
        return stream
    }

    /// Calls `use` with every record that matches a query, oldest first, until it returns `false`.
    ///
    /// The order and the limit of the query are ignored. The arguments are valid only during the call.
    ///
    /// - Returns: The extent of the journal.
    public func visit(
        _ query: PushQuery,
        _ use: (borrowing RequestView, PushOutline) -> Bool
    ) -> Extent {
        let (snapshot, registrations) = (snapshot(), core.ruleset.registrations)
        withExtendedLifetime(snapshot) {
            snapshot.visit(after: query.after) { record, entry in
                guard query.matches(record, entry, registrations) else { return true }
                let outline = PushOutline(record, entry, registrations)
                return record.withRequest { use($0, outline) }
            }
        }
        return snapshot.extent
    }

    /// Deletes the records with these numbers.
    ///
    /// Stored notifications are kept. Numbers are not reused.
    ///
    /// - Parameters:
    ///   - seqs: The numbers; those without a record are ignored.
    ///   - epoch: The epoch of the numbers; nothing is deleted if it is not the current one.
    /// - Returns: The number of deleted records.
    public func remove(_ seqs: [UInt64], epoch: UInt64) -> Int {
        guard !seqs.isEmpty else { return 0 }
        return core.withState { state, _ in
            guard state.log.epoch == epoch else { return 0 }
            return seqs.count { state.log.remove($0) }
        }
    }

    /// Deletes all records that match a query, ignoring its order and its limit.
    ///
    /// - Returns: The number of deleted records.
    public func remove(_ query: PushQuery) -> Int {
        var wanted: [UInt64] = []
        let epoch = visit(query) { _, outline in
            wanted.append(outline.seq)
            return true
        }.epoch
        return remove(wanted, epoch: epoch)
    }
}
