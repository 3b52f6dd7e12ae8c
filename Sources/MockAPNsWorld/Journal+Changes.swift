public import MockAPNsRules

extension Journal {
    /// Says whenever something has happened that `World.events` tells of, or a reset has begun another epoch.
    ///
    /// Several changes may be reported as one. Costs a push one comparison without listeners; ends when the
    /// task that reads it is cancelled.
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

    /// Lends every record that a query finds, oldest first, until `use` has had enough.
    ///
    /// The order and the limit of the query do not matter. What is lent is valid during the call alone.
    ///
    /// - Returns: what the journal held.
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

    /// Deletes the records of these numbers.
    ///
    /// Notifications that wait for a device keep waiting. Numbers are not given again.
    ///
    /// - Parameters:
    ///   - seqs: the numbers; those without a record do not matter.
    ///   - epoch: the epoch that they were found in. In a later one they mean nothing, and nothing is deleted.
    /// - Returns: how many records were deleted.
    public func remove(_ seqs: [UInt64], epoch: UInt64) -> Int {
        guard !seqs.isEmpty else { return 0 }
        return core.withState { state, _ in
            guard state.log.epoch == epoch else { return 0 }
            return seqs.count { state.log.remove($0) }
        }
    }

    /// Deletes every record that a query finds, whatever its order and its limit.
    ///
    /// - Returns: how many there were.
    public func remove(_ query: PushQuery) -> Int {
        var wanted: [UInt64] = []
        let epoch = visit(query) { _, outline in
            wanted.append(outline.seq)
            return true
        }.epoch
        return remove(wanted, epoch: epoch)
    }
}
