import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// What becomes of a push that a fault has had, in the journal and on devices.
@Suite struct FaultMarkTests {
    private static let token = DeviceToken.numbered(1)
    private static let fault = FaultID(number: 1)

    private func judging(isOnline: Bool = true) throws -> JudgingWorld {
        let judging = try JudgingWorld(devices: [.phone("alice", token: Self.token, isOnline: isOnline)])
        _ = try judging.world.faults.add(FaultDraft(action: .lose))
        return judging
    }

    /// Lets a push come that a fault has had.
    private func push(
        _ judging: JudgingWorld, _ effect: FaultMark.Effect, status: UInt16 = 200, reason: Reason? = nil,
        token: DeviceToken = Self.token, headers: [FaultAction.Header] = []
    ) throws -> PushRecord {
        let last = judging.world.journal.extent.lastSeq
        let batch = RecordBatch()
        let ruleset = judging.world.ruleset
        batch.begin(by: ruleset)
        JudgingWorld.Push(token).draft.withRequest { request in
            let time = judging.world.clock.read()
            var facts = RecordHead()
            facts.receivedAt = time.system
            facts.clockTime = time.world
            facts.connectionID = 1
            facts.requestOnConnection = 1
            facts.status = status
            facts.verdict = Verdict(reason: reason, decidedBy: nil)
            facts.deadSince = reason?.carriesTimestamp == true ? time.world : nil
            facts.id = UniqueID(high: 1, low: 1)
            let mark = FaultMark(Self.fault, effect, headers: headers)
            batch.append(request, facts, registered: ruleset.find(token), fault: mark)
        }
        judging.world.journal.publish(batch, at: judging.world.clock.read())
        return try #require(judging.world.journal.push(seq: last + 1))
    }

    @Test func `a lost push is never on its way`() throws {
        let judging = try judging()
        let record = try push(judging, [.decides, .loses])
        #expect(record.answer.status == 200 && record.delivery?.steps.isEmpty == true)
        #expect(record.faults == [Self.fault] && record.isDecidedByFault)
        #expect(try judging.devices.device(.label("alice")).registrations[0].counters.delivered == 0)
        #expect(try judging.devices.arrived(.label("alice")).isEmpty)
        // It makes no device of a token that nobody knows, either.
        _ = try push(judging, [.decides, .loses], token: .numbered(9))
        #expect(judging.devices.registration(.numbered(9)) == nil)
        #expect(judging.world.faults.all[0].firedFor == [record.seq, record.seq + 2])
    }

    @Test func `a double push arrives twice`() throws {
        let judging = try judging()
        let record = try push(judging, .duplicates)
        #expect(record.delivery?.steps.map(\.event) == [.delivered, .delivered])
        #expect(!record.isDecidedByFault && record.faults == [Self.fault])
        #expect(try judging.devices.device(.label("alice")).registrations[0].counters.delivered == 2)
    }

    @Test func `a push doubled for an offline device waits once`() throws {
        let judging = try judging(isOnline: false)
        let record = try push(judging, .duplicates)
        #expect(judging.steps(record.seq) == [.storedDeviceOffline])
        _ = try judging.devices.change(.label("alice"), .online)
        #expect(judging.steps(record.seq) == [.storedDeviceOffline, .deliveredFromStorage])
    }

    @Test func `a 410 of a fault is on the feedback list`() throws {
        let judging = try judging()
        for _ in 0..<2 {
            let record = try push(judging, .decides, status: 410, reason: .unregistered)
            #expect(record.delivery == nil && record.answer.body.contains("timestamp"))
        }
        let entry = try #require(judging.devices.feedback().first)
        #expect(entry.token == Self.token && entry.cause == .fault && entry.reported == 2)
        // Without a fault, a token that works again is not put on the list.
        #expect(judging.devices.feedback().count == 1)
    }

    @Test func `a 410 of a fault to a dead token counts there`() throws {
        let judging = try judging()
        _ = try judging.devices.change(Self.token, .state(.uninstalled))
        _ = try push(judging, .decides, status: 410, reason: .unregistered)
        #expect(judging.devices.feedback().map(\.cause) == [.uninstalled])
        #expect(judging.devices.feedback().map(\.reported) == [1])
    }

    @Test func `the answer is kept as it was`() throws {
        let judging = try judging()
        let headers = [FaultAction.Header("retry-after", "2"), FaultAction.Header("x-a", "b: c")]
        let record = try push(judging, .decides, status: 502, headers: headers)
        #expect(record.answer.headers.map(\.name) == ["apns-id", "retry-after", "x-a"])
        #expect(record.answer.headers.map(\.value).suffix(2) == ["2", "b: c"])
        let long = (0..<10).map { FaultAction.Header("x-\($0)", String(repeating: "v", count: 1_024)) }
        let large = try push(judging, .decides, status: 502, headers: long)
        #expect(large.answer.headers.dropFirst().map(\.value) == long.map(\.value))
        #expect(record.answer.body.isEmpty && record.answer.id != nil && record.delivery == nil)
        let reset = try push(judging, .decides, status: 0)
        #expect(reset.answer.status == 0 && reset.answer.id == nil && reset.answer.headers.isEmpty)
        let usual = try #require(judging.world.journal.push(seq: judging.pushed(Self.token)))
        #expect(usual.faults.isEmpty && !usual.isDecidedByFault)
    }
}
