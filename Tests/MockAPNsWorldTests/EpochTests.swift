import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Batches that were judged before something changed, and published after it.
@Suite struct EpochTests {
    private func batch(_ world: World, _ drafts: Draft...) -> RecordBatch {
        let batch = RecordBatch()
        batch.begin(by: world.ruleset)
        for draft in drafts { draft.append(to: batch) }
        return batch
    }

    private func published(_ batch: RecordBatch, in world: World) -> [PushRecord] {
        let last = world.journal.extent.lastSeq
        world.journal.publish(batch, at: Draft.now)
        return world.journal.pushes(.with { $0.after = last }).pushes
    }

    /// Whether an accepted push reached no device and waits for none.
    private func wentNowhere(_ record: PushRecord) -> Bool {
        guard let delivery = record.delivery else { return false }
        return delivery.state == nil || delivery.state == .discardedTokenUnregistered
    }

    private let token = DeviceToken(hex: Draft.token)!

    @Test func `a batch of this epoch is recorded and delivered`() throws {
        let world = try World(ruleset: Ruleset())
        for epoch in 1...3 as ClosedRange<UInt64> {
            let records = published(batch(world, .push(), .push()), in: world)
            #expect(records.map(\.epoch) == [epoch, epoch])
            #expect(records.map { $0.delivery?.state } == [.delivered, .delivered])
            #expect(world.journal.counters == JournalCounters(received: 2, accepted: 2))
            #expect(world.ruleset.find(token)?.environment == .sandbox)
            let report = world.reset([.pushes, .devices])
            #expect(report.epoch == epoch + 1)
            #expect(report.cleared[.pushes] == 2 && report.cleared[.devices] == 1)
            #expect(report.seq == 6 * epoch && world.journal.extent.lastSeq == 6 * epoch)
            #expect(world.ruleset.find(token) == nil)
        }
    }

    /// Its clients have their answers, so metrics and connections count it.
    @Test func `a batch of another epoch is counted, and leaves no other trace`() throws {
        let world = try World(ruleset: Ruleset())
        let connection = ConnectionRecord(
            id: Draft.push().connection, remoteAddress: "192.0.2.1:1", environment: .sandbox, openedAt: Draft.now)
        world.journal.connectionOpened(connection)
        let late = batch(world, .push(), .push(reason: .badTopic))
        _ = world.reset([.pushes])
        #expect(published(late, in: world).isEmpty)
        #expect(world.journal.counters == JournalCounters())
        #expect(world.journal.extent == Journal.Extent(epoch: 2, firstSeq: 1, lastSeq: 0, evicted: 0))
        #expect(world.devices.registration(token) == nil)
        let tally = world.tally
        #expect(tally.pushes.map(\.isAccepted) == [false, true] && tally.pushes.map(\.count) == [1, 1])
        #expect(tally.pushes.map(\.reason) == [.badTopic, nil])
        #expect(tally.duration.count == 2 && tally.duration.sum == 0 && tally.payload.count == 2)
        #expect(tally.deliveries.allSatisfy { $0.count == 0 })
        #expect(world.journal.connection(connection.id)?.pushes == 2)

        // The same memory, begun anew.
        late.removeAll()
        late.begin(by: world.ruleset)
        Draft.push().append(to: late)
        #expect(published(late, in: world).map(\.epoch) == [2])
    }

    /// Also by an event loop that has not heard of the change.
    @Test func `a fault that fires is counted, also if the world is read again`() throws {
        let world = try World(ruleset: Ruleset())
        _ = try world.faults.add(FaultDraft(action: .lose))
        let rule = try #require(world.withState { state, _ in state.faults.rules.first })
        #expect(rule.fire(on: FaultOccasion(now: Draft.now)) != nil)
        world.replaceState(by: try World(ruleset: Ruleset()))
        #expect(rule.fire(on: FaultOccasion(now: Draft.now)) != nil)
        #expect(world.tally.faults.reduce(0, +) == 2)
    }

    /// What was judged by devices that are gone is recorded, and does not bring them back.
    @Test func `a batch of other devices is recorded alone`() throws {
        let world = try World(ruleset: Ruleset())
        #expect(published(batch(world, .push()), in: world).count == 1)
        var judged = Draft.push()
        judged.registered = world.ruleset.find(token)
        var dead = Draft.push(reason: .unregistered)
        dead.registered = judged.registered
        let late = batch(world, judged, .push(token: "abcd"), dead)
        _ = world.reset([.devices])
        let records = published(late, in: world)
        #expect(records.map(\.answer.status) == [200, 200, 410])
        #expect(records.prefix(2).allSatisfy(wentNowhere))
        #expect(records[2].delivery == nil)
        #expect(world.devices.devices(DeviceQuery()).total == 0)
        #expect(world.devices.feedback().isEmpty)
        #expect(published(batch(world, .push()), in: world).map { $0.delivery?.state } == [.delivered])
    }

    /// A place that is used again is not taken for the registration that stood there.
    @Test func `a registration that is gone gets nothing`() throws {
        let world = try World(ruleset: Ruleset())
        _ = published(batch(world, .push()), in: world)
        var judged = Draft.push()
        judged.registered = world.ruleset.find(token)
        let late = batch(world, judged)
        try world.devices.forget(.token(token))
        let other = try #require(DeviceToken(hex: "abcd"))
        let draft = DeviceDraft(registrations: [.init(token: other, topic: "com.example.other")])
        _ = try world.devices.add(draft)
        let records = published(late, in: world)
        #expect(records.map(\.answer.status) == [200] && records.allSatisfy(wentNowhere))
        #expect(world.devices.registration(other)?.registration.counters == Registration.Counters())
        // Nor does the push bring it back.
        #expect(world.devices.registration(token) == nil)
    }

    /// Both were accepted, because nobody knew the token; it belongs to the app that was first.
    @Test func `a token that now belongs to another app gets nothing`() throws {
        let sandbox = Draft.push()
        let otherTopic = Draft.push(topic: "com.example.other")
        var otherEnvironment = Draft.push()
        otherEnvironment.environment = .production
        for late in [otherTopic, otherEnvironment] {
            for isOneBatch in [true, false] {
                let world = try World(ruleset: Ruleset())
                let (first, second) = (batch(world, sandbox), batch(world, late))
                if isOneBatch { late.append(to: first) }
                var records = published(first, in: world)
                if !isOneBatch { records += published(second, in: world) }
                try #require(records.count == 2)
                #expect(records[0].delivery?.state == .delivered)
                #expect(records[1].answer.status == 200 && wentNowhere(records[1]))
                let registration = try #require(world.devices.registration(token)).registration
                #expect(registration.topic == "com.example.app" && registration.environment == .sandbox)
                #expect(registration.counters.delivered == 1)
            }
        }
    }
}

extension JournalCounters {
    fileprivate init(received: UInt64, accepted: UInt64) {
        self.init()
        self.received = received
        self.accepted = accepted
    }
}
