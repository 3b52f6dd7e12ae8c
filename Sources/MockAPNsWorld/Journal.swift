package import MockAPNsFormats
public import MockAPNsRules

/// The bounded log of all requests in order, including rejected ones.
///
/// Event loops publish a batch per read under one lock. Readers take a snapshot under that lock and read
/// outside it, so a long query delays no push.
public struct Journal: Sendable {
    /// The limits of the journal.
    public typealias Capacity = JournalCapacity
    /// The range of records in the journal.
    public typealias Extent = JournalExtent

    /// What another server recorded about a push besides the request.
    public typealias AdoptedAnswer = MockAPNsWorld.AdoptedAnswer

    let world: World

    /// The limits of the journal.
    public let capacity: Capacity

    /// Assigns numbers to a batch, makes it visible to every later query, and delivers its notifications.
    ///
    /// A batch that was judged before a reset is only counted. The records were answered at `time`, or else now.
    public func publish(_ batch: RecordBatch, at time: WorldClock.Reading? = nil) { _ = append(batch, at: time) }

    /// What became of a batch.
    package enum Appended: Sendable {
        /// It is in the journal, or only counted; the answers must wait for the end of the log, if there is one.
        case done(LogEnd?)
        /// The world is closed: nothing has happened.
        case mustWait
    }

    /// Does the same, unless the world is closed.
    package func append(_ batch: RecordBatch, at time: WorldClock.Reading? = nil) -> Appended {
        guard !batch.isEmpty else { return .done(nil) }
        let payloads = batch.activityPayloads
        // The lock orders queries and responses: a query sees every push whose client has its response.
        let (leavesPending, appended) = world.withLockedState { state, now in
            guard state.process.access == .open else { return (false, Appended.mustWait) }
            guard batch.epoch == state.log.epoch else {
                state.count(batch.bytes, answeredAt: time ?? now)
                return (false, Appended.done(state.logEnd))
            }
            state.publish(batch, payloads, answeredAt: time ?? now, at: now)
            return (state.beginPending(), .done(state.logEnd))
        }
        if leavesPending { world.continuePending() }
        return appended
    }

    /// The range of records in the journal.
    public var extent: Extent { world.withState { state, _ in state.log.extent } }

    /// The number of records in memory.
    package var count: Int { world.withState { state, _ in state.log.recordCount } }

    /// The counts of all requests.
    public var counters: JournalCounters { world.withState { state, _ in state.log.counters } }

    /// Adds pushes that another server has recorded, without delivering them, and returns their new numbers.
    public func adopt(_ batch: RecordBatch, _ answers: [AdoptedAnswer]) -> (seqs: [UInt64], extent: Extent) {
        // Copied before the world is locked: an import may have tens of megabytes.
        let change = AdoptPushes(records: Array(batch.bytes), answers: answers)
        return world.withLockedState { state, now in
            let seqs = state.perform(change, at: now)
            world.forwards.adopted(seqs)
            return (seqs, state.log.extent)
        }
    }

    /// Deletes the records with these numbers if the epoch is the current one, and returns their number.
    public func remove(_ seqs: [UInt64], epoch: UInt64) -> Int {
        guard !seqs.isEmpty else { return 0 }
        return world.commit(RemovePushes(seqs: seqs, epoch: epoch))
    }

    /// Deletes all records that match a query, ignoring its order and limit, and returns their number.
    public func remove(_ query: PushQuery) -> Int {
        var wanted: [UInt64] = []
        let epoch = visit(query) { _, outline in
            wanted.append(outline.seq)
            return true
        }.epoch
        return remove(wanted, epoch: epoch)
    }

    /// Sets or removes the note on a push, unless its epoch has ended.
    package func setNote(_ text: String?, on push: UInt64, epoch: UInt64) {
        world.commit(SetNote(push: push, epoch: epoch, text: text))
    }

    /// Returns the note on a push: `nil` if it never had one, and `nil` within if it was removed.
    package func note(on push: UInt64, epoch: UInt64) -> String?? {
        world.withState { state, _ in state.log.epoch == epoch ? state.notes[push] : nil }
    }

    /// The maximum number of pinned pushes.
    package static let mostPins = 1_000

    /// The numbers of the pinned pushes.
    package var pins: Set<UInt64> { world.withState { state, _ in state.log.pins } }

    /// Pins a push, so that it stays when others are evicted, or removes its pin.
    ///
    /// Returns `false` if there are too many pins. A push that no longer exists is not pinned.
    package func setPinned(_ isPinned: Bool, on push: UInt64, epoch: UInt64) -> Bool {
        world.withLockedState { state, time in
            guard state.log.epoch == epoch, state.log.pins.contains(push) != isPinned,
                state.process.changeLog != nil || state.log.find(push) != nil
            else { return true }
            guard !isPinned || state.log.pins.count < Self.mostPins else { return false }
            state.perform(SetPin(push: push, epoch: epoch, isPinned: isPinned), at: time)
            return true
        }
    }

    /// Yields whenever `World.events` has new events, or a reset has begun a new epoch.
    ///
    /// Several changes may be combined. Without listeners, this costs a push one comparison. The stream ends
    /// when the task that reads it is cancelled.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = world.withState { state, _ in state.process.listeners.add(continuation) }
        let world = world
        continuation.onTermination = { _ in world.withState { state, _ in state.process.listeners.remove(id) } }
        return stream
    }

    /// Returns how many records with these numbers are in the journal.
    public func countKept(_ seqs: [UInt64]) -> Int {
        world.withState { state, _ in seqs.count { state.log.find($0) != nil } }
    }

    /// Replaces the records by those that a log has kept, oldest first; with `isWhole`, they are all of the epoch.
    ///
    /// The numbers stay as the changes have made them: this brings back what is kept, and changes nothing.
    package func restore(_ pushes: [ReadPush], isWhole: Bool) throws(ArchiveError) {
        var restored: [(push: KeptPush, later: KeptPush.Later)] = []
        for push in pushes {
            guard push.seq > restored.last?.push.seq ?? 0 else { throw .badValue }
            do throws(DamagedPush) {
                let push = try push.get()
                restored.append((push, try push.later()))
            } catch { throw .badMember("\(error)") }
        }
        world.withLockedState(at: .earliest) { state, _ in state.log.restore(restored, isWhole: isWhole) }
    }

    /// The number of the first event of the epoch: what is older was cleared by a reset.
    package var epochStart: UInt64 { world.withState { state, _ in state.log.epochStart } }

    func snapshot(after seq: UInt64 = 0) -> JournalSnapshot {
        world.withState { state, _ in state.log.snapshot(after: seq) }
    }

    /// Records that a connection was opened.
    public func connectionOpened(_ connection: ConnectionRecord) {
        world.withState { state, _ in
            state.process.connections.opened(connection)
            state.happened(.connectionOpened(connection.id))
            state.process.tally.connections &+= 1
            if connection.tlsVersion != nil { state.process.tally.handshakes &+= 1 }
        }
    }

    /// The reason why a connection did not get to HTTP/2.
    public enum ConnectionFailure: Sendable {
        case handshake
        /// There were too many connections.
        case refused
        case fault
    }

    /// Records that a connection has ended; `failure` is set if it did not get to HTTP/2.
    public func connectionClosed(
        _ connection: ConnectionRecord, at now: Timestamp, code: String, detail: String, hint: String? = nil,
        as failure: ConnectionFailure? = nil
    ) {
        world.withState { state, _ in
            switch failure {
            case .handshake: state.process.tally.failedHandshakes &+= 1
            case .refused: state.process.tally.refusedConnections &+= 1
            case .fault, nil: break
            }
            state.process.connections.closed(connection, at: now, code: code, detail: detail, hint: hint)
            state.happened(.connectionClosed(connection.id))
        }
    }

    /// The known connections, oldest first; of the ended ones, only the latest are kept.
    public var connections: [ConnectionRecord] { world.withState { state, _ in state.process.connections.all } }

    /// The number of connections so far, including those that are no longer kept.
    public var connectionCount: UInt64 { world.withState { state, _ in state.process.connections.total } }

    /// Returns the connection with this number; `nil` if it is unknown or no longer kept.
    public func connection(_ id: UInt64) -> ConnectionRecord? {
        world.withState { state, _ in state.process.connections[id] }
    }
}

extension Journal {
    /// Starts a scan of the journal's current records.
    public func scan(_ query: PushQuery) -> JournalScan {
        JournalScan(query, world.ruleset.registrations, snapshot(after: query.after)) { [world] in
            world.records($0, in: $1)
        }
    }

    /// Calls `use` with every record that matches a query, oldest first, until it returns `false`.
    ///
    /// The order and the limit of the query are ignored. The arguments are valid only during the call.
    public func visit(_ query: PushQuery, _ use: (borrowing RequestView, PushOutline) -> Bool) -> Extent {
        var scan = scan(query)
        var goesOn = true
        while goesOn, scan.next({ request, outline, _ in goesOn = use(request, outline) }) {}
        return scan.extent
    }

    /// Returns the records that match a query, among all those answered before the call.
    public func pushes(_ query: PushQuery) -> PushPage {
        var scan = scan(query)
        var found: [FoundRecord] = []
        while scan.next({ _, _, match in found.append(match) }) {}
        return scan.page(of: found)
    }

    /// Returns the record with this number; `nil` if it does not exist or was evicted.
    public func push(seq: UInt64) -> PushRecord? { world.withState { state, _ in state.record(seq) } }

    /// Returns the newest record whose response has this `apns-id`, ignoring case.
    public func push(apnsID: String) -> PushRecord? {
        let wanted = apnsID.lowercased()
        let snapshot = snapshot()
        var found: FoundRecord?
        for candidate in snapshot where candidate.record.hasID(wanted) { found = candidate }
        return found.flatMap { world.records([$0], in: snapshot).first }
    }
}

extension Journal {
    /// Records what became of forwarded pushes of an epoch, and reports it in the events.
    package func noteForwards(_ added: [(push: UInt64, record: ForwardRecord)], epoch: UInt64) {
        guard !added.isEmpty else { return }
        world.forwards.add(added, epoch: epoch)
        world.withState { state, _ in
            guard state.log.epoch == epoch else { return world.forwards.reset(to: state.log.epoch) }
            for (push, _) in added { state.happened(.pushForwarded(push)) }
        }
    }

    /// Records that pushes of an epoch were not forwarded, because too many were waiting.
    ///
    /// Each is the last and only push of its range: ranges that touch take the place of one. Only the first push is
    /// reported in the events, and only if that has just begun.
    package func noteDroppedForwards(_ pushes: [ClosedRange<UInt64>], epoch: UInt64, isBeginning: Bool) {
        guard let first = pushes.first?.upperBound else { return }
        world.forwards.drop(pushes, epoch: epoch)
        guard isBeginning else { return }
        world.withState { state, _ in
            guard state.log.epoch == epoch else { return world.forwards.reset(to: state.log.epoch) }
            state.happened(.pushForwarded(first))
        }
    }

    /// Calls `use` with every request after a number, oldest first, and returns the epoch in which they arrived.
    ///
    /// For readers that follow the journal: unlike `visit`, it copies nothing. The arguments are valid only during the
    /// call.
    package func follow(after seq: UInt64, _ use: (borrowing RequestView, RecordHead) -> Void) -> UInt64 {
        let snapshot = snapshot(after: seq)
        for found in snapshot where found.entry.seq > seq {
            let record = found.record
            record.withRequest { use($0, record.head) }
        }
        return snapshot.extent.epoch
    }
}
